// After the search: which Funcs in shared memory have padded rows (scheduler/nest/padding.h), where
// that pays. Func by Func, in each kernel that costs a share of the whole.
#pragma once

#include "scheduler/model/cost_model.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// `state`: complete, of `space`. Never costs more than that.
State pad_rows(const SearchSpace &space, const CostModel &model, SearchContext &context,
               State state, SearchReport &report);

}  // namespace autoschedule_gpu
