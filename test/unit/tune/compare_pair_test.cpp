#include "tune/strategies/compare_pair.h"

#include <gtest/gtest.h>

#include "fake_session.h"
#include "tune/strategies/batch.h"

namespace autoschedule_gpu {
namespace {

// The default schedule takes a millisecond. Every comparison of FakeExecutor has three rounds, a
// thousandth apart.
class HoldDuel : public testing::Test {
protected:
    // Of a schedule that takes `ms` with the default one. Negative: it fails.
    Duel against_default(double ms, double default_ms = 1, const DuelSettings &settings = {}) {
        FakeSession fake({1}, 2,
                         [=](const FakeExecutor::Point &p) { return p[0] == 1 ? default_ms : ms; });
        const ScheduleRequest draws[] = {default_request(), other_draw()};
        const auto batch = fake.session.attempt(draws);
        fake.executor.recorded_comparisons = recorded_comparisons_;
        const auto duel = compare_pair(fake.session, (*batch)[1], (*batch)[0], settings);
        EXPECT_TRUE(duel);
        comparisons_ = fake.executor.comparisons;
        return duel->value_or(kNone);
    }
    static bool is_none(const Duel &duel) { return duel.chance_of_luck == kNone.chance_of_luck; }

    std::optional<int> recorded_comparisons_ = {};
    int comparisons_ = 0;

private:
    static constexpr Duel kNone = {.chance_of_luck = -1};

    static ScheduleRequest other_draw() {
        return {.schedule = "other", .files = {{"decisions", R"({"decisions": [{"value": 2}]})"}}};
    }
};

TEST_F(HoldDuel, EndsAtTheFirstLookWhereItIsPlain) {
    EXPECT_TRUE(against_default(0.9).is_won);
    EXPECT_EQ(comparisons_, 1);
    const Duel lost = against_default(1.1);
    EXPECT_FALSE(lost.is_won);
    EXPECT_EQ(comparisons_, 1);
    EXPECT_EQ(lost.incumbent_ms, 1);
    EXPECT_EQ(lost.challenger_ms, 1.1);
}

TEST_F(HoldDuel, GoesOnWhileTheChallengerMayBeFaster) {
    // A thousandth faster: t is 1.2, 1.9 and 2.4 after 3, 6 and 9 rounds.
    const Duel duel = against_default(0.999);
    EXPECT_TRUE(duel.is_won);
    EXPECT_EQ(comparisons_, 3);
    EXPECT_LT(duel.chance_of_luck, 0.05 / 3);
}

TEST_F(HoldDuel, IsLostWhereNineRoundsDoNotTell) {
    const Duel duel = against_default(0.9995);
    EXPECT_FALSE(duel.is_won);
    EXPECT_EQ(comparisons_, 3);
    EXPECT_GT(duel.chance_of_luck, 0.05);
}

TEST_F(HoldDuel, AtALevelOfAHalfIsWonByWhoIsAheadAtTheFirstLook) {
    EXPECT_TRUE(against_default(0.9999, 1, {.level = 0.5}).is_won);
    EXPECT_EQ(comparisons_, 1);
    EXPECT_FALSE(against_default(1.0001, 1, {.level = 0.5}).is_won);
    EXPECT_EQ(comparisons_, 1);
}

TEST_F(HoldDuel, IsNoneWhereTheRunIsCutOffBeforeItIsDecided) {
    for (const int recorded : {0, 1, 2}) {
        recorded_comparisons_ = recorded;
        EXPECT_TRUE(is_none(against_default(0.999))) << recorded;
    }
    recorded_comparisons_ = 1;
    EXPECT_FALSE(is_none(against_default(0.9)));
}

TEST_F(HoldDuel, IsLostByTheOneThatFails) {
    EXPECT_FALSE(against_default(-1).is_won);
    const Duel won = against_default(2, -1);
    EXPECT_TRUE(won.is_won);
    EXPECT_GT(won.challenger_ms, 0);
    EXPECT_FALSE(against_default(-1, -1).is_won);
}

}  // namespace
}  // namespace autoschedule_gpu
