// A search that takes little time: to compare pipelines that compute the same by what their best
// schedules may come to cost, and to fill in what nobody has decided.
#pragma once

#include "core/dag/dag.h"
#include "scheduler/search/options.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

struct QuickFind {
    State best;         // complete
    double effort = 0;  // search_clock.h
};

QuickFind quick_search(const SearchProblem &problem, const SearchStrategy &strategy,
                       SearchOptions options);

}  // namespace autoschedule_gpu
