// Which iterations of a stage's innermost loops are written out one after the other.
#pragma once

#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/branches.h"
#include "scheduler/schedule/write/directive_list.h"
#include "scheduler/schedule/write/stage_loops.h"

namespace autoschedule_gpu::writing {

// Splits the loop of which some iterations are written out into passes and these. Before the loops
// are put in order.
void split_steps(DirectiveList &out, const Band &inner, StageLoops &loops, Tiles tiles);

// After that.
void unroll(DirectiveList &out, const Band &inner, const StageLoops &loops, Tiles tiles);

}  // namespace autoschedule_gpu::writing
