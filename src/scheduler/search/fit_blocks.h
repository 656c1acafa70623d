// After the search: which blocks are fitted to what is computed in them
// (scheduler/space/fitted_members.h), where that pays. In each kernel that costs a share of the
// whole, Func by Func, and together with other tilings of the kernel; what is computed again
// elsewhere is then computed as the best of them (scheduler/search/repeats.h).
#pragma once

#include "scheduler/model/cost_model.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// `state`: complete, of `space`. Never costs more than that.
State fit_blocks(const SearchSpace &space, const CostModel &model, SearchContext &context,
                 State state, SearchReport &report);

}  // namespace autoschedule_gpu
