// Steps taken without a search.
#pragma once

#include "search/kernel_costs.h"
#include "space/space.h"

namespace autoschedule_gpu {

// The state with every step from the given one on taken in the plain way: at root, with the default
// tiling.
State complete_plainly(const SearchSpace &space, KernelCosts &costs, State state,
                       size_t first_step);

}  // namespace autoschedule_gpu
