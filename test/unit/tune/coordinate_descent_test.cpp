#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fake_session.h"
#include "tune/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

using Point = FakeExecutor::Point;

// A bowl over the logarithms, lowest at (8, 2, 32).
double bowl(const Point &point) {
    const double best[] = {3, 1, 5};
    double ms = 1;
    for (size_t i = 0; i < 3; ++i) ms += 0.1 * std::pow(std::log2(point[i]) - best[i], 2);
    return ms;
}

void measure_default(FakeSession &fake) {
    const ScheduleRequest draws[] = {default_request()};
    const auto batch = fake.session.attempt(draws);
    ASSERT_TRUE(batch);
    ASSERT_TRUE(fake.session.close(*batch));
}

std::shared_ptr<const TuneStrategy> descent(const TuneOptions &options = {}) {
    return TuneStrategyRegistry().find("coordinate_descent").value().make(options);
}

const Trial &best(const FakeSession &fake) {
    return fake.session.trials()[*fake.session.best()];
}

TEST(CoordinateDescent, FindsTheBottomOfABowlAndSaysWhyItEnds) {
    FakeSession fake({1, 64, 1}, 64, bowl);
    measure_default(fake);
    ASSERT_TRUE(descent()->run(fake.session));
    EXPECT_NEAR(best(fake).median_ms(), 1, 1e-9);
    EXPECT_EQ(fake.events("descent ended").front()["why"], "no neighbour is faster");
    int accepted = 0;
    for (const auto &step : fake.events("step")) accepted += step["accepted"].get<bool>();
    EXPECT_LE(accepted, 3 + 5 + 5);  // as many as the two points are apart
    EXPECT_GE(accepted, 7);          // speculation goes two of them at once
}

TEST(CoordinateDescent, RunsNothingTwice) {
    FakeSession fake({1, 64, 1}, 64, bowl);
    measure_default(fake);
    ASSERT_TRUE(descent()->run(fake.session));
    for (const auto &[code, runs] : fake.executor.runs) EXPECT_EQ(runs, 1);
    EXPECT_LT(fake.executor.runs.size(), 80u);  // of 343 points
}

TEST(CoordinateDescent, GoesAroundWhatFails) {
    const auto with_hole = [](const Point &p) { return p[0] == 4 && p[1] > 2 ? -1 : bowl(p); };
    FakeSession fake({1, 64, 1}, 64, with_hole);
    measure_default(fake);
    ASSERT_TRUE(descent()->run(fake.session));
    EXPECT_NEAR(best(fake).median_ms(), 1, 1e-9);
}

TEST(CoordinateDescent, TakesNoStepThatIsOnlyLucky) {
    // Neighbours seem a little faster than the noise of three samples lets one say.
    FakeSession fake({1}, 2, [](const Point &p) { return p[0] == 2 ? 0.99999 : 1.0; });
    measure_default(fake);
    ASSERT_TRUE(descent()->run(fake.session));
    ASSERT_EQ(fake.events("step").size(), 1u);
    EXPECT_FALSE(fake.events("step").front()["accepted"].get<bool>());
}

TEST(CoordinateDescent, GoesOnToTheNextFastestWhereTheFastestWasOnlyLucky) {
    // 2 is slow, but for its first measurement; of the others 8 is the fastest.
    std::map<int, int> measured;
    FakeSession fake({4}, 8, [&](const Point &p) {
        const bool is_first = ++measured[p[0]] == 1;
        if (p[0] == 2) return is_first ? 0.5 : 1.5;
        return p[0] == 8 ? 0.8 : 1.0;
    });
    measure_default(fake);
    const auto bottom = descent()->run(fake.session);
    ASSERT_TRUE(bottom);
    const auto steps = fake.events("step");
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0]["to"], "2");
    EXPECT_FALSE(steps[0]["accepted"].get<bool>());
    EXPECT_EQ(steps[1]["to"], "8");
    EXPECT_TRUE(steps[1]["accepted"].get<bool>());
    EXPECT_EQ(fake.session.trials()[bottom->front()].median_ms(), 0.8);
}

