// A budget of trials is kept to the trial, whatever spends it.
#include <gtest/gtest.h>

#include <algorithm>

#include "fake_session.h"
#include "tune/run/tuner.h"
#include "tune/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

using Point = FakeExecutor::Point;

double sum(const Point &point) {
    double ms = 1;
    for (int x : point) ms += x;
    return ms;
}

ScheduleRequest earlier_best() {
    return {
        .schedule = "record 00000000000000ab",
        .files = {{"decisions", R"({"decisions": [{"value": 1}, {"value": 2}, {"value": 1}]})"}}};
}

void tune_by(const TuneStrategyMaker &maker, FakeSession &fake) {
    TunePlan plan{.known = {earlier_best()}};
    const TuneOptions options{.mode = TuneMode::autotune, .batch = 5, .iterations = 4};
    plan.strategies.push_back(maker.make(options));
    EXPECT_TRUE(tune(fake.session, plan)) << maker.name;
    EXPECT_EQ(fake.session.state().trials, static_cast<int>(fake.events("trial").size()));
}

TEST(TrialBudget, IsKeptByEveryStrategyAndHasAPlaceForTheBestOfEarlierRuns) {
    const TuneStrategyRegistry registry;
    for (const TuneStrategyMaker &maker : registry.makers()) {
        for (const int budget : {1, 2, 3, 11}) {
            FakeSession fake({8, 8, 8}, 8, sum, {.seconds = {}, .trials = budget});
            tune_by(maker, fake);
            EXPECT_LE(fake.session.state().trials, budget) << maker.name;
            const auto is_earlier = [](const Journal::Event &event) {
                return event["schedule"] == earlier_best().schedule;
            };
            const auto trials = fake.events("trial");
            EXPECT_EQ(std::ranges::count_if(trials, is_earlier), budget > 1 ? 1 : 0) << maker.name;
        }
    }
}

}  // namespace
}  // namespace autoschedule_gpu
