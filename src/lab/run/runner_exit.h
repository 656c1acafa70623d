// The exit statuses of the program pipeline_runner, unless a signal ends it.
#pragma once

namespace autoschedule_gpu {

enum class RunnerExit : int {
    measured = 0,      // the report is on the last line of standard output
    not_measured = 1,  // no report: a file or the device is missing or of another kind
    bad_usage = 2,
    failed = 3  // there is a report, whose "failure" says what the pipeline did wrong
};

}  // namespace autoschedule_gpu
