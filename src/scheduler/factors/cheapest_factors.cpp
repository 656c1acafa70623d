#include "scheduler/factors/cheapest_factors.h"

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>

namespace autoschedule_gpu {
namespace {

// Of all reductions; the first looks for what others then build on.
constexpr int kRounds = 2;

// What costs about the same stays whole: its code is shorter, and a model is not that good.
constexpr double kMostShareOfWhole = 0.95;

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

// "256x32 none": one word per reduction.
std::string words(const Factorings &choices) {
    std::string text;
    for (const Factoring &choice : choices) text += (text.empty() ? "" : " ") + to_string(choice);
    return text;
}

std::optional<Factorings> parse_words(std::istream &in, size_t reductions) {
    Factorings choices;
    std::string word;
    while (choices.size() < reductions && in >> word) {
        const std::optional<Factoring> choice = parse_factoring(word);
        if (!choice) return std::nullopt;
        choices.push_back(*choice);
    }
    return choices.size() == reductions ? std::optional(std::move(choices)) : std::nullopt;
}

}  // namespace

// A line with what is chosen; then for each that was tried a line, with the cost before the words,
// or "refused".
std::string to_text(const ChosenFactorings &chosen) {
    std::ostringstream out;
    out << words(chosen.choices) << '\n' << std::setprecision(17);
    for (const TriedFactorings &tried : chosen.tried) {
        tried.cost ? out << *tried.cost : out << "refused";
        out << ' ' << words(tried.choices) << '\n';
    }
    return out.str();
}

std::optional<ChosenFactorings> parse_chosen_factorings(const std::string &text,
                                                        size_t reductions) {
    std::istringstream in(text);
    std::optional<Factorings> choices = parse_words(in, reductions);
    if (!choices) return std::nullopt;
    ChosenFactorings result{*std::move(choices), {}};
    for (std::string cost; in >> cost;) {
        std::optional<Factorings> tried = parse_words(in, reductions);
        if (!tried) return std::nullopt;
        TriedFactorings one{*std::move(tried), std::nullopt};
        if (cost != "refused") one.cost = std::strtod(cost.c_str(), nullptr);
        result.tried.push_back(std::move(one));
    }
    return result;
}

ChosenFactorings cheapest_factors(std::span<const Factorable> reductions,
                                  const CostOfFactorings &cost_of,
                                  const std::function<bool()> &is_over) {
    return Chooser(reductions, cost_of, is_over).choose();
}

}  // namespace autoschedule_gpu
