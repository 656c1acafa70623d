// After the search: which kernels share a launch (scheduler/nest/launch.h), where that pays. Two by
// two, those first that gain most; a kernel may be tiled anew for it, with one point per thread or
// as the other one is.
#pragma once

#include "scheduler/model/cost_model.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// `state`: complete, of `space`, each kernel with a launch of its own. Never costs more than that.
State share_launches(const SearchSpace &space, const CostModel &model, SearchContext &context,
                     State state, SearchReport &report);

}  // namespace autoschedule_gpu
