#include "tune/strategies/batch.h"

#include <gtest/gtest.h>

#include <set>

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

TEST(BatchDraws, AreOthersForEverySeedIterationAndRedraw) {
    const Workload workload = example_workload("app:fake");
    const auto first = [&](uint64_t seed, int iteration, int redraws = 0) {
        const TuneOptions options{.batch = 4, .seed = seed};
        return BatchDraws(options, workload, iteration).draw(0, redraws).schedule;
    };
    EXPECT_EQ(first(1, 0), first(1, 0));
    EXPECT_NE(first(1, 0), first(2, 0));
    EXPECT_NE(first(1, 0), first(1, 1));
    EXPECT_NE(first(1, 0), first(1, 0, 1));
}

TEST(Batch, MeasuresTheDefaultScheduleFirst) {
    FakeSession fake({8, 8, 8, 8, 8, 8}, 8, sum);
    tune_by_batch(fake, {.mode = TuneMode::top5, .batch = 20});
    const auto trials = fake.events("trial");
    ASSERT_EQ(trials.size(), 21u);
    EXPECT_EQ(trials.front()["schedule"], "default");
    EXPECT_EQ(trials.front()["outcome"], "measured");
    EXPECT_EQ(fake.session.state().default_ms, 49);
}

TEST(Batch, GoesByABudgetThatIsTooShortForWhatItTakesTheBestOf) {
    const auto goes_by = [](TuneMode mode, const Budget &budget) {
        const TuneOptions options{.mode = mode, .batch = 20};
        return TuneStrategyRegistry().find("batch").value().make(options)->goes_by(budget);
    };
    for (const TuneMode mode : {TuneMode::one_shot, TuneMode::top5}) {
        EXPECT_TRUE(goes_by(mode, {.trials = 20})) << "one is the default schedule";
        EXPECT_FALSE(goes_by(mode, {.trials = 21}));
        EXPECT_TRUE(goes_by(mode, {.seconds = 60}));
        EXPECT_FALSE(goes_by(mode, {}));
    }
    EXPECT_FALSE(goes_by(TuneMode::autotune, {.trials = 5})) << "it runs whatever it compiles";
}

TEST(Batch, AutotuneMeasuresEverySchedule) {
    FakeSession fake({8, 8, 8, 8, 8, 8}, 8, sum);
    tune_by_batch(fake, {.mode = TuneMode::autotune, .batch = 40, .iterations = 2});
    EXPECT_EQ(fake.session.state().trials, 81);
    for (const auto &event : fake.events("trial")) EXPECT_EQ(event["outcome"], "measured");
    EXPECT_EQ(fake.executor.runs.size(), 81u);
    EXPECT_TRUE(fake.events("few schedules").empty());
    for (const auto &[code, runs] : fake.executor.runs) EXPECT_EQ(runs, 1);
}

TEST(Batch, DrawsAgainWhatLeadsToKnownCode) {
    for (const TuneMode mode : {TuneMode::top5, TuneMode::autotune}) {
        FakeSession fake({8, 8, 8}, 8, sum);  // 64 points
        tune_by_batch(fake, {.mode = mode, .batch = 40, .iterations = 1});
        const auto trials = fake.events("trial");
        std::set<std::string> codes;
        for (const auto &event : trials) codes.insert(event["code_hash"].get<std::string>());
        EXPECT_EQ(codes.size(), trials.size());
        EXPECT_EQ(fake.session.state().trials, static_cast<int>(trials.size()));
        EXPECT_GE(trials.size(), 38u);
        EXPECT_FALSE(fake.events("drawn again").empty());
        EXPECT_GT(fake.executor.built, static_cast<int>(trials.size()));
    }
}

