// What a run leaves for its user, in a folder:
//
//     NAME.schedule.h   the winner as Halide's schedule header
//     NAME.trace.json   the same as a trace (autoscheduler.trace)
//     NAME.command.txt  the command that makes the header again from the trace
//     NAME.html         the run as a page (tune_page.h)
//     NAME.journal.jsonl
//     NAME.json         figures for other programs
//
// The trace is compiled once more in a folder of its own, and the output compared with the
// reference, before anything is written but the trace.
#pragma once

#include <string>

#include "core/support/error.h"
#include "lab/bench/trial_bench.h"
#include "lab/build/failure.h"
#include "tune/session/trial.h"

namespace autoschedule_gpu {

struct ExportedSchedule {
    std::string header_path = {}, trace_path = {};
    std::string command = {};  // for a shell
};

// What is said of a schedule that failed: how and why, unless its measuring was impossible.
Error failed_schedule(const Failure &failure);

// A schedule that is given as a trace.
ScheduleRequest request_of_trace(const std::string &schedule, const std::string &trace);

// "harris" for the workload "app:harris": letters, digits and '_'.
std::string export_name(const Workload &workload);

// What is checked of a winner; `compile` is for where there is no device.
enum class ExportCheck : uint8_t { compile, compile_and_run };

// Errors say how the schedule failed; the code that is made from the trace must be that of the
// trial.
Result<ExportedSchedule> export_schedule(TrialBench &bench, const Workload &workload,
                                         const Trial &winner, const std::string &folder,
                                         ExportCheck check);

}  // namespace autoschedule_gpu
