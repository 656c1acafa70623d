#include "plugin/replay_trace.h"

#include <string>
#include <utility>

#include "schedule/trace.h"
#include "support/file.h"
#include "support/hex.h"

namespace autoschedule_gpu {
namespace {

Status check_fits(const Trace &trace, const Dag &dag) {
    if (trace.pipeline_hash != dag.hash()) {
        return Error{"the trace is of another pipeline: expected the hash " + to_hex(dag.hash()) +
                     ", found " + to_hex(trace.pipeline_hash) +
                     ". A pipeline of other sizes is another one."};
    }
    return check_against(trace.schedule, dag);
}

Result<Accepted> accept(const ScheduleTask &task) {
    const Result<std::string> json = read_file(task.parameters.trace);
    if (!json) return json.error();
    Result<Trace> trace = parse_trace(*json);
    if (!trace) return trace.error();
    if (Status fits = check_fits(*trace, task.dag); !fits) return fits.error();
    const Trials trials(task.pipeline, task.target, task.gpu, task.spill_check);
    return trials.accept(std::move(trace).value().schedule);
}

}  // namespace

Result<FoundSchedule> replay_trace(const ScheduleTask &task) {
    Result<Accepted> accepted = accept(task);
    if (!accepted) {
        return Error{"autoscheduler.trace=" + task.parameters.trace + ": " +
                     accepted.error().message};
    }
    return FoundSchedule{std::move(accepted).value(), std::nullopt, {}, std::nullopt, nullptr};
}

}  // namespace autoschedule_gpu
