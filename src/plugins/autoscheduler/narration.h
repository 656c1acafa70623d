// What a run tells people on standard error (autoscheduler.verbose): how it went, and what is odd
// about the sizes that it was for.
#pragma once

#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "plugins/autoscheduler/find_schedule.h"

namespace autoschedule_gpu {

// Lines that begin with kNarration and have an end each. 0: none. 1: one with the device and where
// it comes from (origin_text in core/gpu/resolve.h), kernels, predicted time, seconds, why the
// search ended, which Funcs are kept as their user has scheduled them, and whether spills are
// guessed. 2: before that, the parts of the search.
std::string narrate(const ScheduleTask &task, const std::string &gpu_origin,
                    const ChosenSchedule &chosen, double seconds);

// Estimates that can't be meant: nothing along a dimension, or more elements than a buffer of
// Halide's may have (2^31 - 1). A sentence for each buffer.
std::vector<std::string> absurd_estimates(const Dag &dag);

// A sentence for each reduction of which there may be no parts (scheduler/factors/no_parts.h).
std::vector<std::string> missing_parts(const Dag &dag, const Schedule &schedule);

}  // namespace autoschedule_gpu