TEST(CoordinateDescent, ComparesNoNeighbourThatNeverSeemedFaster) {
    FakeSession fake({4}, 8, [](const Point &p) { return p[0] == 4 ? 1.0 : 1.1; });
    measure_default(fake);
    ASSERT_TRUE(descent()->run(fake.session));
    EXPECT_TRUE(fake.events("step").empty());
    EXPECT_EQ(fake.executor.comparisons, 0);
}

TEST(CoordinateDescent, IsAsSureAsIsAskedFor) {
    // A gain of three parts in two thousand, where the noise is one in a thousand: after all looks,
    // luck explains it with a probability of a thousandth.
    const auto little = [](const Point &p) { return p[0] == 2 ? 0.9985 : 1.0; };
    const auto accepted = [&](double confidence) {
        FakeSession fake({1}, 2, little);
        measure_default(fake);
        EXPECT_TRUE(descent({.confidence = confidence})->run(fake.session));
        return fake.events("step").front()["accepted"].get<bool>();
    };
    EXPECT_TRUE(accepted(0.75));
    EXPECT_FALSE(accepted(0.9999));
}

TEST(CoordinateDescent, BeginsWhereItIsAskedTo) {
    const auto begun = [](DescentOrigin origin) {
        FakeSession fake({1, 64, 1}, 64, bowl);
        measure_default(fake);
        const ScheduleRequest other[] = {{.schedule = "another"}};
        EXPECT_TRUE(fake.session.attempt(other));
        EXPECT_TRUE(descent({.origin = origin})->run(fake.session));
        return fake.events("descent").front()["schedule"].get<std::string>();
    };
    EXPECT_EQ(begun(DescentOrigin::best), "another");
    EXPECT_EQ(begun(DescentOrigin::untuned), "default");
    EXPECT_EQ(begun(DescentOrigin::plain), "strategy=plain");
    EXPECT_EQ(parse_descent_origin("plain").value(), DescentOrigin::plain);
    EXPECT_EQ(parse_descent_origin("far").error().message,
              "expected best, default or plain, found 'far'");
}

TEST(CoordinateDescent, FillsTheLastPartWithNeighboursOfANeighbour) {
    // Two coordinates: at most four neighbours, of which one was visited before.
    FakeSession fake({1, 1}, 1 << 20, [](const Point &p) {
        return 2 - 0.01 * std::log2(p[0]) - 0.02 * std::log2(p[1]);
    });
    measure_default(fake);
    ASSERT_TRUE(descent()->run(fake.session));
    int speculative = 0, steps = 0;
    for (const auto &step : fake.events("step")) {
        steps += step["accepted"].get<bool>();
        speculative += step["accepted"].get<bool>() && step["speculative"].get<bool>();
    }
    EXPECT_GT(speculative, 0);
    EXPECT_LT(steps, 20 + 20);  // a speculative one goes two choices at once
    EXPECT_NEAR(best(fake).median_ms(), 2 - 0.2 - 0.4, 1e-9);
}

TEST(CoordinateDescent, SaysNothingOfAComparisonThatWasCutOff) {
    FakeSession fake({1, 64, 1}, 64, bowl);
    fake.executor.recorded_comparisons = 2;
    measure_default(fake);
    ASSERT_TRUE(descent()->run(fake.session));
    EXPECT_EQ(fake.events("step").size(), 2U);
    EXPECT_EQ(fake.events("descent ended").front()["why"], "the run is over");
}

TEST(CoordinateDescent, StopsWhenTheBudgetIsSpentAndWhenAsked) {
    FakeSession poor({1, 64, 1}, 64, bowl, {.seconds = {}, .trials = 9});
    measure_default(poor);
    ASSERT_TRUE(descent()->run(poor.session));
    EXPECT_EQ(poor.session.state().trials, 9);
    EXPECT_EQ(poor.events("descent ended").front()["why"], "the run is over");
    FakeSession stopped({1, 64, 1}, 64, bowl);
    measure_default(stopped);
    stopped.stop = true;
    ASSERT_TRUE(descent()->run(stopped.session));
    EXPECT_EQ(stopped.session.state().trials, 1);
}

}  // namespace
}  // namespace autoschedule_gpu
