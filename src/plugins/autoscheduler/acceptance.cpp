#include "plugins/autoscheduler/acceptance.h"

#include <algorithm>
#include <utility>

#include "scheduler/nest/check.h"
#include "scheduler/nest/regions.h"
#include "scheduler/nest/text.h"
#include "scheduler/schedule/directives_of_nest.h"

namespace autoschedule_gpu {
namespace {

// Of a trial. Nearly all are done in the least time. Halide takes a minute for pipelines of
// hundreds of stages; where it takes longer than the most, it hangs.
constexpr double kLeastTimeS = 10, kMostTimeS = 600;

// Of shared memory. A size that Halide finds only at run time is fine where the nest knows how
// large it gets, and where there is none to ask.
enum class RuntimeSizes : uint8_t { none, any };

RuntimeSizes runtime_sizes(const Dag &dag, const Nest &nest) {
    const bool any = std::ranges::any_of(nest.kernels, [&](const KernelPtr &kernel) {
        return !kernel->on_host && has_runtime_extents(dag, *kernel);
    });
    return any ? RuntimeSizes::any : RuntimeSizes::none;
}

// What Halide made of the schedule must still fit the device.
std::optional<std::string> exceeds(const std::optional<TrialLowering> &lowered,
                                   const GpuModel &gpu, RuntimeSizes allowed) {
    if (!lowered) return std::nullopt;
    for (const KernelLaunch &kernel : lowered->kernels) {
        int64_t threads = 1;
        for (int64_t t : kernel.threads) threads *= std::max<int64_t>(1, t);
        if (std::ranges::any_of(kernel.threads, [](int64_t t) { return t < 0; })) {
            return "kernel " + kernel.name + " has a number of threads known only at run time";
        }
        const int64_t most[] = {gpu.max_threads_x, gpu.max_threads_y, gpu.max_threads_z};
        for (size_t i = 0; i < std::size(most); ++i) {
            if (kernel.threads[i] <= most[i]) continue;
            return "kernel " + kernel.name + " has " + std::to_string(kernel.threads[i]) +
                   " threads in dimension " + "xyz"[i];
        }
        // A block that computes one point, for other sizes, needs no more than a full tile.
        const bool unknown = kernel.shared_bytes < 0 && kernel.at_estimates;
        if (unknown && allowed == RuntimeSizes::none) {
            return "kernel " + kernel.name + " has shared memory of a size known only at run time";
        }
        if (threads > gpu.max_threads_per_block) {
            return "kernel " + kernel.name + " has " + std::to_string(threads) +
                   " threads per block";
        }
        if (kernel.shared_bytes > gpu.shared_bytes_per_block) {
            return "kernel " + kernel.name + " uses " + std::to_string(kernel.shared_bytes) +
                   " bytes of shared memory";
        }
    }
    return std::nullopt;
}

// On the host everything is on the wrong side of the device, on purpose.
std::optional<std::string> illegal(const CompleteState &candidate, Attempt attempt) {
    if (attempt == Attempt::host) return std::nullopt;
    const std::vector<std::string> problems =
        check(*candidate.dag, candidate.state.nest, Completeness::complete);
    if (problems.empty()) return std::nullopt;
    return "nest check: " + problems[0];
}

// There is nothing else to try.
bool is_last_resort(Attempt attempt) {
    return attempt == Attempt::plain || attempt == Attempt::host;
}

}  // namespace

std::optional<Judgement> Acceptance::judge(const CompleteState &candidate, Attempt attempt) {
    const Nest &nest = candidate.state.nest;
    const auto refuse = [&](const std::string &why) {
        refused_.push_back({attempt, why, to_text(*candidate.dag, nest)});
        return std::nullopt;
    };
    if (const std::optional<std::string> problem = illegal(candidate, attempt)) {
        return refuse(*problem);
    }
    Schedule schedule = directives(*candidate.dag, nest);
    Result<std::optional<TrialLowering>> lowered = lower(schedule);
    if (!lowered) return refuse(lowered.error().message);
    const RuntimeSizes allowed = runtime_sizes(*candidate.dag, nest);
    if (const std::optional<std::string> problem = exceeds(*lowered, gpu_, allowed)) {
        refuse(*problem);
        if (!is_last_resort(attempt)) return std::nullopt;
    }
    Judgement judgement{std::nullopt, accepted_.size()};
    if (*lowered) judgement.spill_bytes = spill_check_.spill_bytes(**lowered);
    accepted_.push_back({std::move(schedule), std::move(lowered).value()});
    return judgement;
}

Result<AcceptedSchedule> Acceptance::accept(Schedule given) {
    Result<std::optional<TrialLowering>> lowered = lower(given);
    if (!lowered) return lowered.error();
    if (std::optional<std::string> problem = exceeds(*lowered, gpu_, RuntimeSizes::any)) {
        return Error{*problem + ", more than the device (" + gpu_.name + ") allows"};
    }
    return AcceptedSchedule{std::move(given), std::move(lowered).value()};
}

Result<std::optional<TrialLowering>> Acceptance::lower(const Schedule &schedule) {
    const double time_s = std::clamp(clock_.left_s(), kLeastTimeS, kMostTimeS);
    std::optional<Result<TrialLowering>> lowered =
        trials_.lower(schedule, pipeline_, target_, time_s, spill_check_.code_check());
    if (lowered) {
        if (!*lowered) return lowered->error();
        return std::optional(std::move(*lowered).value());
    }
    if (clock_.is_up()) return std::optional<TrialLowering>();
    return Error{"Halide took longer than " + std::to_string(static_cast<int>(time_s)) +
                 " s to lower the schedule"};
}

}  // namespace autoschedule_gpu
