// The best of several moves that all change one kernel, for the descents after the search.
#pragma once

#include <optional>
#include <vector>

#include "search/pass.h"

namespace autoschedule_gpu {

// The state after the best move, if that costs less than `state`. All moves name the same kernel.
std::optional<State> best_of(SearchParts &parts, const State &state,
                             const std::vector<Move> &moves);

}  // namespace autoschedule_gpu
