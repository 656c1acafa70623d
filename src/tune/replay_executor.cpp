#include "tune/replay_executor.h"

#include <utility>

#include "schedule/trace.h"
#include "support/stopwatch.h"
#include "tune/batch.h"
#include "tune/spill_filter.h"

namespace autoschedule_gpu {
namespace {

Failure not_recorded() {
    return setup_failure("the records have no measurement of this schedule");
}

// Whose records those of the pipeline are.
Result<TunedPipeline> only_environment(RecordStore &store, uint64_t pipeline_hash) {
    std::optional<TunedPipeline> tuned;
    std::string another;
    const Status visited =
        store.visit({.pipeline_hash = pipeline_hash}, [&](const TuningRecord &r) {
            if (!tuned) {
                tuned = TunedPipeline{.pipeline = r.pipeline, .environment = r.environment};
            } else if (tuned->environment.device != r.environment.device ||
                       tuned->environment.driver != r.environment.driver ||
                       tuned->environment.gpu != r.environment.gpu) {
                another = r.environment.device;
            }
            return Status(Ok{});
        });
    if (!visited) return visited.error();
    if (!tuned) return Error{store.path() + ": there is no record of this pipeline at this size"};
    if (!another.empty()) {
        return Error{store.path() + ": expected records of one device, found those of " +
                     tuned->environment.device + " and " + another};
    }
    return *std::move(tuned);
}

}  // namespace

Result<std::unique_ptr<ReplayExecutor>> ReplayExecutor::open(const std::string &session,
                                                             TrialBench &bench, RecordStore &store,
                                                             ThreadPool &pool) {
    const Outcome<BuiltDraw> built = bench.build(0, default_draw(), 0);
    if (!built) return Error{"the default schedule can't be compiled: " + built.error().reason};
    const Result<Trace> trace = parse_trace(built->trace);
    if (!trace) return trace.error();
    Result<TunedPipeline> tuned = only_environment(store, trace->pipeline_hash);
    if (!tuned) return tuned.error();
    return std::unique_ptr<ReplayExecutor>(
        new ReplayExecutor(session, bench, store, pool, std::move(tuned).value()));
}

Result<std::vector<Trial>> ReplayExecutor::build(std::span<const Draw> draws) {
    const PhaseTimer timer(times_.build);
    maker_.drop_unlinked();
    return maker_.make(draws);
}

Status ReplayExecutor::measure(std::span<Trial *const> trials, std::optional<double>) {
    for (Trial *trial : trials) {
        if (!trial->failure && !trial->is_measured()) trial->failure = not_recorded();
    }
    return Ok{};
}

Result<std::vector<Trial>> ReplayExecutor::attempt(std::span<const Draw> draws,
                                                   std::optional<double> best_ms) {
    Result<std::vector<Trial>> built = build(draws);
    if (!built) return built;
    std::vector<Trial> trials = std::move(built).value();
    const Status measured = measure(worth_running(trials), best_ms);
    if (!measured) return measured.error();
    return trials;
}

// Where nobody compared these trials, the times of their first measurement are all there is.
Result<std::vector<ComparedTimes>> ReplayExecutor::again(std::span<Trial *const> trials,
                                                         const Comparison &comparison) {
    auto known = maker_.compared(trials, label_of(comparison, trials));
    if (!known) return known.error();
    if (*known) return **known;
    return first_measurements(trials, comparison);
}

}  // namespace autoschedule_gpu
