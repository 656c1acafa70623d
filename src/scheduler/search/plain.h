// Complete states without a search.
#pragma once

#include "scheduler/search/kernel_costs.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// The state with every step from the given one on taken in the plain way: at root, with the default
// tiling.
State complete_plainly(const SearchSpace &space, KernelCosts &costs, State state,
                       size_t first_step);

// The nest without any search: every step taken in the plain way.
State plain_state(const SearchSpace &space, const CostModel &model);

// The nest that leaves everything on the host: the last resort.
State host_state(const SearchSpace &space);

}  // namespace autoschedule_gpu
