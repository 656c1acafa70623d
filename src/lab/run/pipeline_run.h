// What the program pipeline_runner does once its arguments are parsed: it runs one pipeline in this
// process. A crash or a hang of the pipeline is one of this process; runner.h is the calling side.
//
//     make_reference: library ─► sizes ─► inputs ─► run ─► folder of expected outputs
//     run_pipeline:   library + folder ─► run ─► compare ─► warm up, sample ─► compare again
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/run/run_report.h"
#include "lab/run/runner.h"

namespace autoschedule_gpu {

// Called with a few words about what is to be done next: the last words say where a run hung.
using Announce = std::function<void(const std::string &)>;

// Errors concern the files, the arguments and the machine. What the pipeline does wrong is a
// failure in the report. The jobs' `timeout` is up to the caller.
Result<RunReport> make_reference(const ReferenceJob &job, const Announce &announce);
Result<RunReport> run_pipeline(const RunJob &job, const Announce &announce);

// Returns the kind of failure of a pipeline that returned Halide's `code` and reported `text`.
FailureKind classify_run_error(int code, const std::string &text);

}  // namespace autoschedule_gpu
