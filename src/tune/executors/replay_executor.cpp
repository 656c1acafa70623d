#include "tune/executors/replay_executor.h"

#include <algorithm>
#include <utility>

#include "scheduler/schedule/trace.h"

namespace autoschedule_gpu {
namespace {

Failure not_recorded() {
    return setup_failure("the records have no measurement of this schedule");
}

// Returns the one environment whose records of the pipeline there are, by that version of Halide.
Result<TunedPipeline> only_environment(RecordStore &store, uint64_t pipeline_hash,
                                       const std::string &halide) {
    std::optional<TunedPipeline> tuned;
    std::string another;
    const Status visited =
        store.visit({.pipeline_hash = pipeline_hash, .halide = halide}, [&](const TuningRecord &r) {
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
    if (!tuned) {
        return Error{store.path() +
                     ": there is no record of this pipeline at this size by Halide " + halide};
    }
    if (!another.empty()) {
        return Error{store.path() + ": expected records of one device, found those of " +
                     tuned->environment.device + " and " + another};
    }
    return *std::move(tuned);
}

}  // namespace

Result<std::unique_ptr<ReplayExecutor>> ReplayExecutor::open(const std::string &session,
                                                             const std::string &halide,
                                                             const TuneContext &context) {
    const Outcome<BuiltSchedule> built =
        context.bench.build(context.workload, default_request(), 0);
    if (!built) return Error{"the default schedule can't be compiled: " + built.error().reason};
    const Result<Trace> trace = parse_trace(built->trace);
    if (!trace) return trace.error();
    Result<TunedPipeline> tuned = only_environment(context.store, trace->pipeline_hash, halide);
    if (!tuned) return tuned.error();
    return std::unique_ptr<ReplayExecutor>(
        new ReplayExecutor(session, std::move(tuned).value(), context));
}

Status ReplayExecutor::measure(std::span<Trial *const> trials, std::optional<double>) {
    const Result<std::vector<Trial *>> open = compiled(trials);
    if (!open) return open.error();
    for (Trial *trial : *open) trial->failure = not_recorded();
    return Ok{};
}

// Of rounds, those that there are: a budget of time may have made them fewer. The times of their
// first measurement are all there is where nobody compared these trials.
Result<std::vector<ComparedTimes>> ReplayExecutor::compare_anew(std::span<Trial *const> trials,
                                                                const Comparison &comparison) {
    Result<std::vector<ComparedTimes>> known =
        maker_.compared(trials, label_of(comparison, trials));
    if (!known) return known;
    const auto has_times = [](const ComparedTimes &times) { return times && !times->empty(); };
    if (std::ranges::any_of(*known, has_times)) return known;
    return first_measurements(trials, comparison);
}

}  // namespace autoschedule_gpu
