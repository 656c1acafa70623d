#include "tune/strategies/final_comparison.h"

#include <gtest/gtest.h>

#include "fake_session.h"
#include "tune/run/tuner.h"
#include "tune/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

using Point = FakeExecutor::Point;

TunePlan some_batch(int batch = 30) {
    const TuneOptions options{.mode = TuneMode::autotune, .batch = batch, .iterations = 1};
    return {.strategies = {TuneStrategyRegistry().find("batch").value().make(options)}};
}

TEST(Tune, TheWinnerIsTheFastestOfTheFinals) {
    FakeSession fake({8, 8}, 8, [](const Point &p) { return 1.0 + p[0] + p[1]; });
    const Result<Finals> finals = tune(fake.session, some_batch());
    ASSERT_TRUE(finals);
    const Trial &winner = fake.session.trials()[finals->best().trial];
    const double least = fake.session.trials()[*fake.session.best()].median_ms();
    EXPECT_LT(least, 17);
    EXPECT_EQ(finals->best().median_ms, least);
    EXPECT_EQ(winner.median_ms(), least);
    EXPECT_LT(finals->chance_of_luck, 0.05);
    EXPECT_EQ(fake.events("winner").front()["median_ms"], least);
    EXPECT_EQ(fake.events("finalist").front()["schedule"], "default");
}

TEST(Tune, IsNeverSlowerThanWithoutTuning) {
    FakeSession fake({1, 1}, 8, [](const Point &p) { return 1.0 + p[0] + p[1]; });
    const Result<Finals> finals = tune(fake.session, some_batch());
    ASSERT_TRUE(finals);
    EXPECT_EQ(fake.session.trials()[finals->best().trial].draw.schedule, "default");
    EXPECT_EQ(finals->chance_of_luck, 1);
}

TEST(Tune, GoesOnWhereTheDefaultScheduleFails) {
    FakeSession fake({16, 16}, 8, [](const Point &p) { return p[0] == 16 ? -1 : 1.0 + p[0]; });
    const Result<Finals> finals = tune(fake.session, some_batch());
    ASSERT_TRUE(finals);
    EXPECT_EQ(finals->winner, 0u);
    EXPECT_EQ(finals->best().median_ms, 2);
}

TEST(CompareFinally, LetThoseTakePartThatWonBefore) {
    FakeSession fake({8, 8}, 8, [](const Point &p) { return 1.0 + p[0] + p[1]; });
    ASSERT_TRUE(tune(fake.session, some_batch()));
    const std::vector<Trial> &trials = fake.session.trials();
    size_t slow = 1;  // the first is the default schedule
    for (size_t i = 1; i < trials.size(); ++i) {
        if (trials[i].median_ms() > trials[slow].median_ms()) slow = i;
    }
    const Result<Finals> finals =
        compare_finally(fake.session, {.finalists = 1, .also = {slow, slow}});
    ASSERT_TRUE(finals);
    ASSERT_EQ(finals->finalists.size(), 3u);
    EXPECT_EQ(finals->finalists.back().trial, slow);
    EXPECT_EQ(finals->winner, 1u);
}

// The default schedule takes a millisecond, another one `ms`; a comparison has three rounds, a
// thousandth apart.
int comparisons_against(double ms, size_t winner) {
    FakeSession fake({1}, 2, [ms](const Point &p) { return p[0] == 1 ? 1 : ms; });
    const ScheduleRequest draws[] = {
        default_request(),
        {.schedule = "other", .files = {{"decisions", R"({"decisions": [{"value": 2}]})"}}}};
    EXPECT_TRUE(fake.session.attempt(draws));
    const Result<Finals> finals = compare_finally(fake.session);
    EXPECT_TRUE(finals);
    EXPECT_EQ(finals->winner, winner);
    return fake.executor.comparisons;
}

TEST(CompareFinally, GoOnWhereItIsNotPlainWhoWins) {
    EXPECT_EQ(comparisons_against(0.9, 1), 1);
    EXPECT_EQ(comparisons_against(1.1, 0), 1);
    EXPECT_EQ(comparisons_against(0.999, 1), 3);
    EXPECT_EQ(comparisons_against(0.9995, 0), 3);
}

TEST(CompareFinally, GoByTheFirstTimesWhereTheRunIsCutOffBeforeThem) {
    const auto winner = [](std::optional<int> recorded) {
        int asked = 0;  // the other one is fast when it is measured first
        FakeSession fake({1}, 2, [&](const Point &p) {
            return p[0] == 1 ? 1.0 : ++asked == 1 ? 0.9 : 1.1;
        });
        fake.executor.recorded_comparisons = recorded;
        const ScheduleRequest draws[] = {
            default_request(),
            {.schedule = "other", .files = {{"decisions", R"({"decisions": [{"value": 2}]})"}}}};
        EXPECT_TRUE(fake.session.attempt(draws));
        const Result<Finals> finals = compare_finally(fake.session);
        EXPECT_TRUE(finals);
        return finals->winner;
    };
    EXPECT_EQ(winner(0), 1U);
    EXPECT_EQ(winner(1), 0U);
    EXPECT_EQ(winner(std::nullopt), 0U);
}

