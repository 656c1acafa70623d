// Tiles of what is computed in the blocks of kernels, by themselves and together with the kernels'
// own tiles. Another tiling of a kernel may be better only if other points are each thread's of
// what its block computes for it: no descent over tilings alone comes to it.
#pragma once

#include "scheduler/search/search_parts.h"

namespace autoschedule_gpu {

// Of each kernel that takes a share of the whole. Never costs more than `state`. Stops early when
// the time is up.
State improve_members(SearchParts &parts, State state);

}  // namespace autoschedule_gpu
