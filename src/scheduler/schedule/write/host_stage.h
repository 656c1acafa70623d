// A stage that runs on the host, whose outer loops are dealt to its cores.
#pragma once

#include "core/dag/dag.h"
#include "scheduler/schedule/write/directive_list.h"

namespace autoschedule_gpu::writing {

// Writes nothing where the order of the stage's points matters, or where there are too few.
void write_host_stage(DirectiveList &out, StageId stage);

}  // namespace autoschedule_gpu::writing
