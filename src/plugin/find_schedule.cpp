#include "plugin/find_schedule.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/make_cost_model.h"
#include "plugin/search_progress.h"
#include "plugin/settle.h"
#include "search/greedy_grouping.h"
#include "search/kernel_costs.h"
#include "search/pass.h"
#include "search/stage_reads.h"
#include "space/wrappers.h"
#include "support/hash.h"
#include "support/parallel.h"
#include "support/stopwatch.h"

namespace autoschedule_gpu {
namespace {

Use use_of(const std::string &value) {
    if (value == "on") return Use::on;
    return value == "off" ? Use::off : Use::automatic;
}

Fusion fusion_of(const std::string &value) {
    if (value == "none") return Fusion::none;
    return value == "overlap" ? Fusion::overlap : Fusion::nested;
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

class ScheduleFinder {
public:
    explicit ScheduleFinder(const ScheduleTask &task)
        : task_(task),
          dag_(std::make_shared<const Dag>(with_wrapped_reductions(task.dag))),
          device_(task.gpu, task.model),
          trials_(task.pipeline, task.target, device_.gpu, task.spill_check) {}

    Result<FoundSchedule> find() {
        Result<AcceptedState> done = accept();
        if (!done) return done.error();
        auto [found, accepted] = std::move(done).value();
        return FoundSchedule{std::move(accepted), std::move(found), trials_.refused(), report_,
                             std::move(device_.model)};
    }

private:
    Result<AcceptedState> accept() {
        if (task_.parameters.strategy != "plain") {
            if (std::optional<AcceptedState> done = search())
                return without_spills(*std::move(done));
        }
        const SearchSpace space(*dag_, device_.gpu, task_.rules, Freedom::root_only);
        if (auto done = trials_.accept({dag_, plain_state(space, *device_.model), space.freedom()},
                                       Attempt::plain)) {
            return *done;
        }
        if (auto done = trials_.accept({dag_, host_state(space), space.freedom()}, Attempt::host))
            return *done;
        return Error{"Halide refuses even a plain schedule of this pipeline: " +
                     trials_.refused().back().error};
    }

    std::optional<AcceptedState> search() {
        for (const auto &[freedom, attempt] : {std::pair{Freedom::full, Attempt::search},
                                               std::pair{Freedom::no_fusion, Attempt::no_fusion}}) {
            const SearchSpace space(*dag_, device_.gpu, task_.rules, freedom);
            if (std::optional<AcceptedState> done = search_and_try(space, attempt)) return done;
        }
        return std::nullopt;
    }

    SearchOptions search_options(SearchProgress &progress) const {
        const Parameters &wanted = task_.parameters;
        SearchOptions options;
        options.limits.beam_size = static_cast<int>(wanted.beam_size);
        options.limits.num_passes = static_cast<int>(wanted.num_passes);
        options.limits.threads = static_cast<int>(wanted.threads);
        options.limits.time_limit_s = std::max(0.0, wanted.time_limit_s - watch_.seconds());
        options.seed = Hasher(wanted.seed).add(wanted.random_dropout_seed).value();
        options.sampling = use_of(wanted.sampling);
        options.freeze = use_of(wanted.freeze);
        options.memo = use_of(wanted.memo);
        options.random_dropout = static_cast<int>(wanted.random_dropout);
        options.progress = [&](double share) { progress(share); };
        return options;
    }

    SearchResult search_on(const Device &device, const SearchSpace &space,
                           const SearchOptions &options) const {
        if (is_grouping(task_.parameters)) {
            return greedy_grouping(space, {*device.merging_model, *device.model}, options,
                                   fusion_of(task_.parameters.fusion));
        }
        // Who wants decisions at random wants none of those that greedy grouping makes.
        if (options.random_dropout < 100) return beam_search(space, *device.model, options);
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
        if (is_grouping(task_.parameters)) return std::nullopt;
        auto staged = stage_reads(space, *device.model, options, state, report);
        if (!staged) return std::nullopt;
        return Found{std::make_shared<const Dag>(std::move(staged->dag)), std::move(staged->state),
                     space.freedom()};
    }

    std::optional<AcceptedState> search_and_try(const SearchSpace &space, Attempt attempt) {
        SearchProgress progress;
        const SearchOptions options = search_options(progress);
        SearchResult result = search_on(device_, space, options);
        report_ = result.report;
        constexpr size_t kMostTrials = 4;
        for (size_t i = 0; i < std::min(kMostTrials, result.best.size()); ++i) {
            const State &state = result.best[i];
            if (attempt == Attempt::search) {
                const auto staged = staged_on(device_, space, options, state, report_);
                if (staged) {
                    if (auto done = trials_.accept(*staged, attempt)) return done;
                }
            }
            if (auto done = trials_.accept({dag_, state, space.freedom()}, attempt)) return done;
        }
        return std::nullopt;
    }

    // A schedule that spills is given up for what a search for a device of fewer registers finds,
    // if that spills less and is not predicted to be much slower: what a compiler needs of
    // registers is but an estimate in the search.
    AcceptedState without_spills(AcceptedState best) {
        constexpr int64_t kFewSpilledBytes = 64;
        constexpr double kMostRise = 1.1;
        const double most_cost = kMostRise * best.found.state.cost;
        int64_t spilled = task_.spill_check.spill_bytes(best.accepted.lowered);
        int eighths = spilled > kFewSpilledBytes ? 6 : 7;
        for (; spilled > 0 && eighths >= 5; --eighths) {
            const Found other =
                find_with_registers(device_.gpu.max_registers_per_thread * eighths / 8);
            if (other.state.cost > most_cost) continue;
            std::optional<AcceptedState> done = trials_.accept(other, best.accepted.attempt);
            if (!done) continue;
            const int64_t still = task_.spill_check.spill_bytes(done->accepted.lowered);
            if (still >= spilled) continue;
            spilled = still;
            best = *std::move(done);
        }
        return best;
    }

    // What a search finds for a device with so many registers per thread, at what it costs on the
    // device that there is.
    Found find_with_registers(int64_t registers) {
        const PhaseTimer timer(report_.times.fewer_registers);
        GpuModel gpu = device_.gpu;
        gpu.max_registers_per_thread = registers;
        const Device poorer(gpu, task_.model);
        const SearchSpace space(*dag_, poorer.gpu, task_.rules, Freedom::full);
        SearchProgress progress;
        const SearchOptions options = search_options(progress);
        SearchResult result = search_on(poorer, space, options);
        const State &best = result.best.front();
        Found found = staged_on(poorer, space, options, best, result.report)
                          .value_or(Found{dag_, best, space.freedom()});
        const SearchSpace true_space(*found.dag, device_.gpu, task_.rules, Freedom::full);
        ThreadPool pool(options.limits.threads);
        ModelCosts costs(*found.dag, device_.gpu, *device_.model, pool);
        found.state = with_costs(costs, true_space.adopt(found.state.nest));
        return found;
    }

    const ScheduleTask &task_;
    const std::shared_ptr<const Dag> dag_;
    Device device_;
    Trials trials_;
    const Stopwatch watch_;
    SearchReport report_;
};

}  // namespace

Result<FoundSchedule> find_schedule(const ScheduleTask &task) {
    return ScheduleFinder(task).find();
}

}  // namespace autoschedule_gpu
