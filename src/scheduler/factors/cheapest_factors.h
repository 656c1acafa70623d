// Which reductions to take apart, and how: by what the model predicts of the pipelines that come of
// it. A search of each would be long, and so one reduction is decided after the other, and then once
// more: of what was taken apart, the neighbours of what was chosen.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/factors/factoring.h"

namespace autoschedule_gpu {

// One choice per reduction.
using Factorings = std::vector<Factoring>;

// Predicted nanoseconds of each, in their order; nothing of a pipeline that can't be taken apart
// so. Those that are asked for at once don't depend on each other. Fewer than were asked for where
// there is no time for more.
using CostsOfFactorings =
    std::function<std::vector<std::optional<double>>(std::span<const Factorings>)>;

struct TriedFactorings {
    Factorings choices;
    std::optional<double> cost;
};

struct ChosenFactorings {
    Factorings choices;
    std::vector<TriedFactorings> tried;  // in that order; the first is none of all
};

// The best of those that there was time for.
ChosenFactorings cheapest_factors(std::span<const Factorable> reductions,
                                  const CostsOfFactorings &costs_of);

}  // namespace autoschedule_gpu
