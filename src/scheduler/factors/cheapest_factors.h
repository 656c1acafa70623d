// Which reductions to take apart, and how: by what the model predicts of the pipelines that come of
// it. A search of each would be long, and so one reduction is decided after the other, until no
// other choice of a single one is cheaper.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scheduler/factors/factoring.h"

namespace autoschedule_gpu {

// One choice per reduction.
using Factorings = std::vector<Factoring>;

// Predicted nanoseconds; nothing if the pipeline can't be taken apart so.
using CostOfFactorings = std::function<std::optional<double>(const Factorings &)>;

struct TriedFactorings {
    Factorings choices;
    std::optional<double> cost;
};

struct ChosenFactorings {
    Factorings choices;
    std::vector<TriedFactorings> tried;  // in that order; the first is none of all
};

// As text, for another process, and back; nothing for text that is none of so many reductions.
std::string to_text(const ChosenFactorings &chosen);
std::optional<ChosenFactorings> parse_chosen_factorings(const std::string &text, size_t reductions);

// `is_over`: asked before each trial; then the best so far is taken.
ChosenFactorings cheapest_factors(std::span<const Factorable> reductions,
                                  const CostOfFactorings &cost_of,
                                  const std::function<bool()> &is_over);

}  // namespace autoschedule_gpu
