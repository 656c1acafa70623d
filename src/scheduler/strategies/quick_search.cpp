#include "scheduler/strategies/quick_search.h"

#include <algorithm>
#include <utility>

namespace autoschedule_gpu {

State quick_search(const SearchProblem &problem, const SearchStrategy &strategy,
                   SearchOptions options) {
    constexpr int kBeamSize = 4;
    options.limits.beam_size = std::min(options.limits.beam_size, kBeamSize);
    options.limits.num_passes = 1;
    options.progress = {};
    SearchContext context(std::move(options));
    return strategy.search(problem, context).best.front();
}

}  // namespace autoschedule_gpu
