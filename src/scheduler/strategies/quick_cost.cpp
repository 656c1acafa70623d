#include "scheduler/strategies/quick_cost.h"

#include <utility>

namespace autoschedule_gpu {

double quick_cost(const Dag &dag, const RankingModels &models, const RuleBook &rules,
                  const SearchStrategy &strategy, SearchOptions options) {
    constexpr int kBeamSize = 4;
    options.limits.beam_size = std::min(options.limits.beam_size, kBeamSize);
    options.limits.num_passes = 1;
    options.progress = {};
    SearchContext context(std::move(options));
    const SearchSpace space(dag, models.gpu, rules, Freedom::full);
    return strategy.search({space, models}, context).best.front().cost;
}

}  // namespace autoschedule_gpu
