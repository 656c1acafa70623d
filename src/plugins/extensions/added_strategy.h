// A search strategy of a user's library as one of the autoscheduler's own: the search space is
// shown to it as choices, states and costs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/extensions/extensions.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

// `options` are those of the run.
std::vector<std::shared_ptr<const SearchStrategy>> added_strategies(
    std::span<const Extension> extensions, const api::Options &options);

}  // namespace autoschedule_gpu
