// What the best schedule of a pipeline may come to cost, from a search that takes little time: to
// compare pipelines that compute the same.
#pragma once

#include "core/dag/dag.h"
#include "scheduler/rules/rule_book.h"
#include "scheduler/search/options.h"
#include "scheduler/strategies/ranking_models.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

// Predicted nanoseconds. `dag`: with wrapped reductions (scheduler/space/wrappers.h).
double quick_cost(const Dag &dag, const RankingModels &models, const RuleBook &rules,
                  const SearchStrategy &strategy, SearchOptions options);

}  // namespace autoschedule_gpu
