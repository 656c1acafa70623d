// The schedule that the parameter `trace` names, instead of a search.
#pragma once

#include "plugin/find_schedule.h"
#include "support/error.h"

namespace autoschedule_gpu {

// The trace's own directives, in its own words, so that it is written back byte for byte. An error,
// and nothing is tried instead: a file that is no trace, a trace of another pipeline, one that does
// not fit this one (check_against), that Halide refuses, or whose kernels the device can't hold.
Result<FoundSchedule> replay_trace(const ScheduleTask &task);

}  // namespace autoschedule_gpu
