#include "tune/strategies/batch.h"

#include <gtest/gtest.h>

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

// Tunes by that batch alone.
void tune_by_batch(FakeSession &fake, const TuneOptions &options) {
    const TunePlan plan{.strategies = {TuneStrategyRegistry().find("batch").value().make(options)}};
    ASSERT_TRUE(tune(fake.session, plan));
}

TEST(ParseTuneMode, KnowsAllAndNamesThem) {
    for (const TuneMode mode : {TuneMode::one_shot, TuneMode::top5, TuneMode::autotune}) {
        EXPECT_EQ(parse_tune_mode(to_string(mode)).value(), mode);
    }
    EXPECT_EQ(parse_tune_mode("top6").error().message,
              "expected one-shot, top5 or autotune, found 'top6'");
}

TEST(DrawsOf, AreOthersForEverySeedAndIteration) {
    const Workload workload = example_workload("app:fake");
    const auto first = [&](uint64_t seed, int iteration) {
        return draws_of({.batch = 4, .seed = seed}, workload, iteration).front().schedule;
    };
    EXPECT_EQ(first(1, 0), first(1, 0));
    EXPECT_NE(first(1, 0), first(2, 0));
    EXPECT_NE(first(1, 0), first(1, 1));
}

TEST(Batch, MeasuresTheDefaultScheduleFirst) {
    FakeSession fake({8, 8}, 8, sum);
    tune_by_batch(fake, {.mode = TuneMode::top5, .batch = 20});
    const auto trials = fake.events("trial");
    ASSERT_EQ(trials.size(), 21u);
    EXPECT_EQ(trials.front()["schedule"], "default");
    EXPECT_EQ(trials.front()["outcome"], "measured");
    EXPECT_EQ(fake.session.state().default_ms, 17);
}

TEST(Batch, AutotuneMeasuresEverySchedule) {
    FakeSession fake({8, 8}, 8, sum);
    tune_by_batch(fake, {.mode = TuneMode::autotune, .batch = 40, .iterations = 2});
    EXPECT_EQ(fake.session.state().trials, 81);
    for (const auto &event : fake.events("trial")) {
        EXPECT_TRUE(event["outcome"] == "measured" || event["outcome"] == "duplicate");
    }
    for (const auto &[code, runs] : fake.executor.runs) EXPECT_EQ(runs, 1);
}

TEST(Batch, TellsCompilingFromRunning) {
    FakeSession fake({8, 8}, 8, sum);
    tune_by_batch(fake, {.mode = TuneMode::autotune, .batch = 40, .iterations = 1});
    const double runs = static_cast<double>(fake.executor.runs.size());
    EXPECT_EQ(fake.session.state().build_s, 41 * FakeExecutor::kBuildSeconds);
    EXPECT_EQ(fake.session.state().run_s, runs * FakeExecutor::kRunSeconds);
}

TEST(Batch, EndsWithTheBudget) {
    FakeSession fake({8, 8}, 8, sum, {.seconds = {}, .trials = 33});
    tune_by_batch(fake, {.mode = TuneMode::autotune});
    EXPECT_EQ(fake.session.state().trials, 33);
}

TEST(Batch, AFailureIsNoEndAndNeverTheBest) {
    FakeSession fake({8, 8}, 8, [](const Point &p) { return p[0] == 1 ? -1 : sum(p); });
    tune_by_batch(fake, {.mode = TuneMode::autotune, .batch = 40, .iterations = 1});
    EXPECT_GT(fake.session.state().failed, 0);
    EXPECT_GE(fake.session.trials()[*fake.session.best()].median_ms(), 4);
}

}  // namespace
}  // namespace autoschedule_gpu
