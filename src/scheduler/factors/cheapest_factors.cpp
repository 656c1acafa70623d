#include "scheduler/factors/cheapest_factors.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace autoschedule_gpu {
namespace {

// Of all reductions; the first looks for what others then build on.
constexpr int kRounds = 2;

// What costs about the same stays whole: its code is shorter, and a model is not that good.
constexpr double kMostShareOfWhole = 0.95;

class Chooser {
public:
    Chooser(std::span<const Factorable> reductions, const CostsOfFactorings &costs_of)
        : reductions_(reductions), costs_of_(costs_of) {}

    ChosenFactorings choose() {
        result_.choices.assign(reductions_.size(), Factoring());
        for (int round = 0; round < kRounds; ++round) {
            const Factorings before = result_.choices;
            for (size_t i = 0; i < reductions_.size() && !is_over_; ++i) decide(i);
            if (result_.choices == before || reductions_.size() == 1) break;
        }
        if (!result_.tried.empty() && !is_worth_it()) {
            result_.choices = result_.tried.front().choices;
        }
        return std::move(result_);
    }

private:
    bool is_worth_it() const {
        const std::optional<double> whole = result_.tried.front().cost;
        return !whole || least_ <= kMostShareOfWhole * *whole;
    }

    // The first choice is none: what is tried first is the whole pipeline. Of one that is taken
    // apart only the neighbours of what was chosen are looked at: how the others are changes how
    // far it is to be, and hardly ever how.
    void decide(size_t i) {
        const std::vector<Factoring> &choices = reductions_[i].choices;
        const auto chosen = std::ranges::find(choices, result_.choices[i]);
        std::vector<Factorings> others;
        for (auto choice = choices.begin(); choice != choices.end(); ++choice) {
            if (!result_.choices[i].is_none() && std::abs(choice - chosen) > 1) continue;
            Factorings other = result_.choices;
            other[i] = *choice;
            if (!is_tried(other)) others.push_back(std::move(other));
        }
        const std::vector<std::optional<double>> costs = costs_of_(others);
        is_over_ = costs.size() < others.size();
        for (size_t k = 0; k < costs.size(); ++k) take_if_cheaper(std::move(others[k]), costs[k]);
    }

    bool is_tried(const Factorings &choices) const {
        return std::ranges::find(result_.tried, choices, &TriedFactorings::choices) !=
               result_.tried.end();
    }

    void take_if_cheaper(Factorings choices, std::optional<double> cost) {
        if (cost && *cost < least_) {
            least_ = *cost;
            result_.choices = choices;
        }
        result_.tried.push_back({std::move(choices), cost});
    }

    std::span<const Factorable> reductions_;
    const CostsOfFactorings &costs_of_;
    bool is_over_ = false;
    double least_ = std::numeric_limits<double>::infinity();
    ChosenFactorings result_;
};

}  // namespace

ChosenFactorings cheapest_factors(std::span<const Factorable> reductions,
                                  const CostsOfFactorings &costs_of) {
    return Chooser(reductions, costs_of).choose();
}

}  // namespace autoschedule_gpu
