#include "lab/verdict/fastest.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

using Times = std::vector<double>;

// Nine times around `ms`, a thousandth apart.
Times around(double ms) {
    Times times;
    for (int i = -4; i <= 4; ++i) times.push_back(ms * (1 + i / 1000.0));
    return times;
}

Contender first(double ms) {
    return {.first_ms = around(ms)};
}

Contender final_of(const std::string &label, double ms, double first_ms = 1) {
    return {.first_ms = around(first_ms), .finals_ms = {{label, around(ms)}}};
}

Contender reference(Contender contender) {
    contender.is_reference = true;
    return contender;
}

size_t winner(const std::vector<Contender> &contenders) {
    return find_fastest(contenders)->winner;
}

TEST(FindFastest, HasNobodyWhereNothingWasMeasured) {
    EXPECT_FALSE(find_fastest({}));
    EXPECT_FALSE(find_fastest(std::vector<Contender>(2)));
}

TEST(FindFastest, TakesTheLeastMedianAndOfTiesTheFirst) {
    EXPECT_EQ(winner({first(3), first(2), first(2)}), 1u);
    EXPECT_EQ(winner({final_of("f", 3), final_of("f", 2), final_of("f", 2)}), 1u);
}

TEST(FindFastest, LeavesItToTheReferenceUnlessTheGainIsMoreThanLuck) {
    EXPECT_EQ(winner({reference(first(2)), first(1)}), 1u);
    EXPECT_EQ(winner({reference(first(2)), first(1.9999)}), 0u);
    EXPECT_EQ(winner({first(1.9999), reference(first(2))}), 1u);
    EXPECT_EQ(winner({reference(first(2)), first(2)}), 0u);
    EXPECT_EQ(winner({reference(first(1)), first(2)}), 0u);
    const Times noisy = {1, 3, 5, 1, 3, 5, 1, 3, 5};
    EXPECT_EQ(winner({reference(first(3.1)), {.first_ms = noisy}}), 0u);
    EXPECT_EQ(winner({reference(first(3.1)), {.first_ms = {3.0, 3.0}}}), 0u) << "too few times";
}

TEST(FindFastest, GoesByFinalsWhereThereAreAny) {
    EXPECT_EQ(winner({reference(final_of("f", 4)), final_of("f", 3, 9), first(1)}), 1u);
    EXPECT_EQ(winner({final_of("f", 4), first(1)}), 0u);
}

TEST(FindFastest, ComparesFinalsOfDifferentDaysByTheirReference) {
    Contender usual = reference(final_of("final quiet", 2));
    usual.finals_ms["final noisy"] = around(8);
    EXPECT_EQ(winner({usual, final_of("final quiet", 1), final_of("final noisy", 3)}), 2u);
    EXPECT_EQ(winner({usual, final_of("final quiet", 0.5), final_of("final noisy", 3)}), 1u);
    const Verdict verdict =
        *find_fastest(std::vector{usual, final_of("final quiet", 1), final_of("final noisy", 2)});
    EXPECT_EQ(verdict.winner, 2u);
    EXPECT_EQ(verdict.reference, 0u);
    EXPECT_NEAR(verdict.times_as_fast, 4, 1e-9);
    EXPECT_LT(verdict.challengers_luck, 0.01);
}

// The reference is that of all parts, or a part with few rounds would weigh by its luck.
TEST(FindFastest, TakesThePartsOfOneRunsFinalsTogether) {
    Contender usual = reference(final_of("final 00ff", 2)), other = final_of("final 00ff", 1.5);
    usual.finals_ms["final 2 00ff"] = around(4);
    other.finals_ms["final 2 00ff"] = around(1.5);
    const Verdict verdict = *find_fastest(std::vector{usual, other});
    EXPECT_EQ(verdict.winner, 1u);
    EXPECT_NEAR(verdict.times_as_fast, 2, 0.02);
}

TEST(FindFastest, LeavesOutFinalsWithoutTheReferenceWhereThereAreOthers) {
    const std::vector<Contender> contenders = {reference(final_of("f", 4)), final_of("f", 3),
                                               final_of("others", 0.1)};
    EXPECT_EQ(winner(contenders), 1u);
    EXPECT_EQ(times_that_count(contenders, 1), around(3));
    EXPECT_EQ(times_that_count(contenders, 2), Times());
    EXPECT_EQ(winner({final_of("f", 3), final_of("others", 0.1)}), 1u);
}

TEST(FindFastest, OfSeveralReferencesTakesTheFastest) {
    const Contender slow = reference(final_of("f", 4)), quick = reference(final_of("f", 2));
    EXPECT_EQ(winner({slow, quick, final_of("f", 3)}), 1u);
    const Verdict verdict = *find_fastest(std::vector{slow, quick, final_of("f", 1)});
    EXPECT_EQ(verdict.winner, 2u);
    EXPECT_NEAR(verdict.times_as_fast, 2, 1e-9);
}

TEST(IsOfFinals, GoesByTheLabel) {
    EXPECT_TRUE(is_of_finals("final 00ff"));
    EXPECT_TRUE(is_of_finals("final 2 00ff"));
    for (const char *label : {"", "final", "finally 1", "step 00ff"}) {
        EXPECT_FALSE(is_of_finals(label)) << label;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
