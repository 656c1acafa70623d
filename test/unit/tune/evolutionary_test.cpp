#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "fake_session.h"
#include "tune/strategies/evolution.h"
#include "tune/strategies/mutation.h"
#include "tune/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

using Point = FakeExecutor::Point;

// A bowl over the logarithms, lowest at 8 everywhere.
double hollow(const Point &point) {
    double ms = 1;
    for (int x : point) ms += 0.1 * std::pow(std::log2(x) - 3, 2);
    return ms;
}

void measure_first(FakeSession &fake) {
    const ScheduleRequest usual[] = {default_request()};
    const auto batch = fake.session.attempt(usual);
    ASSERT_TRUE(batch);
    ASSERT_TRUE(fake.session.close(*batch));
}

Evolution evolved(FakeSession &fake, uint64_t seed, const EvolutionSettings &settings,
                  const ScheduleHashes &tried = {}) {
    const ListedDecisions origin = origin_of(fake.session).value();
    Random random(seed);
    return evolve(fake.session, settings, {&origin, 1}, origin, tried, random).value();
}

std::shared_ptr<const TuneStrategy> evolutionary(const TuneOptions &options) {
    return TuneStrategyRegistry().find("evolutionary").value().make(options);
}

TEST(Mutated, ChangesOneDecisionToAnotherChoice) {
    FakeSession fake({1, 8, 64}, 64, hollow);
    measure_first(fake);
    const ListedDecisions list = origin_of(fake.session).value();
    Random random(1);
    for (int i = 0; i < 50; ++i) {
        const ListedDecisions other = *mutated(list, random);
        int different = 0;
        for (size_t d = 0; d < list.decisions().size(); ++d) {
            different += other.decisions()[d].chosen != list.decisions()[d].chosen;
        }
        EXPECT_EQ(different, 1);
    }
}

TEST(Mutated, DrawsWhatADecisionIsAboutFirst) {
    const ListedDecisions list = ListedDecisions::parse(R"({"decisions": [
        {"name": "f", "kind": "place", "value": "root", "choices": ["inline", "root"]},
        {"name": "f.x", "kind": "serial", "value": 1, "choices": [1, 2]},
        {"name": "f.y", "kind": "serial", "value": 1, "choices": [1, 2]},
        {"name": "f", "kind": "unroll", "value": "all", "choices": ["none", "all"]}]})")
                                     .value();
    Random random(1);
    std::map<size_t, int> drawn;
    for (int i = 0; i < 4000; ++i) {
        const ListedDecisions other = *mutated(list, random);
        for (size_t d = 0; d < 4; ++d) {
            drawn[d] += other.decisions()[d].chosen != list.decisions()[d].chosen;
        }
    }
    EXPECT_NEAR(drawn[0], 0.25 * 4000, 120);
    EXPECT_NEAR(drawn[1], 0.30 * 4000, 120);
    EXPECT_NEAR(drawn[2], 0.30 * 4000, 120);
    EXPECT_NEAR(drawn[3], 0.15 * 4000, 120);
}

TEST(Mutated, IsNothingWhereAllIsSettled) {
    const ListedDecisions list =
        ListedDecisions::parse(
            R"({"decisions": [{"name": "f", "kind": "place", "value": "root", "choices": ["root"]}]})")
            .value();
    Random random(1);
    EXPECT_FALSE(mutated(list, random));
}

// `count` of each: a place, which is settled, and a size.
ListedDecisions long_list(int count) {
    FakeSession fake(Point(static_cast<size_t>(count / 2), 8), 64, hollow);
    measure_first(fake);
    return origin_of(fake.session).value();
}

TEST(FittedEvolution, IsWholeWithoutABudgetOfTimeOrWithEnoughOfIt) {
    const ListedDecisions list = long_list(100);
    EXPECT_EQ(fitted({}, {}, list, 0).population, 512u);
    EXPECT_EQ(fitted({}, {.trials = 1}, list, 0).population, 512u);
    EXPECT_EQ(fitted({}, {.seconds = 600}, list, 0).population, 512u);
}

TEST(FittedEvolution, HasFewerChainsTheLongerTheListAndTheShorterTheTime) {
    // An eighth of the time for seven prices of a chain, 10 ms each.
    EXPECT_EQ(fitted({}, {.seconds = 57}, long_list(100), 0).population, 101u);
    EXPECT_EQ(fitted({}, {.seconds = 28.5}, long_list(100), 0).population, 50u);
    EXPECT_EQ(fitted({}, {.seconds = 57}, long_list(200), 0).population, 50u);
    EXPECT_EQ(fitted({}, {.seconds = 57, .trials = 9}, long_list(200), 0).population, 50u);
}

TEST(FittedEvolution, HasFewerChainsWhereOtherListsArePricedBesideThem) {
    EXPECT_EQ(fitted({}, {.seconds = 57}, long_list(100), 355).population, 51u);
    EXPECT_EQ(fitted({}, {.seconds = 57}, long_list(100), 5000).population, 16u);
    EXPECT_EQ(fitted({}, {}, long_list(100), 5000).population, 512u);
}

