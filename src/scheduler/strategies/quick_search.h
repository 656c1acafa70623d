// A search that takes little time: to compare pipelines that compute the same by what their best
// schedules may come to cost, and to fill in what nobody has decided.
#pragma once

#include "core/dag/dag.h"
#include "scheduler/search/options.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

// The best state that is found, complete.
State quick_search(const SearchProblem &problem, const SearchStrategy &strategy,
                   SearchOptions options);

}  // namespace autoschedule_gpu
