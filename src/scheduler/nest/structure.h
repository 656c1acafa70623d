// The structural hash of Anderson 2021 (§3.1, figure 3): schedules that agree on everything down to
// a depth of the loop nest have the same hash at that depth, whatever they do below it.
//
//     0  which stages have kernels of their own
//     1  and what is computed in each kernel's block, or inlined into it
//     2  and what is computed in which threads
//     3  and how many threads a block has, to a power of two
//
// Telling tilings apart any further makes buckets of one or two, which is no sampling: on the
// applications it doubled the search time for costs that are a few per cent lower or none.
#pragma once

#include <cstdint>

#include "core/support/hash.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

inline constexpr int kDeepestStructure = 3;

// `depth` from 0 to kDeepestStructure.
uint64_t structural_hash(const Kernel &kernel, int depth);

// The same in two steps, the first of which is the same from depth 2 on.
Hasher structure_without_tiling(const Kernel &kernel, int depth);
uint64_t structural_hash(Hasher without_tiling, const Tiling &tiling, int depth);

// The sum over the kernels, whatever their order: that of a changed nest is found from the changed
// kernels alone.
uint64_t structural_hash(const Nest &nest, int depth);

// What a tiling adds to the hash at that depth.
uint64_t structural_hash(const Tiling &tiling, int depth);

}  // namespace autoschedule_gpu
