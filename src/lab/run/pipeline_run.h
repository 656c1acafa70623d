// What the program pipeline_runner does once it knows what is wanted: one pipeline, in this
// process. A crash or a hang of the pipeline is one of this process; runner.h is the other side.
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

// Called with what is about to be done, in a few words: the last of them says where a run hung.
using Announce = std::function<void(const std::string &)>;

// Errors are of the files, the arguments and the machine. What the pipeline does wrong is a failure
// in the report. `timeout` of the jobs is their caller's concern.
Result<RunReport> make_reference(const ReferenceJob &job, const Announce &announce);
Result<RunReport> run_pipeline(const RunJob &job, const Announce &announce);

// What kind of failure it is when a pipeline returns `code`, Halide's, and has said `text`.
FailureKind classify_run_error(int code, const std::string &text);

}  // namespace autoschedule_gpu
