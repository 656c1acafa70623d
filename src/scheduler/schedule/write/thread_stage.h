// A stage that is computed in the threads of another, each for what that needs.
#pragma once

#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/branches.h"
#include "scheduler/schedule/write/directive_list.h"

namespace autoschedule_gpu::writing {

// `threads`: in whose subtree it is.
void write_thread_stage(DirectiveList &out, const Kernel &kernel, const Band &threads,
                        StageId stage, Tiles tiles);

}  // namespace autoschedule_gpu::writing
