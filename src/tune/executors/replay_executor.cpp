#include "tune/executors/replay_executor.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "scheduler/schedule/trace.h"

namespace autoschedule_gpu {
namespace {

Failure not_recorded() {
    return setup_failure("the records have no measurement of this schedule");
}

// What the records hold of a pipeline by one version of Halide.
struct Recorded {
    TunedPipeline tuned = {};
    std::set<uint64_t> of_session = {};  // codes
};

// An error unless they are of one environment.
Result<Recorded> read_recorded(RecordStore &store, uint64_t pipeline_hash,
                               const std::string &halide, const std::string &session) {
    std::optional<Recorded> found;
    std::string another;
    const Status visited =
        store.visit({.pipeline_hash = pipeline_hash, .halide = halide}, [&](const TuningRecord &r) {
            if (!found) found = {.tuned = {.pipeline = r.pipeline, .environment = r.environment}};
            Environment &tuned = found->tuned.environment;
            if (tuned.device != r.environment.device || tuned.driver != r.environment.driver ||
                tuned.gpu != r.environment.gpu) {
                another = r.environment.device;
            } else if (r.session == session) {
                tuned = r.environment;  // draws are noted by the plugin's version
                found->of_session.insert(r.code_hash);
            }
            return Status(Ok{});
        });
    if (!visited) return visited.error();
    if (!found) {
        return Error{store.path() +
                     ": there is no record of this pipeline at this size by Halide " + halide};
    }
    if (!another.empty()) {
        return Error{store.path() + ": expected records of one device, found those of " +
                     found->tuned.environment.device + " and " + another};
    }
    return *std::move(found);
}

}  // namespace

ReplayExecutor::ReplayExecutor(const std::string &session, TunedPipeline tuned,
                               std::set<uint64_t> to_come, const TuneContext &context)
    : RecordedExecutor(session, std::move(tuned), context),
      to_come_(std::move(to_come)),
      recording_(to_come_.empty() ? Recording::none : Recording::goes_on) {}

Result<std::unique_ptr<ReplayExecutor>> ReplayExecutor::open(const std::string &session,
                                                             const std::string &halide,
                                                             const TuneContext &context) {
    const Outcome<BuiltSchedule> built =
        context.bench.build(context.workload, default_request(), 0);
    if (!built) return Error{"the default schedule can't be compiled: " + built.error().reason};
    const Result<Trace> trace = parse_trace(built->trace);
    if (!trace) return trace.error();
    Result<Recorded> found = read_recorded(context.store, trace->pipeline_hash, halide, session);
    if (!found) return found.error();
    Recorded recorded = std::move(found).value();
    return std::unique_ptr<ReplayExecutor>(new ReplayExecutor(
        session, std::move(recorded.tuned), std::move(recorded.of_session), context));
}

// All that a run has compiled is noted, whatever came of it. What is not noted, though there is
// more to come, may have been removed from the records; but not all that is tried together. (More
// is to come in vain where the run did otherwise when it was gone on with.)
Result<size_t> ReplayExecutor::tries_of(std::span<const ScheduleRequest> requests) {
    if (recording_ == Recording::none || requests.empty()) return requests.size();
    bool is_any_noted = false;
    for (size_t i = 0; i < requests.size(); ++i) {
        const auto noted = maker_.noted(requests[i]);
        if (!noted) return noted.error();
        if (*noted && **noted) has_begun_ |= to_come_.erase(***noted) > 0;
        is_any_noted |= noted->has_value();
        if (!*noted && to_come_.empty()) return end_at(i);
    }
    return is_any_noted || !has_begun_ ? requests.size() : end_at(0);
}

size_t ReplayExecutor::end_at(size_t request) {
    recording_ = Recording::has_ended;
    return request;
}

Status ReplayExecutor::measure(std::span<Trial *const> trials, std::optional<double>) {
    const Result<std::vector<Trial *>> open = compiled(trials);
    if (!open) return open.error();
    // What had been compiled when the run's time was over was not run.
    for (Trial *trial : *open) {
        if (!is_at_its_end()) trial->failure = not_recorded();
    }
    return Ok{};
}

bool ReplayExecutor::is_at_its_end() const {
    return recording_ != Recording::none && to_come_.empty();
}

// Of rounds, those that there are: a budget of time may have made them fewer. Where nobody compared
// these trials, the run was cut off before it did, or the times of their first measurement are all
// there is.
Result<std::vector<ComparedTimes>> ReplayExecutor::compare_anew(std::span<Trial *const> trials,
                                                                const Comparison &comparison) {
    Result<std::vector<ComparedTimes>> known =
        maker_.compared(trials, label_of(comparison, trials));
    if (!known) return known;
    const auto has_times = [](const ComparedTimes &times) { return times && !times->empty(); };
    if (std::ranges::any_of(*known, has_times)) return known;
    if (is_at_its_end()) {
        recording_ = Recording::has_ended;
        return known;
    }
    return first_measurements(trials, comparison);
}

}  // namespace autoschedule_gpu
