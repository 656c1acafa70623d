// What all strategies that spend trials in rounds have in common, and the baselines among them.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "fake_session.h"
#include "tune/strategies/grid_points.h"
#include "tune/strategies/priced_lists.h"
#include "tune/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

using Point = FakeExecutor::Point;

double basin(const Point &point) {
    double ms = 1;
    for (int x : point) ms += 0.1 * std::pow(std::log2(x) - 3, 2);
    return ms;
}

// The default schedule, then that strategy.
void run_search(FakeSession &fake, const std::string &name, const TuneOptions &options) {
    const ScheduleRequest usual[] = {default_request()};
    const auto batch = fake.session.attempt(usual);
    ASSERT_TRUE(batch);
    ASSERT_TRUE(fake.session.close(*batch));
    ASSERT_TRUE(TuneStrategyRegistry().find(name).value().make(options)->run(fake.session));
}

std::vector<std::string> names_tried(const FakeSession &fake) {
    std::vector<std::string> names;
    for (const auto &event : fake.events("trial")) names.push_back(event["schedule"]);
    return names;
}

std::string why_ended(const FakeSession &fake) {
    return fake.events("strategy ended").front()["why"];
}

class Search : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(All, Search,
                         testing::Values("random", "grid", "annealing", "evolutionary", "genetic"));

TEST_P(Search, EqualSeedsTryEqualSchedules) {
    FakeSession first({1, 1, 1}, 64, basin), second({1, 1, 1}, 64, basin);
    run_search(first, GetParam(), {.batch = 8, .iterations = 2, .seed = 3});
    run_search(second, GetParam(), {.batch = 8, .iterations = 2, .seed = 3});
    EXPECT_EQ(names_tried(first), names_tried(second));
    // Of each generation one is known: the default schedule, then an elite.
    EXPECT_GE(names_tried(first).size(), GetParam() == std::string("genetic") ? 15u : 16u);
}

TEST_P(Search, EndsWithTheBudgetAndWhenAsked) {
    FakeSession poor({1, 1, 1}, 64, basin, {.seconds = {}, .trials = 9});
    run_search(poor, GetParam(), {.batch = 8, .iterations = 4});
    EXPECT_EQ(poor.session.state().trials, 9);
    EXPECT_EQ(why_ended(poor), "the run is over");
    FakeSession stopped({1, 1, 1}, 64, basin);
    stopped.stop = true;
    run_search(stopped, GetParam(), {.batch = 8, .iterations = 4});
    EXPECT_EQ(stopped.session.state().trials, 1);
}

// However many are tried together.
TEST_P(Search, SpendsAllTrialsOfItsBudget) {
    for (const int trials : {11, 12, 14}) {
        FakeSession fake({1, 1, 1}, 64, basin, {.seconds = {}, .trials = trials});
        run_search(fake, GetParam(), {.batch = 8, .iterations = 4});
        EXPECT_EQ(fake.session.state().trials, trials);
    }
}

TEST_P(Search, EndsWhereTheRecordingOfARunThatItRepeatsDoes) {
    FakeSession fake({1, 1, 1}, 64, basin);
    fake.executor.recorded = 6;  // in the middle of a batch
    run_search(fake, GetParam(), {.batch = 8, .iterations = 4});
    EXPECT_EQ(fake.session.state().trials, 6);
    EXPECT_EQ(names_tried(fake).size(), 6u);
    EXPECT_EQ(why_ended(fake), "the run is over");
}

// What a run was preparing when it was cut off is not in its records.
TEST_P(Search, HasTheJournalOfTheRunThatItRepeatsThoughThatWasCutOff) {
    for (const int built : {8, 9}) {
        FakeSession cut_off({1, 1, 1}, 64, basin), again({1, 1, 1}, 64, basin);
        cut_off.executor.refuses = [&](const Point &) {  // asked while it builds and prices
            cut_off.stop = cut_off.stop || cut_off.executor.built == built;
            return false;
        };
        run_search(cut_off, GetParam(), {.batch = 8, .iterations = 4});
        again.executor.recorded = cut_off.executor.built;
        run_search(again, GetParam(), {.batch = 8, .iterations = 4});
        EXPECT_EQ(again.journal.events(), cut_off.journal.events()) << built;
    }
}

