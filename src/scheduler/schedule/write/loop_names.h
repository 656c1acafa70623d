// How loops are called: those of a stage itself, and those that directives make.
#pragma once

#include <cstddef>
#include <string>

#include "core/dag/dag.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu::writing {

LoopRef original(const Dag &dag, StageId stage, size_t loop);

// The loop of a Func's pure definition along that dimension.
LoopRef dimension(const Dag &dag, FuncId func, int dim);

// A fresh name made of the loop's own, e.g. x_t; never one of the stage's loops.
LoopRef made(const Dag &dag, StageId stage, size_t loop, const std::string &level);

// The loop in which copies of what several steps read are computed.
LoopRef loop_over_copies(const Dag &dag, StageId stage, size_t loop);

// Loops that are made of none: of one block, and of one thread.
LoopRef single_block(const Dag &dag, StageId stage);
LoopRef single_thread(const Dag &dag, StageId stage);

// The loop that several over blocks are fused to in a launch with others: it has one name, whatever
// dimensions there are.
LoopRef shared_blocks(const Dag &dag, StageId stage);

// Of two loops of a stage, or made of such; never the name of one of the stage's loops.
LoopRef fused(const Dag &dag, StageId stage, const LoopRef &inner, const LoopRef &outer);

}  // namespace autoschedule_gpu::writing
