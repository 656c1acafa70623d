#include "scheduler/factors/cheapest_factors.h"

#include <algorithm>
#include <limits>

namespace autoschedule_gpu {
namespace {

// Of all reductions; the first looks for what others then build on.
constexpr int kRounds = 2;

class Chooser {
public:
    Chooser(std::span<const Factorable> reductions, const CostOfFactorings &cost_of,
            const std::function<bool()> &is_over)
        : reductions_(reductions), cost_of_(cost_of), is_over_(is_over) {}

    ChosenFactorings choose() {
        result_.choices.assign(reductions_.size(), Factoring());
        look_at(result_.choices);
        for (int round = 0; round < kRounds; ++round) {
            const Factorings before = result_.choices;
            for (size_t i = 0; i < reductions_.size(); ++i) decide(i);
            if (result_.choices == before || reductions_.size() == 1) break;
        }
        return std::move(result_);
    }

private:
    void decide(size_t i) {
        for (const Factoring &choice : reductions_[i].choices) {
            Factorings other = result_.choices;
            other[i] = choice;
            look_at(other);
        }
    }

    void look_at(const Factorings &choices) {
        if (std::ranges::find(result_.tried, choices, &TriedFactorings::choices) !=
                result_.tried.end() ||
            is_over_()) {
            return;
        }
        const std::optional<double> cost = cost_of_(choices);
        result_.tried.push_back({choices, cost});
        if (!cost || *cost >= least_) return;
        least_ = *cost;
        result_.choices = choices;
    }

    std::span<const Factorable> reductions_;
    const CostOfFactorings &cost_of_;
    const std::function<bool()> &is_over_;
    double least_ = std::numeric_limits<double>::infinity();
    ChosenFactorings result_;
};

}  // namespace

ChosenFactorings cheapest_factors(std::span<const Factorable> reductions,
                                  const CostOfFactorings &cost_of,
                                  const std::function<bool()> &is_over) {
    return Chooser(reductions, cost_of, is_over).choose();
}

}  // namespace autoschedule_gpu
