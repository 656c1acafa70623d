#include "plugin/autoschedule.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "bridge/apply.h"
#include "bridge/read.h"
#include "bridge/target_api.h"
#include "bridge/trial_process.h"
#include "gpu/resolve.h"
#include "model/make_cost_model.h"
#include "model/model_choice.h"
#include "model/shipped_weights.h"
#include "nest/check.h"
#include "nest/regions.h"
#include "plugin/chosen_kernels.h"
#include "plugin/parameters.h"
#include "plugin/report.h"
#include "plugin/spill_check.h"
#include "samples/featurization.h"
#include "schedule/cpp_source.h"
#include "schedule/directives_of_nest.h"
#include "schedule/trace.h"
#include "search/greedy_grouping.h"
#include "search/kernel_costs.h"
#include "search/pass.h"
#include "search/search.h"
#include "search/stage_reads.h"
#include "space/wrappers.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/stopwatch.h"

namespace autoschedule_gpu {

namespace {

Result<TargetHints> target_hints(const Halide::Target &target) {
    if (const std::optional<GpuApi> api = gpu_api(target)) {
        const int capability = api == GpuApi::cuda ? target.get_cuda_capability_lower_bound() : 0;
        return TargetHints{*api, capability > 30 ? capability : 0};
    }
    return Error{"the target " + target.to_string() +
                 " has no GPU API, so there is nothing to schedule for. Add one to it, for example "
                 "target=host-cuda or target=host-opencl."};
}

Result<GpuModel> resolve_gpu(const Parameters &parameters, const Halide::Target &target) {
    const Result<TargetHints> hints = target_hints(target);
    if (!hints) return hints.error();
    Result<GpuModel> resolved = resolve_gpu_model(parameters.gpu, *hints);
    if (!resolved) return Error{"autoscheduler.gpu: " + resolved.error().message};
    GpuModel gpu = std::move(resolved).value();
    if (!has(target, capabilities(gpu.api).runtime_threads)) gpu.runtime_threads = 0;
    if (parameters.parallelism > 0) gpu.sm_count = parameters.parallelism;
    struct Limit {
        std::string_view name;
        int64_t wanted;
        int64_t unit;
        int64_t &field;
    };
    const Limit limits[] = {
        {"shared_memory_limit_kb", parameters.shared_memory_limit_kb, 1024,
         gpu.shared_bytes_per_block},
        {"shared_memory_sm_limit_kb", parameters.shared_memory_sm_limit_kb, 1024,
         gpu.shared_bytes_per_sm},
        {"active_block_limit", parameters.active_block_limit, 1, gpu.max_blocks_per_sm},
        {"active_warp_limit", parameters.active_warp_limit, 1, gpu.max_warps_per_sm}};
    for (const Limit &limit : limits) {
        if (limit.wanted == 0) continue;
        if (limit.wanted * limit.unit > limit.field) {
            return Error{"autoscheduler." + std::string(limit.name) + " is " +
                         std::to_string(limit.wanted) + ", but the device (" + gpu.name +
                         ") allows " + std::to_string(limit.field / limit.unit) + " at most."};
        }
        limit.field = limit.wanted * limit.unit;
    }
    if (Status sound = check(gpu); !sound) return sound.error();
    return gpu;
}

// A line on stderr for searches longer than two seconds, if somebody is watching.
class Progress {
public:
    Progress() : on_(isatty(STDERR_FILENO)) {}
    ~Progress() {
        if (shown_) std::fprintf(stderr, "\r\033[K");
    }
    void operator()(double share) {
        const double elapsed = watch_.seconds();
        if (!on_ || elapsed < 2 || elapsed < last_ + 0.2) return;
        last_ = elapsed;
        shown_ = true;
        std::fprintf(stderr, "\r\033[KGPU autoscheduler: %3.0f %%, %.0f s, about %.0f s left",
                     100 * share, elapsed, elapsed * (1 - share) / share);
    }

private:
    bool on_, shown_ = false;
    double last_ = 0;
    Stopwatch watch_;
};

// Halide takes a minute for pipelines of hundreds of stages.
constexpr double kTrialTimeLimitS = 600;

Use use_of(const std::string &value) {
    if (value == "on") return Use::on;
    return value == "off" ? Use::off : Use::automatic;
}

Fusion fusion_of(const std::string &value) {
    if (value == "none") return Fusion::none;
    return value == "overlap" ? Fusion::overlap : Fusion::nested;
}

// In less time a beam search of a pipeline of some size is not half done.
constexpr double kLeastBeamSearchS = 1;

bool is_grouping(const Parameters &parameters) {
    if (parameters.strategy == "auto") return parameters.time_limit_s < kLeastBeamSearchS;
    return parameters.strategy == "greedy_grouping";
}

// Greedy grouping is for a schedule in a second, which is no time to compile code for a look at it.
std::string ptxas_of(const Parameters &parameters) {
    return parameters.ptxas == "auto" && is_grouping(parameters) ? "off" : parameters.ptxas;
}

// Grouping goes by the model of its paper, unless the user wants another.
Result<ModelChoice> model_of(const Parameters &parameters, const GpuModel &gpu) {
    if (parameters.model == "auto" && parameters.weights_path.empty() && is_grouping(parameters)) {
        return ModelChoice{ModelKind::analytical, nullptr};
    }
    return choose_model(parameters.model, parameters.weights_path, gpu, shipped_weights());
}

// A schedule that Halide has accepted on a copy of the pipeline.
struct Accepted {
    std::shared_ptr<const Dag> dag;  // that the state belongs to
    State state;
    std::string kind;
    Schedule schedule;
    TrialLowering lowered;
};

// What Halide made of the schedule must still fit the device. Sizes that it finds only at run time
// are fine where the nest knows how large they get.
std::optional<std::string> exceeds(const TrialLowering &lowered, const GpuModel &gpu,
                                   bool runtime_sizes) {
    for (const KernelLaunch &kernel : lowered.kernels) {
        int64_t threads = 1;
        bool unknown = kernel.shared_bytes < 0;
        for (int64_t t : kernel.threads) {
            unknown = unknown || t < 0;
            threads *= std::max<int64_t>(1, t);
        }
        const int64_t most[] = {gpu.max_threads_x, gpu.max_threads_y, gpu.max_threads_z};
        for (size_t i = 0; i < std::size(most); ++i) {
            if (kernel.threads[i] <= most[i]) continue;
            return "kernel " + kernel.name + " has " + std::to_string(kernel.threads[i]) +
                   " threads in dimension " + "xyz"[i];
        }
        if (unknown && !runtime_sizes) {
            return "kernel " + kernel.name + " has sizes known only at run time";
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

// A device and the models that rank schedules for it.
struct Device {
    Device(const GpuModel &device, const ModelChoice &choice)
        : gpu(device),
          model(make_cost_model(choice, gpu)),
          merging_model(make_merging_model(choice, gpu)),
          draft_model(make_cost_model({ModelKind::analytical, nullptr}, gpu)),
          draft_merging_model(make_merging_model({ModelKind::analytical, nullptr}, gpu)) {}

    GpuModel gpu;
    std::unique_ptr<const CostModel> model, merging_model, draft_model, draft_merging_model;
};

// A state and what it belongs to.
struct Found {
    std::shared_ptr<const Dag> dag;
    State state;
};

class Run {
public:
    Run(const Halide::Pipeline &pipeline, const Halide::Target &target,
        const Parameters &parameters, const ModelChoice &model, Dag dag, const GpuModel &gpu,
        const RuleSet &rules, const SpillCheck &spill_check)
        : pipeline_(pipeline),
          target_(target),
          parameters_(parameters),
          model_choice_(model),
          dag_(std::make_shared<const Dag>(std::move(dag))),
          device_(gpu, model),
          rules_(rules),
          spill_check_(spill_check) {}

    // The best state that Halide accepts. Should the search's own be refused (all such cases are in
    // the report), the next ones are tried; then a search in a smaller space; then, with everything
    // at root, the plain schedule; at last one that stays on the host. The strategy "plain"
    // searches nothing.
    Result<Accepted> schedule() {
        if (parameters_.strategy != "plain") {
            if (std::optional<Accepted> done = search()) return without_spills(*std::move(done));
        }
        const SearchSpace space(*dag_, device_.gpu, rules_, Freedom::root_only);
        if (auto done = try_state({dag_, plain_state(space, *device_.model)}, "plain")) {
            return *done;
        }
        if (auto done = try_state({dag_, host_state(space)}, "host")) return *done;
        return Error{"Halide refuses even a plain schedule of this pipeline: " +
                     refused_.back().error};
    }

    const SearchReport &report() const { return report_; }
    const CostModel &model() const { return *device_.model; }
    std::vector<RefusedTrial> refused() const { return refused_; }

private:
    std::optional<Accepted> search() {
        for (const auto &[freedom, kind] :
             {std::pair{Freedom::full, "search"}, std::pair{Freedom::no_fusion, "no_fusion"}}) {
            const SearchSpace space(*dag_, device_.gpu, rules_, freedom);
            if (std::optional<Accepted> done = search_and_try(space, kind)) return done;
        }
        return std::nullopt;
    }

    SearchOptions search_options(Progress &progress) const {
        SearchOptions options;
        options.limits.beam_size = static_cast<int>(parameters_.beam_size);
        options.limits.num_passes = static_cast<int>(parameters_.num_passes);
        options.limits.threads = static_cast<int>(parameters_.threads);
        options.limits.time_limit_s = std::max(0.0, parameters_.time_limit_s - watch_.seconds());
        options.seed = Hasher(parameters_.seed).add(parameters_.random_dropout_seed).value();
        options.sampling = use_of(parameters_.sampling);
        options.freeze = use_of(parameters_.freeze);
        options.memo = use_of(parameters_.memo);
        options.random_dropout = static_cast<int>(parameters_.random_dropout);
        options.progress = [&](double share) { progress(share); };
        return options;
    }

    SearchResult search_on(const Device &device, const SearchSpace &space,
                           const SearchOptions &options) const {
        if (is_grouping(parameters_)) {
            return greedy_grouping(space, {*device.merging_model, *device.model}, options,
                                   fusion_of(parameters_.fusion));
        }
        const Fusion fusion = space.freedom() == Freedom::full ? Fusion::nested : Fusion::none;
        const SearchResult draft = greedy_grouping(
            space, {*device.draft_merging_model, *device.draft_model}, options, fusion);
        SearchOptions rest = options;
        rest.limits.time_limit_s =
            std::max(0.0, options.limits.time_limit_s - draft.report.times.total);
        SearchResult result = beam_search(space, *device.model, rest, &draft.best.front().nest);
        result.report.times.draft = draft.report.times.total;
        return result;
    }

    // With staged reads, where that pays.
    std::optional<Found> staged_on(const Device &device, const SearchSpace &space,
                                   const SearchOptions &options, const State &state,
                                   SearchReport &report) const {
        if (is_grouping(parameters_)) return std::nullopt;
        auto staged = stage_reads(space, *device.model, options, state, report);
        if (!staged) return std::nullopt;
        return Found{std::make_shared<const Dag>(std::move(staged->dag)), std::move(staged->state)};
    }

    std::optional<Accepted> search_and_try(const SearchSpace &space, const std::string &kind) {
        Progress progress;
        const SearchOptions options = search_options(progress);
        SearchResult result = search_on(device_, space, options);
        report_ = result.report;
        constexpr size_t kMostTrials = 4;
        for (size_t i = 0; i < std::min(kMostTrials, result.best.size()); ++i) {
            const State &state = result.best[i];
            if (kind == "search") {
                const auto staged = staged_on(device_, space, options, state, report_);
                if (staged) {
                    if (auto done = try_state(*staged, kind)) return done;
                }
            }
            if (auto done = try_state({dag_, state}, kind)) return done;
        }
        return std::nullopt;
    }

    // A schedule that spills is given up for what a search for a device of fewer registers finds,
    // if that spills less and is not predicted to be much slower: what a compiler needs of
    // registers is but an estimate in the search.
    Accepted without_spills(Accepted accepted) {
        constexpr int64_t kFewSpilledBytes = 64;
        constexpr double kMostRise = 1.1;
        const double most_cost = kMostRise * accepted.state.cost;
        int64_t spilled = spill_check_.spill_bytes(accepted.lowered);
        int eighths = spilled > kFewSpilledBytes ? 6 : 7;
        for (; spilled > 0 && eighths >= 5; --eighths) {
            const Found other =
                find_with_registers(device_.gpu.max_registers_per_thread * eighths / 8);
            if (other.state.cost > most_cost) continue;
            std::optional<Accepted> done = try_state(other, accepted.kind);
            if (!done) continue;
            const int64_t still = spill_check_.spill_bytes(done->lowered);
            if (still >= spilled) continue;
            spilled = still;
            accepted = *std::move(done);
        }
        return accepted;
    }

    // What a search finds for a device with so many registers per thread, at what it costs on the
    // device that there is.
    Found find_with_registers(int64_t registers) {
        const PhaseTimer timer(report_.times.fewer_registers);
        GpuModel gpu = device_.gpu;
        gpu.max_registers_per_thread = registers;
        const Device poorer(gpu, model_choice_);
        const SearchSpace space(*dag_, poorer.gpu, rules_, Freedom::full);
        Progress progress;
        const SearchOptions options = search_options(progress);
        SearchResult result = search_on(poorer, space, options);
        const State &best = result.best.front();
        Found found =
            staged_on(poorer, space, options, best, result.report).value_or(Found{dag_, best});
        const SearchSpace true_space(*found.dag, device_.gpu, rules_, Freedom::full);
        ThreadPool pool(options.limits.threads);
        ModelCosts costs(*found.dag, device_.gpu, *device_.model, pool);
        found.state = with_costs(costs, true_space.adopt(found.state.nest));
        return found;
    }

    std::optional<Accepted> try_state(const Found &found, const std::string &kind) {
        const auto &[dag, state] = found;
        // On the host everything is on the wrong side of the device, on purpose.
        const std::vector<std::string> problems =
            kind == "host" ? std::vector<std::string>()
                           : check(*dag, state.nest, Completeness::complete);
        if (!problems.empty()) {
            return refuse(found, kind, "nest check: " + problems[0]);
        }
        Schedule schedule = directives(*dag, state.nest);
        Result<TrialLowering> lowered = trial_lower_apart(
            schedule, pipeline_, target_, kTrialTimeLimitS, spill_check_.code_check());
        if (!lowered) return refuse(found, kind, lowered.error().message);
        const bool runtime_sizes =
            std::ranges::any_of(state.nest.kernels, [&](const KernelPtr &kernel) {
                return !kernel->on_host && has_runtime_extents(*dag, *kernel);
            });
        if (std::optional<std::string> problem = exceeds(*lowered, device_.gpu, runtime_sizes)) {
            refuse(found, kind, *problem);
            if (kind != "plain" && kind != "host") return std::nullopt;
        }
        return Accepted{dag, state, kind, std::move(schedule), std::move(lowered).value()};
    }

    std::nullopt_t refuse(const Found &found, const std::string &kind, const std::string &why) {
        refused_.push_back({kind, why, to_text(*found.dag, found.state.nest)});
        return std::nullopt;
    }

    const Halide::Pipeline &pipeline_;
    const Halide::Target &target_;
    const Parameters &parameters_;
    const ModelChoice &model_choice_;
    std::shared_ptr<const Dag> dag_;
    const Device device_;
    const RuleSet &rules_;
    const SpillCheck &spill_check_;
    const Stopwatch watch_;
    SearchReport report_;
    std::vector<RefusedTrial> refused_;
};

}  // namespace

Result<Autoscheduled> autoschedule(const Halide::Pipeline &pipeline, const Halide::Target &target,
                                   const std::map<std::string, std::string> &extra) {
    const Stopwatch watch;
    const Result<Parameters> parameters = parse_parameters(extra);
    if (!parameters) return parameters.error();
    const Result<GpuModel> gpu = resolve_gpu(*parameters, target);
    if (!gpu) return gpu.error();
    const Result<ModelChoice> model = model_of(*parameters, *gpu);
    if (!model) return model.error();
    const Result<RuleSet> rules = rule_set(*parameters);
    const Result<Dag> read = read_pipeline(pipeline, target);
    if (!read) return read.error();

    const Result<SpillCheck> spill_check = SpillCheck::create(ptxas_of(*parameters), *gpu);
    if (!spill_check) return spill_check.error();

    Run run(pipeline, target, *parameters, *model, with_wrapped_reductions(*read), *gpu, *rules,
            *spill_check);
    const Result<Accepted> accepted = run.schedule();
    if (!accepted) return accepted.error();

    if (!parameters->trace_out.empty()) {
        const std::string trace = to_json(accepted->schedule, read->hash());
        if (Status status = write_file(parameters->trace_out, trace); !status)
            return status.error();
    }
    const std::vector<FeatureTable> tables =
        features_of(*accepted->dag, *gpu, accepted->state.nest);
    if (!parameters->report.empty()) {
        const ReportInput input{
            .pipeline = *read,
            .dag = *accepted->dag,
            .gpu = *gpu,
            .model = run.model(),
            .weights = model->weights.get(),
            .target = target.to_string(),
            .parameters = extra,
            .search = run.report(),
            .chosen = accepted->state,
            .tables = tables,
            .chosen_kind = accepted->kind,
            .lowered = accepted->lowered,
            .spill_check = *spill_check,
            .refused = run.refused(),
            .total_s = watch.seconds(),
        };
        if (Status status = write_file(parameters->report, report_json(input)); !status) {
            return status.error();
        }
    }
    if (Status status = apply_schedule(accepted->schedule, pipeline); !status)
        return status.error();
    return Autoscheduled{cpp_source(accepted->schedule, *accepted->dag),
                         featurization_bytes(tables)};
}

}  // namespace autoschedule_gpu
