// Epilogues: kernels that do little with what an expensive one before them has computed, point by
// point (the division after a sum, an activation after a matrix product). In the blocks of the
// expensive kernel they cost hardly anything, and its result never goes to memory. The passes of a
// search rarely come to that: it takes the reader's tiling, which suits the expensive kernel, the
// place of what it reads, and those of all that is computed with it, at once.
#pragma once

#include <vector>

#include "scheduler/search/joined.h"

namespace autoschedule_gpu {

// Of each, the tiling is such that blocks need of `func` what they compute now. Those of which the
// epilogue costs this share of the whole, at least.
std::vector<Joined> epilogues(const Dag &dag, const State &state, double least_share);

}  // namespace autoschedule_gpu
