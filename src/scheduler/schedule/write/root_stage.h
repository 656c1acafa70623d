// A kernel's own stage, computed by blocks of threads on the device.
#pragma once

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/directive_list.h"

namespace autoschedule_gpu::writing {

// In all its branches.
void write_root_stage(DirectiveList &out, const Nest &nest, StageId stage);

}  // namespace autoschedule_gpu::writing
