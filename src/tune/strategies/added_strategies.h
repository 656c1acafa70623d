// Strategies of users' libraries as strategies of the tuner (autoschedule_gpu/tuner_strategy.h).
#pragma once

#include <span>
#include <vector>

#include "core/extensions/extensions.h"
#include "tune/strategies/tune_strategy.h"

namespace autoschedule_gpu {

// The makers name what the extensions own, which outlive them.
std::vector<TuneStrategyMaker> added_tune_strategies(std::span<const Extension> extensions);

}  // namespace autoschedule_gpu
