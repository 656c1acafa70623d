#include "scheduler/factors/cheapest_factors.h"

#include <gtest/gtest.h>

#include <functional>

namespace autoschedule_gpu {
namespace {

const std::vector<Factoring> kChoices = {{}, {32, 0}, {64, 0}, {256, 0}};
const std::vector<Factorable> kTwo = {{StageId(1), kChoices}, {StageId(3), kChoices}};
const std::function<bool()> kNever = [] { return false; };

TEST(CheapestFactors, AreFoundOneReductionAfterTheOther) {
    const ChosenFactorings chosen = cheapest_factors(
        kTwo,
        [](const Factorings &f) {
            return std::optional<double>((f[0].lanes == 64 ? 0 : 10) + (f[1].lanes == 256 ? 0 : 1));
        },
        kNever);
    EXPECT_EQ(chosen.choices, (Factorings{{64, 0}, {256, 0}}));
    EXPECT_EQ(chosen.tried.front().choices, Factorings(2)) << "nothing is taken apart at first";
}

TEST(CheapestFactors, AreNoneWhereNothingIsCheaper) {
    const auto same = [](const Factorings &) { return std::optional(7.0); };
    EXPECT_EQ(cheapest_factors(kTwo, same, kNever).choices, Factorings(2));
}

TEST(CheapestFactors, AreNoneWhereOthersAreHardlyCheaper) {
    const auto hardly = [](const Factorings &f) {
        return std::optional(f == Factorings(2) ? 100.0 : 96.0);
    };
    EXPECT_EQ(cheapest_factors(kTwo, hardly, kNever).choices, Factorings(2));
}

TEST(CheapestFactors, AreLookedAtAgainWhereOneMakesAnotherPay) {
    const auto both = [](const Factorings &f) {
        if (f[0].lanes == 32 && f[1].lanes == 32) return std::optional(1.0);
        return std::optional(f[1].lanes == 32 ? 5.0 : 9.0);
    };
    EXPECT_EQ(cheapest_factors(kTwo, both, kNever).choices, (Factorings{{32, 0}, {32, 0}}));
}

TEST(CheapestFactors, AreNotWhatCanNotBeTakenApart) {
    const auto refused = [](const Factorings &f) {
        return f[0].is_none() ? std::optional(9.0) : std::nullopt;
    };
    const ChosenFactorings chosen = cheapest_factors({kTwo.data(), 1}, refused, kNever);
    EXPECT_EQ(chosen.choices, Factorings(1));
    EXPECT_EQ(chosen.tried.size(), kChoices.size());
}

TEST(CheapestFactors, AreTheBestSoFarWhenTimeIsUp) {
    int asked = 0;
    const auto cost = [](const Factorings &f) {
        return std::optional(100.0 - static_cast<double>(f[0].lanes));
    };
    const ChosenFactorings chosen =
        cheapest_factors({kTwo.data(), 1}, cost, [&] { return ++asked > 2; });
    EXPECT_EQ(chosen.choices, (Factorings{{32, 0}}));
    EXPECT_EQ(chosen.tried.size(), 2u);
}

TEST(ChosenFactorings, AreReadBackFromTheirText) {
    const ChosenFactorings chosen{{{256, 32}, {}},
                                  {{Factorings(2), 1.0 / 3}, {{{32, 0}, {}}, std::nullopt}}};
    const auto read = parse_chosen_factorings(to_text(chosen), 2);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->choices, chosen.choices);
    ASSERT_EQ(read->tried.size(), 2u);
    EXPECT_EQ(read->tried[0].cost, 1.0 / 3);
    EXPECT_EQ(read->tried[1].choices, chosen.tried[1].choices);
    EXPECT_FALSE(read->tried[1].cost);
}

TEST(ChosenFactorings, AreNotReadFromOtherText) {
    for (const char *text : {"", "none", "none x", "none none\n1 none", "none none\n1 none y"}) {
        EXPECT_FALSE(parse_chosen_factorings(text, 2)) << text;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
