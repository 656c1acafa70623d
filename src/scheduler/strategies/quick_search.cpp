#include "scheduler/strategies/quick_search.h"

#include <algorithm>
#include <utility>

namespace autoschedule_gpu {

QuickFind quick_search(const SearchProblem &problem, const SearchStrategy &strategy,
                       SearchOptions options) {
    constexpr int kBeamSize = 4;
    options.limits.beam_size = std::min(options.limits.beam_size, kBeamSize);
    options.limits.num_passes = 1;
    options.progress = {};
    SearchContext context(std::move(options));
    State best = strategy.search(problem, context).best.front();
    return {std::move(best), context.clock.effort()};
}

}  // namespace autoschedule_gpu
