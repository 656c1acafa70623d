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

// The states after the cheapest legal moves, so many at most, the cheapest first: other ones than
// `state`, each once.
std::vector<State> cheapest_first(SearchParts &parts, const State &state,
                                  const std::vector<Decision> &moves, size_t most);

// The same as cheapest_of, if it costs less than `state`.
std::optional<State> best_of(SearchParts &parts, const State &state,
                             const std::vector<Decision> &moves);

}  // namespace autoschedule_gpu
