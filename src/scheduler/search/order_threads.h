// After the search: in which kernels threads go along what they load instead of what they store
// (scheduler/nest/thread_order.h), where that pays. Kernel by kernel, each with the tiling that
// suits it then.
#pragma once

#include "scheduler/model/cost_model.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// `state`: complete, of `space`. Never costs more than that.
State order_threads(const SearchSpace &space, const CostModel &model, SearchContext &context,
                    State state, SearchReport &report);

}  // namespace autoschedule_gpu