TEST(Tune, SaysSoWhereNothingRuns) {
    FakeSession fake({1, 1}, 8, [](const Point &) { return -1.0; });
    const Result<Finals> finals = tune(fake.session, some_batch());
    ASSERT_FALSE(finals);
    EXPECT_EQ(finals.error().message, "no schedule of the pipeline could be measured");
}

TEST(Tune, WhoAsksForTheEndGetsTheBestSoFar) {
    FakeSession fake({8, 8}, 8, [](const Point &p) { return 1.0 + p[0] + p[1]; });
    int asked = 0;
    Session session({.workload = fake.workload,
                     .gpu = fake.gpu,
                     .executor = fake.executor,
                     .journal = fake.journal,
                     .budget = {},
                     .id = "test",
                     .folder = "",
                     .progress = {},
                     .stop = [&] { return ++asked > 4; }},
                    {});
    const Result<Finals> finals = tune(session, some_batch(400));
    ASSERT_TRUE(finals);
    EXPECT_EQ(fake.executor.comparisons, 0);
    EXPECT_LT(session.state().trials, 400);
    EXPECT_LT(finals->best().median_ms, 17);
}

TEST(Tune, WhoAsksForTheEndBeforeAnythingIsMeasuredGetsNothingAndNoError) {
    FakeSession fake({8, 8}, 8, [](const Point &) { return -1.0; });
    fake.stop = true;
    const Result<Finals> finals = tune(fake.session, some_batch());
    ASSERT_TRUE(finals);
    EXPECT_TRUE(finals->is_empty());
    EXPECT_EQ(fake.executor.comparisons, 0);
    EXPECT_TRUE(fake.events("winner").empty());
}

TEST(Tune, WhatAnErrorEndsHasTheBestSoFar) {
    FakeSession fake({8, 8}, 8, [](const Point &p) { return 1.0 + p[0] + p[1]; });
    const TunePlan plan{.strategies = {TuneStrategyRegistry().find("genetic").value().make(
                            {.batch = 8, .iterations = 5})}};
    fake.executor.prices_fail_after = 1;
    const Result<Finals> finals = tune(fake.session, plan);
    ASSERT_FALSE(finals);
    EXPECT_EQ(finals.error().message, "no prices");
    EXPECT_TRUE(fake.events("winner").empty());
    const Result<Finals> so_far = end_after_error(fake.session, plan);
    ASSERT_TRUE(so_far);
    ASSERT_FALSE(so_far->is_empty());
    EXPECT_EQ(so_far->best().median_ms, fake.session.trials()[*fake.session.best()].median_ms());
    EXPECT_EQ(fake.events("winner").size(), 1U);
    EXPECT_EQ(fake.executor.comparisons, 0);
}

TEST(Tune, WhatAnErrorEndsBeforeAnythingIsMeasuredHasNoBest) {
    FakeSession fake({1, 1}, 8, [](const Point &) { return -1.0; });
    ASSERT_FALSE(tune(fake.session, some_batch()));
    const Result<Finals> so_far = end_after_error(fake.session, some_batch());
    ASSERT_TRUE(so_far);
    EXPECT_TRUE(so_far->is_empty());
}

TEST(Tune, TellsHowManyAreCompiledAndThenNoMore) {
    FakeSession fake({8, 8}, 8, [](const Point &p) { return 1.0 + p[0] + p[1]; });
    std::vector<size_t> built;
    fake.progress = [&](const TuneState &state) { built.push_back(state.built); };
    const ScheduleRequest draws[] = {default_request(), {.schedule = "a"}, {.schedule = "b"}};
    const auto trials = fake.session.build(draws);
    ASSERT_TRUE(trials);
    EXPECT_EQ(built, (std::vector<size_t>{0, 1, 2, 3}));
    ASSERT_TRUE(fake.session.measure(*trials));
    EXPECT_EQ(built.back(), 0U);
}

TEST(Tune, DescentAfterABatchImprovesOrTies) {
    const auto time = [](const Point &p) { return 1.0 + p[0] * 0.7 + p[1] + p[2]; };
    FakeSession batch({8, 8, 8}, 8, time), both({8, 8, 8}, 8, time);
    TunePlan plan = some_batch(5);
    const Result<Finals> without = tune(batch.session, plan);
    plan.strategies.push_back(TuneStrategyRegistry().find("coordinate_descent").value().make({}));
    const Result<Finals> with = tune(both.session, plan);
    ASSERT_TRUE(without && with);
    EXPECT_LE(with->best().median_ms, without->best().median_ms);
    EXPECT_EQ(with->best().median_ms, 3.7);
}

}  // namespace
}  // namespace autoschedule_gpu
