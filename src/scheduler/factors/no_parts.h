// Reductions that a schedule takes apart into as many parts as a loop says that may run no time.
// Then the parts are a buffer without an element, which Halide's runtimes take for no device.
#pragma once

#include <vector>

#include "core/dag/dag.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// Returns these updates, each once. `dag`: the pipeline as it was read, of which the schedule is.
std::vector<StageId> may_have_no_parts(const Dag &dag, const Schedule &schedule);

}  // namespace autoschedule_gpu
