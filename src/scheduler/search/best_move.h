// The best of several moves that all change one kernel, for the descents after the search.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/search/pass.h"

namespace autoschedule_gpu {

// The state after the cheapest legal move, which may cost more than `state`; nothing if there is
// none. All moves name the same kernel.
std::optional<State> cheapest_of(SearchParts &parts, const State &state,
                                 const std::vector<Decision> &moves);

// The same, if it costs less than `state`.
std::optional<State> best_of(SearchParts &parts, const State &state,
                             const std::vector<Decision> &moves);

}  // namespace autoschedule_gpu
