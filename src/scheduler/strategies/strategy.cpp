#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

std::optional<CompleteState> SearchStrategy::finish(const SearchProblem &, SearchContext &,
                                                    const State &, SearchReport &) const {
    return std::nullopt;
}

}  // namespace autoschedule_gpu
