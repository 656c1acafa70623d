#include "plugins/autoscheduler/acceptance.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "scheduler/nest/check.h"
#include "scheduler/nest/text.h"
#include "scheduler/schedule/directives_of_nest.h"

namespace autoschedule_gpu {
namespace {

// Of a trial. Nearly all are done in the least time. Halide takes a minute for pipelines of
// hundreds of stages; where it takes longer than the most, it hangs.
constexpr double kLeastTimeS = 10, kMostTimeS = 600;

// Kernels that users have scheduled are theirs.
bool is_ours(const KernelLaunch &kernel, const Dag &dag) {
    return kernel.func < 0 || std::ranges::none_of(dag.funcs, [&](const Func &func) {
               return func.ours == Func::Ours::nothing && kernel.func == func.halide_index;
           });
}

// What of a launch is known, and more than a device has. The most that shared memory may take is an
// estimate from above, and so it counts only where nothing else tells how large it gets.
std::optional<std::string> too_large(const KernelLaunch &kernel, RuntimeSizes allowed,
                                     const GpuModel &gpu) {
    int64_t threads = 1;
    const int64_t most[] = {gpu.max_threads_x, gpu.max_threads_y, gpu.max_threads_z};
    for (size_t i = 0; i < std::size(most); ++i) {
        threads *= std::max<int64_t>(1, kernel.threads[i]);
        if (kernel.threads[i] <= most[i]) continue;
        return std::to_string(kernel.threads[i]) + " threads in dimension " + "xyz"[i];
    }
    // Of kernels for other sizes than the estimates nothing has counted the blocks before.
    const int64_t most_blocks[] = {gpu.max_blocks_x, gpu.max_blocks_y, gpu.max_blocks_z};
    for (size_t i = 0; i < std::size(most_blocks); ++i) {
        if (kernel.blocks[i] <= most_blocks[i]) continue;
        return std::to_string(kernel.blocks[i]) + " blocks in dimension " + "xyz"[i];
    }
    if (threads > gpu.max_threads_per_block) return std::to_string(threads) + " threads per block";
    const int64_t bytes =
        allowed == RuntimeSizes::bounded ? kernel.most_shared_bytes : kernel.shared_bytes;
    if (bytes > gpu.shared_bytes_per_block) {
        return std::to_string(bytes) + " bytes of shared memory";
    }
    return std::nullopt;
}

// What is known only at run time, and must not be.
std::optional<std::string> unknown(const KernelLaunch &kernel, RuntimeSizes allowed) {
    if (std::ranges::any_of(kernel.threads, [](int64_t t) { return t < 0; })) {
        return "a number of threads known only at run time";
    }
    // A block that computes one point, for other sizes, needs no more than a full tile.
    const bool is_unknown = kernel.shared_bytes < 0 && kernel.at_estimates;
    if (!is_unknown || allowed == RuntimeSizes::any) return std::nullopt;
    if (allowed == RuntimeSizes::bounded && kernel.most_shared_bytes >= 0) return std::nullopt;
    return "shared memory of a size known only at run time";
}

// On the host everything is on the wrong side of the device, on purpose.
std::optional<std::string> illegal(const CompleteState &candidate, Attempt attempt) {
    if (attempt == Attempt::host) return std::nullopt;
    const std::vector<std::string> problems =
        check(*candidate.dag, candidate.state.nest, Completeness::complete);
    if (problems.empty()) return std::nullopt;
    return "nest check: " + problems[0];
}

// Of the kernels of the nest.
std::vector<RegisterUse> register_use(const TrialLowering &lowered, const CompleteState &candidate,
                                      const SpillCheck &check) {
    std::vector<RegisterUse> result;
    for (const KernelPtr &kernel : candidate.state.nest.kernels) {
        RegisterUse &use = result.emplace_back();
        if (kernel->on_host) continue;  // a user may have made kernels of it
        for (const KernelLaunch &launch : launches_of(*candidate.dag, *kernel, lowered)) {
            int64_t &spilled =
                launch.at_estimates ? use.spill_bytes : use.spill_bytes_at_other_sizes;
            spilled += check.spill_bytes(launch);
            if (!launch.at_estimates || launch.registers < 0) continue;
            use.registers = std::max(use.registers.value_or(0), launch.registers);
        }
    }
    return result;
}

// Of all these kernels, at the estimates and elsewhere. What users have scheduled is theirs.
void count_spills(Judgement &judgement) {
    judgement.spill_bytes = 0;
    for (const RegisterUse &use : judgement.kernels) {
        *judgement.spill_bytes += use.spill_bytes;
        judgement.spill_bytes_at_other_sizes += use.spill_bytes_at_other_sizes;
    }
}

bool any_spills(const TrialLowering &lowered, const SpillCheck &check) {
    return std::ranges::any_of(
        lowered.kernels, [&](const KernelLaunch &launch) { return check.spill_bytes(launch) > 0; });
}

// Whether of the kernels of a stage for several sizes one alone runs at the estimates. Which it is
// may depend on a buffer that a part has not.
bool knows_what_runs(const TrialLowering &lowered) {
    std::set<std::pair<int, int>> stages;
    return std::ranges::all_of(lowered.kernels, [&](const KernelLaunch &launch) {
        return !launch.at_estimates || stages.emplace(launch.func, launch.stage).second;
    });
}

// There is nothing else to try.
bool is_last_resort(Attempt attempt) {
    return attempt == Attempt::plain || attempt == Attempt::host;
}

}  // namespace

// What Halide made of the schedule must still fit the device.
std::optional<std::string> Acceptance::exceeds(const std::optional<TrialLowering> &lowered,
                                               const AllowedSizes &allowed) const {
    if (!lowered) return std::nullopt;
    for (const KernelLaunch &kernel : lowered->kernels) {
        if (!is_ours(kernel, as_read_)) continue;
        if (const auto what = unknown(kernel, allowed.of(kernel))) {
            return "kernel " + kernel.name + " has " + *what;
        }
        if (const auto what = too_large(kernel, allowed.of(kernel), gpu_)) {
            return "kernel " + kernel.name + " has " + *what + ", more than the device (" +
                   gpu_.name + ") allows";
        }
    }
    return std::nullopt;
}

Schedule Acceptance::schedule_of(const CompleteState &candidate) const {
    Schedule schedule = factors_;
    std::ranges::move(directives(*candidate.dag, candidate.state.nest),
                      std::back_inserter(schedule));
    return schedule;
}

void Acceptance::refuse(const CompleteState &candidate, Attempt attempt, const std::string &why) {
    refused_.push_back({attempt, why, to_text(*candidate.dag, candidate.state.nest)});
}

std::optional<Judgement> Acceptance::judge(const CompleteState &candidate, Attempt attempt) {
    if (const std::optional<std::string> problem = illegal(candidate, attempt)) {
        refuse(candidate, attempt, *problem);
        return std::nullopt;
    }
    Schedule schedule = schedule_of(candidate);
    const AllowedSizes allowed(*candidate.dag, candidate.state.nest);
    Judgement judgement{std::nullopt, accepted_.size()};
    const std::optional<Lowered> unknown = lower_unknown(schedule, candidate, judgement.by_parts);
    const Lowered lowered = unknown ? *unknown : lower_whole(schedule, candidate);
    if (!lowered) {
        refuse(candidate, attempt, lowered.error().message);
        return std::nullopt;
    }
    if (const std::optional<std::string> problem = exceeds(*lowered, allowed)) {
        refuse(candidate, attempt, *problem);
        if (!is_last_resort(attempt)) return std::nullopt;
    }
    if (*lowered) {
        judgement.kernels = register_use(**lowered, candidate, spill_check_);
        count_spills(judgement);
    }
    accepted_.push_back({std::move(schedule), *lowered});
    return judgement;
}

bool Acceptance::accepts_whole(const CompleteState &candidate, Attempt attempt) {
    const Lowered sketched = lower(schedule_of(candidate), {}, Whole::nothing_else);
    if (!sketched) refuse(candidate, attempt, sketched.error().message);
    return sketched.ok();
}

Result<AcceptedSchedule> Acceptance::accept(Schedule given) {
    const Lowered lowered = lower(given);
    if (!lowered) return lowered.error();
    if (std::optional<std::string> problem = exceeds(*lowered, AllowedSizes(RuntimeSizes::any))) {
        return Error{*std::move(problem)};
    }
    return AcceptedSchedule{std::move(given), *lowered};
}

Acceptance::Lowered Acceptance::lower_whole(const Schedule &schedule,
                                            const CompleteState &candidate) {
    std::optional<Lowered> prepared = take_prepared(candidate);
    Lowered lowered = prepared ? *std::move(prepared) : lower(schedule);
    if (lowered && *lowered) remember(candidate, **lowered);
    return lowered;
}

std::optional<Acceptance::Lowered> Acceptance::take_prepared(const CompleteState &candidate) {
    const auto node = prepared_.extract(candidate.state.id);
    return node ? std::optional(std::move(node.mapped())) : std::nullopt;
}

// What is wrong with a part may be for that it is one, and so may be that nothing spills in it:
// then the whole has the last word.
std::optional<Acceptance::Lowered> Acceptance::lower_unknown(const Schedule &schedule,
                                                             const CompleteState &candidate,
                                                             bool &by_parts) {
    const auto unknown = unknown_kernels(candidate);
    if (!unknown) return std::nullopt;
    Lowered part = std::optional(TrialLowering());
    if (std::optional<Lowered> prepared = take_prepared(candidate)) {
        part = *std::move(prepared);
    } else if (!unknown->roots.empty()) {
        part = lower(schedule, unknown->roots, unknown->whole);
    }
    if (!part) return std::nullopt;
    if (*part) {
        part = known_.whole(candidate, **part);
        if (!*part) return std::nullopt;
        if (!knows_what_runs(**part) && !any_spills(**part, spill_check_)) return std::nullopt;
        remember(candidate, **part);
    }
    by_parts = unknown->whole == Whole::left_out;
    return part;
}

// Where one kernel is hopeless, the others were not assembled.
void Acceptance::remember(const CompleteState &candidate, const TrialLowering &lowered) {
    const CodeCheck check = spill_check_.code_check();
    const bool hopeless = std::ranges::any_of(lowered.kernels, [&](const KernelLaunch &kernel) {
        return kernel.at_estimates && kernel.live_words >= check.hopeless_live_words;
    });
    if (check.on && !hopeless) known_.remember(candidate, lowered);
}

double Acceptance::trial_seconds() const {
    return std::clamp(clock_.left_s(), kLeastTimeS, kMostTimeS);
}

Acceptance::Lowered Acceptance::lower(const Schedule &schedule, std::span<const KeptRoot> only,
                                      Whole whole) {
    const double time_s = trial_seconds();
    return lowered(
        trials_.lower(schedule, pipeline_, target_, time_s, spill_check_.code_check(), only, whole),
        time_s);
}

Acceptance::Lowered Acceptance::lowered(ApartTrials::Outcome outcome, double time_s) const {
    if (outcome) {
        if (!*outcome) return outcome->error();
        return std::optional(std::move(*outcome).value());
    }
    if (clock_.left_s() <= 0) return std::optional<TrialLowering>();
    return Error{"Halide took longer than " + std::to_string(static_cast<int>(time_s)) +
                 " s to lower the schedule"};
}

// Where nobody looks at the code, the whole is small as it is. And a part of the pipeline does not
// tell what parameters decide at its ends.
std::optional<KnownKernels::Unknown> Acceptance::unknown_kernels(
    const CompleteState &candidate) const {
    const bool parts_tell = !AllowedSizes(*candidate.dag, candidate.state.nest).has_bounded();
    return spill_check_.code_check().on && parts_tell ? known_.unknown(candidate) : std::nullopt;
}

size_t Acceptance::prepare(std::span<const CompleteState *const> candidates, Attempt attempt) {
    struct Wanted {
        uint64_t id;
        Schedule schedule;
        KnownKernels::Unknown unknown;  // no roots: the whole
    };
    if (!spill_check_.code_check().on) return 0;
    std::vector<Wanted> wanted;
    for (const CompleteState *candidate : candidates) {
        if (illegal(*candidate, attempt)) continue;
        const auto unknown = unknown_kernels(*candidate);
        const bool nothing_new = unknown && unknown->roots.empty();
        if (nothing_new || (unknown && unknown->whole == Whole::sketched)) continue;
        wanted.push_back({candidate->state.id, schedule_of(*candidate),
                          unknown.value_or(KnownKernels::Unknown())});
    }
    if (wanted.size() < 2) return 0;
    std::vector<TrialRequest> trials;
    for (const Wanted &one : wanted) {
        trials.push_back({&one.schedule, one.unknown.roots, one.unknown.whole});
    }
    const double time_s = trial_seconds();
    auto outcomes =
        trials_.lower_together(trials, pipeline_, target_, time_s, spill_check_.code_check());
    for (size_t i = 0; i < wanted.size(); ++i) {
        prepared_.insert_or_assign(wanted[i].id, lowered(std::move(outcomes[i]), time_s));
    }
    return wanted.size();
}

}  // namespace autoschedule_gpu
