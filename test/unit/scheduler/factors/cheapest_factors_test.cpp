#include "scheduler/factors/cheapest_factors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace autoschedule_gpu {
namespace {

const std::vector<Factoring> kChoices = {{}, {32, 0}, {64, 0}, {256, 0}};
const std::vector<Factorable> kTwo = {{StageId(1), kChoices}, {StageId(3), kChoices}};

// What is cheapest where each costs so much, however many are compared at once.
ChosenFactorings cheapest_by(std::span<const Factorable> reductions,
                             const std::function<std::optional<double>(const Factorings &)> &cost) {
    return cheapest_factors(reductions, [&](std::span<const Factorings> all) {
        std::vector<std::optional<double>> costs;
        for (const Factorings &one : all) costs.push_back(cost(one));
        return costs;
    });
}

TEST(CheapestFactors, AreFoundOneReductionAfterTheOther) {
    const ChosenFactorings chosen = cheapest_by(kTwo, [](const Factorings &f) {
        return std::optional<double>((f[0].lanes == 64 ? 0 : 10) + (f[1].lanes == 256 ? 0 : 1));
    });
    EXPECT_EQ(chosen.choices, (Factorings{{64, 0}, {256, 0}}));
    EXPECT_EQ(chosen.tried.front().choices, Factorings(2)) << "nothing is taken apart at first";
}

TEST(CheapestFactors, AreNoneWhereNothingIsCheaper) {
    const auto same = [](const Factorings &) { return std::optional(7.0); };
    EXPECT_EQ(cheapest_by(kTwo, same).choices, Factorings(2));
}

TEST(CheapestFactors, AreNoneWhereOthersAreHardlyCheaper) {
    const auto hardly = [](const Factorings &f) {
        return std::optional(f == Factorings(2) ? 100.0 : 96.0);
    };
    EXPECT_EQ(cheapest_by(kTwo, hardly).choices, Factorings(2));
}

TEST(CheapestFactors, AreLookedAtAgainWhereOneMakesAnotherPay) {
    const auto both = [](const Factorings &f) {
        if (f[0].lanes == 32 && f[1].lanes == 32) return std::optional(1.0);
        return std::optional(f[1].lanes == 32 ? 5.0 : 9.0);
    };
    EXPECT_EQ(cheapest_by(kTwo, both).choices, (Factorings{{32, 0}, {32, 0}}));
}

// 32 lanes at first, and 64 when the second is taken apart; 256 are not looked at again.
TEST(CheapestFactors, AreLookedAtAgainAmongTheNeighbours) {
    const auto more = [](const Factorings &f) {
        const bool second = f[1].lanes == 64;
        const auto first = static_cast<double>(f[0].lanes);
        if (first == 0) return std::optional(second ? 50.0 : 90.0);
        return std::optional(second ? 10 - first / 100 : 60 + first / 100);
    };
    const ChosenFactorings chosen = cheapest_by(kTwo, more);
    EXPECT_EQ(chosen.choices, (Factorings{{64, 0}, {64, 0}}));
    EXPECT_EQ(
        std::ranges::count(chosen.tried, Factorings{{256, 0}, {64, 0}}, &TriedFactorings::choices),
        0);
}

TEST(CheapestFactors, AreNotWhatCanNotBeTakenApart) {
    const auto refused = [](const Factorings &f) {
        return f[0].is_none() ? std::optional(9.0) : std::nullopt;
    };
    const ChosenFactorings chosen = cheapest_by({kTwo.data(), 1}, refused);
    EXPECT_EQ(chosen.choices, Factorings(1));
    EXPECT_EQ(chosen.tried.size(), kChoices.size());
}

TEST(CheapestFactors, AreTheBestSoFarWhenTimeIsUp) {
    int asked = 0;
    const auto two = [&](std::span<const Factorings> all) {
        ++asked;
        std::vector<std::optional<double>> costs;
        for (const Factorings &f : all.first(2)) costs.push_back(100.0 - double(f[0].lanes));
        return costs;
    };
    const ChosenFactorings chosen = cheapest_factors(kTwo, two);
    EXPECT_EQ(chosen.choices, (Factorings{{32, 0}, {}}));
    EXPECT_EQ(chosen.tried.size(), 2u);
    EXPECT_EQ(asked, 1) << "then there is no time for other reductions";
}

}  // namespace
}  // namespace autoschedule_gpu