TEST(FittedEvolution, KeepsSomeChainsAndNeverMoreThanWereWanted) {
    EXPECT_EQ(fitted({}, {.seconds = 1}, long_list(200), 0).population, 16u);
    EXPECT_EQ(fitted({.population = 4}, {.seconds = 1}, long_list(200), 0).population, 4u);
}

TEST(Evolve, GoesTowardsWhatTheModelLikesAndCompilesNothing) {
    // 7^6 points, of which it looks at less than a tenth.
    FakeSession fake({1, 64, 1, 64, 1, 64}, 64, hollow);
    measure_first(fake);
    const Evolution long_one = evolved(fake, 1, {.population = 128, .generations = 32});
    EXPECT_NEAR(long_one.found.front().price.cost_ns, 1e6, 1e5);
    EXPECT_EQ(fake.executor.built, 1);
    const Evolution draws = evolved(fake, 1, {.population = 128, .generations = 0});
    EXPECT_EQ(draws.found.size(), 128u - 1);
    EXPECT_LT(long_one.found.front().price.cost_ns, draws.found.front().price.cost_ns);
}

TEST(Evolve, FindsEachScheduleOnceTheCheapestFirstAndNoneThatWasTried) {
    FakeSession fake({1, 1}, 16, hollow);
    measure_first(fake);
    const Evolution all = evolved(fake, 1, {.population = 64});
    EXPECT_EQ(all.found.size(), 24u);  // all but the measured one
    EXPECT_TRUE(std::ranges::is_sorted(all.found, {},
                                       [](const PricedList &one) { return one.price.cost_ns; }));
    const ScheduleHashes best = {all.found.front().price.schedule};
    const Evolution others = evolved(fake, 1, {.population = 64}, best);
    EXPECT_EQ(others.found.size(), 23u);
    EXPECT_FALSE(best.contains(others.found.front().price.schedule));
}

TEST(Evolve, RefusesMutantsThatLeadNowhere) {
    FakeSession fake({1, 1, 1}, 64, hollow);
    fake.executor.refuses = [](const Point &p) { return p[0] > 2; };
    measure_first(fake);
    const Evolution evolution = evolved(fake, 1, {.population = 64});
    EXPECT_GT(evolution.refused, 0u);
    EXPECT_LT(evolution.refused, evolution.proposed);
    for (const PricedList &one : evolution.found) {
        EXPECT_LE(std::stoi(one.list.decisions()[1].value()), 2);
    }
}

TEST(Evolve, AcceptsTheLessTheColderItIs) {
    FakeSession fake({8, 8, 8, 8}, 64, hollow);
    measure_first(fake);
    const auto accepted = [&](double temperature) {
        const Evolution evolution =
            evolved(fake, 1, {.population = 128, .hottest = temperature, .coldest = temperature});
        return static_cast<double>(evolution.accepted) / static_cast<double>(evolution.proposed);
    };
    EXPECT_GT(accepted(100), 0.95);
    EXPECT_LT(accepted(0.001), 0.7);
}

TEST(Evolutionary, MeasuresWhatTheModelLikes) {
    FakeSession fake({1, 64, 1, 64}, 64, hollow);
    measure_first(fake);
    ASSERT_TRUE(evolutionary({.batch = 8, .iterations = 3, .seed = 1})->run(fake.session));
    EXPECT_LT(fake.session.trials()[*fake.session.best()].median_ms(), 1.15);
    const auto rounds = fake.events("evolved");
    ASSERT_EQ(rounds.size(), 3u);
    for (const auto &round : rounds) {
        EXPECT_EQ(round["chosen"], 4) << "the others are random, for no model has learned anything";
        EXPECT_GT(round["mutants"], 8 * 100);  // for each that is measured
    }
}

TEST(Evolutionary, LooksAtFewerMutantsWhereTimeIsShort) {
    FakeSession fake({1, 64, 1, 64}, 64, hollow, {.seconds = 0.5});
    measure_first(fake);
    ASSERT_TRUE(evolutionary({.batch = 8, .iterations = 1, .seed = 1})->run(fake.session));
    const auto rounds = fake.events("evolved");
    ASSERT_EQ(rounds.size(), 1u);
    EXPECT_EQ(rounds.front()["chosen"], 4);
    EXPECT_LT(rounds.front()["mutants"], 4 * 32);
}

TEST(Evolutionary, TriesNothingTwiceAndEndsWhereThereIsNothingElse) {
    FakeSession fake({1}, 8, hollow);
    measure_first(fake);
    ASSERT_TRUE(evolutionary({.batch = 2, .iterations = 20, .seed = 1})->run(fake.session));
    EXPECT_EQ(fake.executor.runs.size(), 4u);
    EXPECT_EQ(fake.events("strategy ended").front()["why"], "no further schedule is found");
    EXPECT_EQ(fake.events("trial").size(), 4u);
}

}  // namespace
}  // namespace autoschedule_gpu
