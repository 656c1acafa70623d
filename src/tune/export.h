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

#include "measure/failure.h"
#include "support/error.h"
#include "trial/trial_bench.h"
#include "tune/trial.h"

namespace autoschedule_gpu {

struct ExportedSchedule {
    std::string header_path = {}, trace_path = {};
    std::string command = {};  // for a shell
};

// A schedule that is given as a trace.
Draw draw_of_trace(const std::string &schedule, const std::string &trace);

// "harris" for the subject "app:harris": letters, digits and '_'.
std::string export_name(const Subject &subject);

// Of subject 0 of the bench. `compile` is for where there is no device. Errors say
// which step failed; the code that is made from the trace must be that of the trial.
enum class ExportCheck : uint8_t { compile, compile_and_run };
Result<ExportedSchedule> export_schedule(TrialBench &bench, const TrialBenchSettings &settings,
                                         const Subject &subject, const Trial &winner,
                                         const std::string &folder, ExportCheck check);

}  // namespace autoschedule_gpu
