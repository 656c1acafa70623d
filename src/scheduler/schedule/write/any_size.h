// The loops of a kernel's own stage at all other sizes than those of full tiles.
#pragma once

#include <cstddef>
#include <vector>

#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/directive_list.h"
#include "scheduler/schedule/write/stage_loops.h"

namespace autoschedule_gpu::writing {

// Splits and fuses them. `loops` become those that are there then; returns those over blocks, which
// were `blocks`: none where all of these are loops inside a single one.
std::vector<LoopRef> split_for_any_size(DirectiveList &out, const Kernel &kernel, StageLoops &loops,
                                        std::vector<LoopRef> blocks);

// Halide guards the outermost loops of a specialization that has at least two loops more than the
// schedule beside it, and behind such a guard it no longer knows how far the parts of a fused loop
// run: it would ask for what no iteration reads (src/halide/README.md). Loops of one iteration make
// up for those that are missing. `full_loops`: how many there are with full tiles. `inside`: the
// loops inside the blocks.
void keep_unguarded(DirectiveList &out, const Kernel &kernel, size_t full_loops,
                    std::vector<LoopRef> &inside, std::vector<LoopRef> &blocks);

}  // namespace autoschedule_gpu::writing