TEST_P(Search, SaysWhereNoScheduleHasAList) {
    FakeSession fake({1}, 2, [](const Point &) { return -1.0; });
    ASSERT_TRUE(TuneStrategyRegistry().find(GetParam()).value().make({})->run(fake.session));
    EXPECT_EQ(fake.executor.built, 0);
    EXPECT_TRUE(why_ended(fake).starts_with("no measured schedule has a list"));
}

TEST(Random, IsAnotherSearchForAnotherSeed) {
    FakeSession first({1, 1, 1}, 64, basin), second({1, 1, 1}, 64, basin);
    run_search(first, "random", {.batch = 8, .iterations = 1, .seed = 1});
    run_search(second, "random", {.batch = 8, .iterations = 1, .seed = 2});
    EXPECT_NE(names_tried(first), names_tried(second));
}

TEST(Random, TriesNothingThatLeadsNowhereAndNothingTwice) {
    FakeSession fake({1, 1}, 64, basin);
    fake.executor.refuses = [](const Point &p) { return p[0] > p[1]; };
    run_search(fake, "random", {.batch = 8, .iterations = 2});
    EXPECT_EQ(fake.session.state().failed, 0);
    const std::vector<std::string> names = names_tried(fake);
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
    EXPECT_EQ(names.size(), 17u);
}

TEST(Random, TriesTheSameOfABatchUnderEveryBudget) {
    // Where few draws lead anywhere, further ones are made otherwise, by how many of a batch did.
    const auto tried = [](std::optional<int> budget) {
        FakeSession fake(Point(6, 1), 64, basin, {.seconds = {}, .trials = budget});
        fake.executor.refuses = [](const Point &p) { return std::ranges::count(p, 1) < 3; };
        run_search(fake, "random", {.batch = 16, .iterations = 2, .seed = 1});
        return names_tried(fake);
    };
    const std::vector<std::string> all = tried(std::nullopt);
    ASSERT_GE(all.size(), 9u);
    for (const int budget : {2, 3, 5, 9}) {
        EXPECT_EQ(tried(budget), std::vector(all.begin(), all.begin() + budget)) << budget;
    }
}

TEST(Random, EndsWhereAllOfASpaceHasBeenDrawn) {
    FakeSession fake({1}, 8, basin);
    run_search(fake, "random", {.batch = 8, .iterations = 9});
    EXPECT_EQ(why_ended(fake), "no further schedule was drawn");
    EXPECT_EQ(fake.executor.runs.size(), 4u);
}

TEST(RandomLists, LeaveSomeDecisionsAloneWhereFewDrawsLeadAnywhere) {
    FakeSession fake(Point(24, 1), 64, basin);
    const ScheduleRequest usual[] = {default_request()};
    ASSERT_TRUE(fake.session.attempt(usual));
    // Of draws of all 24 coordinates, one in 7^14 or so.
    fake.executor.refuses = [](const Point &p) { return std::ranges::count(p, 1) < 10; };
    Random random(1);
    ScheduleHashes seen;
    const auto lists =
        random_lists(fake.session, origin_of(fake.session).value(), 16, random, seen);
    ASSERT_TRUE(lists);
    EXPECT_EQ(lists->size(), 16u);
    EXPECT_EQ(seen.size(), 16u);
}

TEST(GridPoints, CountThroughAllChoicesWithTheOwnValueFirst) {
    GridPoints points(ListedDecisions::parse(R"({"decisions": [
        {"name": "x", "kind": "serial", "value": 2, "choices": [1, 2, 4]},
        {"name": "f", "kind": "place", "value": "root", "choices": ["inline", "root"]}]})")
                          .value());
    std::vector<std::string> texts;
    while (const auto point = points.next()) {
        texts.push_back(point->decisions()[0].value() + " " + point->decisions()[1].value());
    }
    EXPECT_EQ(texts, (std::vector<std::string>{"2 root", "1 root", "4 root", "2 inline", "1 inline",
                                               "4 inline"}));
}

TEST(Grid, LooksAtAllOfASmallSpace) {
    FakeSession fake({8, 2}, 8, basin);
    fake.executor.refuses = [](const Point &p) { return p[0] == 4; };
    run_search(fake, "grid", {.batch = 8, .iterations = 9});
    EXPECT_EQ(why_ended(fake), "that was all of the space");
    EXPECT_EQ(fake.executor.runs.size(), 12u);
    EXPECT_EQ(fake.session.state().failed, 0);
}

