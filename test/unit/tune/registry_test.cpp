#include "tune/strategies/registry.h"

#include <gtest/gtest.h>

#include "fake_session.h"
#include "tune/run/tuner.h"

namespace autoschedule_gpu {
namespace {

// Tries one schedule, of a list of decisions, and sends it to the finals.
class OneTry final : public TuneStrategy {
public:
    std::string_view name() const override { return "one_try"; }
    StartsFrom starts_from() const override { return StartsFrom::own_draws; }
    int trials_wanted() const override { return 1; }

    Result<std::vector<size_t>> run(Session &session) const override {
        const ScheduleRequest draws[] = {
            {.schedule = "two", .files = {{"decisions", R"({"decisions": [{"value": 2}]})"}}}};
        Result<std::vector<size_t>> batch = session.attempt(draws);
        if (!batch) return batch;
        if (Status closed = session.close(*batch); !closed) return closed.error();
        return batch;
    }
};

TuneStrategyMaker one_try() {
    return {"one_try", "tries one", [](const TuneOptions &) { return std::make_shared<OneTry>(); }};
}

TEST(TuneStrategyRegistry, MakesWhatIsShippedByItsName) {
    const TuneStrategyRegistry registry;
    ASSERT_GE(registry.makers().size(), 2u);
    for (const TuneStrategyMaker &maker : registry.makers()) {
        EXPECT_EQ(maker.make({})->name(), maker.name);
        EXPECT_FALSE(maker.summary.empty()) << maker.name;
    }
}

TEST(TuneStrategyRegistry, NamesWhatItKnows) {
    const auto unknown = TuneStrategyRegistry().find("guess");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message,
              "expected batch, coordinate_descent, random, grid, annealing, evolutionary or "
              "genetic, found "
              "'guess'");
}

TEST(TuneStrategyRegistry, TakesAnotherButNoneTwice) {
    TuneStrategyRegistry registry;
    ASSERT_TRUE(registry.add(one_try()));
    EXPECT_EQ(registry.add(one_try()).error().message, "there is a strategy 'one_try' already");
    EXPECT_FALSE(TuneStrategyRegistry().find("one_try"));
    FakeSession fake({4}, 4, [](const FakeExecutor::Point &point) { return 1.0 + point[0]; });
    const Result<Finals> finals =
        tune(fake.session, {.strategies = {registry.find("one_try")->make({})}});
    ASSERT_TRUE(finals);
    EXPECT_EQ(fake.session.state().trials, 2);
    EXPECT_EQ(fake.session.trials()[finals->best().trial].draw.schedule, "two");
}

TEST(Tune, TriesWhatIsKnownBeforeStrategiesThatStartFromIt) {
    FakeSession fake({64}, 64, [](const FakeExecutor::Point &point) { return 1.0 + point[0]; });
    const TuneStrategyRegistry registry;
    const TunePlan plan{
        .strategies = {registry.find("coordinate_descent")->make({}),
                       registry.find("batch")->make({.mode = TuneMode::top5, .batch = 2})},
        .known = {
            {.schedule = "known", .files = {{"decisions", R"({"decisions": [{"value": 1}]})"}}}}};
    ASSERT_TRUE(tune(fake.session, plan));
    const auto trials = fake.events("trial");
    ASSERT_GE(trials.size(), 4u);
    EXPECT_EQ(trials[0]["schedule"], "default");
    EXPECT_NE(trials[1]["schedule"], "known");
    EXPECT_EQ(trials[3]["schedule"], "known");
    EXPECT_EQ(fake.events("descent").front()["schedule"], "known");
}

}  // namespace
}  // namespace autoschedule_gpu