TEST(Batch, OfASmallSpaceIsThatSpaceAtMost) {
    FakeSession fake({8}, 8, sum);  // 4 points
    tune_by_batch(fake, {.mode = TuneMode::autotune, .batch = 40, .iterations = 3});
    EXPECT_LE(fake.session.state().trials, 4);
    EXPECT_EQ(fake.executor.runs.size(), fake.session.trials().size());
    EXPECT_EQ(fake.events("strategy ended").front()["why"], "no further schedule was drawn");
    EXPECT_EQ(fake.events("few schedules").back()["different"], fake.session.trials().size());
}

TEST(Session, KeepsWhatCameOfRunningCodeThatWasOnlyCompiledBefore) {
    FakeSession fake({8}, 8, sum);
    const std::vector<ScheduleRequest> first = {{.schedule = "one"}};
    ASSERT_TRUE(fake.session.build(first));
    const std::string list = fake.session.trials().front().decisions;
    EXPECT_FALSE(fake.session.best());
    const std::vector<ScheduleRequest> again = {
        {.schedule = "two", .scheduler_params = {}, .files = {{"decisions", list}}}};
    ASSERT_TRUE(fake.session.attempt(again));
    ASSERT_EQ(fake.session.trials().size(), 1u);
    EXPECT_EQ(fake.session.best(), 0u);
}

TEST(Session, KeepsTimeForRunsThatAreToComeAfterWhatIsBuilt) {
    TimeLimit limit(1000);
    FakeSession fake({8}, 8, sum, {.seconds = 1000}, &limit);
    const std::vector<ScheduleRequest> first = {{.schedule = "one"}};
    ASSERT_TRUE(fake.session.attempt(first));
    const double before_s = *limit.left_to_begin_s();
    const double five_s = 5 * fake.session.seconds_per_run();
    fake.session.keep_time_for_runs(5);
    EXPECT_NEAR(*limit.left_to_begin_s(), before_s - five_s, five_s / 10);
    fake.session.use_kept_time();
    EXPECT_GT(*limit.left_to_begin_s(), before_s - five_s / 10);
}

TEST(Batch, TellsCompilingFromRunning) {
    FakeSession fake({8, 8}, 8, sum);
    tune_by_batch(fake, {.mode = TuneMode::autotune, .batch = 40, .iterations = 1});
    const double runs = static_cast<double>(fake.executor.runs.size());
    EXPECT_EQ(fake.session.state().build_s, fake.executor.built * FakeExecutor::kBuildSeconds);
    EXPECT_EQ(fake.session.state().run_s, runs * FakeExecutor::kRunSeconds);
}

TEST(Batch, EndsWithTheBudget) {
    FakeSession fake({8, 8, 8, 8}, 8, sum, {.seconds = {}, .trials = 33});
    tune_by_batch(fake, {.mode = TuneMode::autotune});
    EXPECT_EQ(fake.session.state().trials, 33);
}

TEST(Batch, EndsWhereTheRecordingOfARunThatItRepeatsDoes) {
    for (const TuneMode mode : {TuneMode::top5, TuneMode::autotune}) {
        FakeSession fake({8, 8, 8, 8, 8, 8}, 8, sum);
        fake.executor.recorded = 9;
        tune_by_batch(fake, {.mode = mode, .batch = 40, .iterations = 2});
        EXPECT_LE(fake.session.state().trials, 9);
        EXPECT_EQ(fake.session.state().trials, static_cast<int>(fake.session.trials().size()));
        EXPECT_EQ(fake.events("trial").size(), fake.session.trials().size());
        EXPECT_TRUE(fake.events("few schedules").empty());
    }
}

TEST(Batch, AFailureIsNoEndAndNeverTheBest) {
    FakeSession fake({8, 8}, 8, [](const Point &p) { return p[0] == 1 ? -1 : sum(p); });
    tune_by_batch(fake, {.mode = TuneMode::autotune, .batch = 40, .iterations = 1});
    EXPECT_GT(fake.session.state().failed, 0);
    EXPECT_GE(fake.session.trials()[*fake.session.best()].median_ms(), 4);
}

}  // namespace
}  // namespace autoschedule_gpu