TEST(Grid, GivesUpWhereNoPointIsASchedule) {
    FakeSession fake(Point(20, 1), 64, basin);
    fake.executor.refuses = [](const Point &p) { return std::ranges::count(p, 1) < 20; };
    run_search(fake, "grid", {.batch = 2, .iterations = 9});
    EXPECT_EQ(why_ended(fake), "no further point is a schedule");
}

TEST(Annealing, FindsTheBottomOfABowl) {
    FakeSession fake({64, 1, 64}, 64, basin);
    run_search(fake, "annealing", {.batch = 64, .iterations = 10, .seed = 1});
    EXPECT_NEAR(fake.session.trials()[*fake.session.best()].median_ms(), 1, 1e-9);
    EXPECT_EQ(why_ended(fake), "it is cold");
}

TEST(Annealing, LeavesALocalMinimum) {
    // Along one loop: a dip at 2, a hill that is higher by a tenth, the bottom at 64.
    const auto valley = [](const Point &p) {
        const double ms[] = {1.05, 1.0, 1.05, 1.1, 1.05, 0.9, 0.5};
        return ms[static_cast<size_t>(std::log2(p[0]))];
    };
    FakeSession fake({2}, 64, valley);
    run_search(fake, "annealing", {.batch = 64, .iterations = 4, .seed = 1});
    EXPECT_NEAR(fake.session.trials()[*fake.session.best()].median_ms(), 0.5, 1e-9);
}

TEST(Annealing, PaysForNoScheduleTwiceAndEndsWhereThereAreNoOthers) {
    FakeSession fake({2}, 64, basin);
    run_search(fake, "annealing", {.batch = 64, .iterations = 4, .seed = 1});
    EXPECT_EQ(fake.executor.runs.size(), 7u);
    EXPECT_EQ(fake.session.state().trials, 7);
    EXPECT_EQ(why_ended(fake), "it is cold");
}

TEST(Annealing, PaysForNothingThatLeadsNowhere) {
    FakeSession fake({1, 1}, 64, basin);
    fake.executor.refuses = [](const Point &p) { return p[0] > p[1]; };
    run_search(fake, "annealing", {.batch = 16, .iterations = 1, .seed = 1});
    EXPECT_EQ(fake.session.state().failed, 0);
    const std::vector<std::string> names = names_tried(fake);
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
    EXPECT_GT(names.size(), 8u);
}

TEST(Annealing, KnowsWhatTheSessionHasMeasured) {
    FakeSession fake({1}, 64, basin);
    run_search(fake, "grid", {.batch = 7, .iterations = 1});
    const int before = fake.session.state().trials;
    ASSERT_TRUE(
        TuneStrategyRegistry().find("annealing").value().make({.batch = 8})->run(fake.session));
    EXPECT_EQ(fake.session.state().trials, before);
}

TEST(Annealing, GoesOnFromMovesThatChangeNothing) {
    // Only the last of six steps in one direction leads to another schedule.
    FakeSession fake({1}, 64, [](const Point &p) { return p[0] == 64 ? 0.5 : 1.0; });
    fake.executor.runs_as = [](const Point &p) { return p[0] == 64 ? p : Point{1}; };
    run_search(fake, "annealing", {.batch = 64, .iterations = 1, .seed = 1});
    EXPECT_NEAR(fake.session.trials()[*fake.session.best()].median_ms(), 0.5, 1e-9);
    EXPECT_EQ(fake.session.state().trials, 2);
}

TEST(Annealing, NeverStaysWhereAScheduleFails) {
    const auto with_hole = [](const Point &p) { return p[0] == 2 ? -1 : basin(p); };
    FakeSession fake({1}, 64, with_hole);
    run_search(fake, "annealing", {.batch = 64, .iterations = 4, .seed = 1});
    // Moves of one step end in the hole; two steps at once lead over it.
    EXPECT_NEAR(fake.session.trials()[*fake.session.best()].median_ms(), 1, 1e-9);
    EXPECT_GE(fake.session.state().failed, 1);
}

}  // namespace
}  // namespace autoschedule_gpu
