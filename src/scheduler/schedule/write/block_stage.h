// A stage that is computed in the blocks of a kernel, by threads of its own.
#pragma once

#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/branches.h"
#include "scheduler/schedule/write/directive_list.h"

namespace autoschedule_gpu::writing {

void write_block_stage(DirectiveList &out, const Kernel &kernel, const Band &threads, Tiles tiles);

}  // namespace autoschedule_gpu::writing
