// How the loops of a kernel's own stage are split into blocks, the tiles of a block that walks,
// threads, and what a thread does one after the other.
#pragma once

#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/directive_list.h"
#include "scheduler/schedule/write/stage_loops.h"

namespace autoschedule_gpu::writing {

// `tail_of_others`: of loops whose tiles are not aligned.
void split_root_loops(DirectiveList &out, const Kernel &kernel, const Tiling &tiling,
                      const StageLoops &loops, TailStrategy tail_of_others);

// Of a kernel in a launch with others: all alike, for Halide knows the loops that are shared by how
// they were made.
void split_shared_loops(DirectiveList &out, const Kernel &kernel, const StageLoops &loops);

}  // namespace autoschedule_gpu::writing
