// Which accesses of shared memory a compiler joins into one instruction.
#pragma once

#include <array>

#include "core/gpu/memory_access.h"
#include "scheduler/features/kernel_facts.h"

namespace autoschedule_gpu {

// The shares of an access's elements that instructions move 1, 2, 4, 8 and 16 at once.
using ElementsByWidth = std::array<double, 5>;

// Requires an access of shared memory at known places, by no atomic operation; `warp` says how far
// apart threads make it.
//
// Compilers join what the unrolled points of a thread load or store beside each other, up to 16
// bytes, where all threads begin at a multiple of the joint size: an array in shared memory is
// aligned, which one in global memory is not known to be. So five neighbours are a vector of four
// and one alone if the first is at a multiple of four, and otherwise more.
//
// A store to shared memory parts the points before it from those behind: what a stage in shared
// memory loads for one point, several neighbours, is joined by itself, and so are its stores.
// Points that load one element each are not parted: compilers see that the others are elsewhere,
// as threads begin at multiples of their points. (All read off the PTX of stencils.)
ElementsByWidth joined_elements(const KernelFacts &facts, const StageFacts &stage,
                                const AccessFacts &access, const WarpAccess &warp);

}  // namespace autoschedule_gpu
