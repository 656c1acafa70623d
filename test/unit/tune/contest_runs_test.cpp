// Which runs of a contest count, and what their journals say of them.
#include <gtest/gtest.h>

#include <functional>

#include "fake_session.h"
#include "tune/contest/contest.h"
#include "tune/contest/run_course.h"
#include "tune/contest/run_settings.h"
#include "tune/contest/runs_so_far.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

ContestRun run_on(const std::string &app, const std::string &device) {
    return {.app = app, .strategy = "top5", .seed = 1, .device = device};
}

std::vector<std::string> apps_made(const RunsSoFar &runs) {
    std::vector<std::string> apps;
    for (const ContestRun &run : runs.made()) apps.push_back(run.app);
    return apps;
}

// Whoever looks at the contest before the second is made sees the third.
TEST(RunsSoFar, AreThoseOfEarlierCallsFromTheBeginning) {
    RunsSoFar runs({run_on("one", "cpu"), std::nullopt, run_on("three", "cpu"), std::nullopt});
    EXPECT_EQ(apps_made(runs), (std::vector<std::string>{"one", "three"}));
    EXPECT_EQ(runs.to_come(), 2);
    EXPECT_EQ(runs.next(), 1u);
    EXPECT_TRUE(runs.add(1, run_on("two", "cpu")).empty());
    EXPECT_EQ(apps_made(runs), (std::vector<std::string>{"one", "two", "three"}));
    runs.add(3, FailedRun{.app = "four", .why = "it crashed"});
    EXPECT_FALSE(runs.next().has_value());
    EXPECT_EQ(runs.to_come(), 0);
    EXPECT_EQ(runs.failed(), (std::vector<FailedRun>{{.app = "four", .why = "it crashed"}}));
}

TEST(RunsSoFar, OnAnotherDeviceAreToComeAgain) {
    RunsSoFar runs({run_on("one", "cpu"), run_on("two", "gpu"), std::nullopt});
    EXPECT_EQ(runs.add(2, run_on("three", "gpu")), (std::vector<size_t>{0}));
    EXPECT_EQ(apps_made(runs), (std::vector<std::string>{"two", "three"}));
    EXPECT_EQ(runs.next(), 0u);
    EXPECT_TRUE(runs.add(0, run_on("one", "gpu")).empty());
    EXPECT_FALSE(runs.next().has_value());
}

class RunSettings : public testing::Test {
protected:
    RunSettings() {
        request_.workload = example_workload("app:fake", "full");
        request_.workload.generator = scratch_.write("generator", "one");
        request_.bench.model = *find_preset("A100");
        request_.bench.plugin = scratch_.write("plugin.so", "one");
        request_.bench.runner.program = scratch_.write("runner", "one");
        request_.budget.trials = 80;
    }

    std::string all() const { return settings_of(request_, environment_); }
    std::string of_trials() const { return trial_settings_of(request_, environment_); }

    const Scratch scratch_;
    TuneRequest request_;
    NamedValues environment_ = {{"HL_OCL_DEVICE_TYPE", "cpu"}};
};

TEST_F(RunSettings, AreOfAllThatTrialsDependOn) {
    const std::vector<std::pair<const char *, std::function<void()>>> changes = {
        {"another device is chosen",
         [&] {
             environment_ = {{"HL_OCL_DEVICE_TYPE", "gpu"}};
         }},
        {"the GPU's file is changed", [&] { request_.bench.model.sm_count += 1; }},
        {"the size is changed",
         [&] {
             request_.workload.params = {{"width", "64"}};
         }},
        {"the generator is built again", [&] { scratch_.write("generator", "another"); }},
        {"the plugin is built again", [&] { scratch_.write("plugin.so", "another"); }},
        {"the runner is built again", [&] { scratch_.write("runner", "another"); }},
        {"--run-timeout", [&] { request_.bench.limits.run_timeout *= 2; }},
        {"--compile-timeout", [&] { request_.bench.limits.generate.timeout *= 2; }},
        {"--jobs", [&] { request_.jobs = 7; }},
        {"--phases", [&] { request_.bench.phases = CompileOverlap::overlap; }},
        {"--seed", [&] { request_.seed = 7; }}};
    for (const auto &[what, change] : changes) {
        const std::string before = all(), trials_before = of_trials();
        EXPECT_EQ(all(), before);
        change();
        EXPECT_NE(all(), before) << what;
        EXPECT_NE(of_trials(), trials_before) << what;
    }
}

TEST_F(RunSettings, OfTrialsAreNotOfHowManyTheyAreAndOfFinals) {
    const std::string before = all(), trials_before = of_trials();
    request_.budget.trials = 90;
    const std::string more = all();
    EXPECT_NE(more, before);
    request_.finals.rounds += 1;
    EXPECT_NE(all(), more);
    EXPECT_EQ(of_trials(), trials_before);
}

TEST(CompleteRuns, AreFoundByThemselves) {
    const Scratch scratch;
    EXPECT_FALSE(complete_runs_of(scratch.path("contest")));
    scratch.write("contest/runs/two-top5-1/run.json", to_json(run_on("two", "gpu")));
    scratch.write("contest/runs/one-top5-1/run.json", to_json(run_on("one", "cpu")));
    scratch.write("contest/runs/three-top5-1/times.json", "{}");
    const Result<std::vector<ContestRun>> runs = complete_runs_of(scratch.path("contest"));
    ASSERT_TRUE(runs) << runs.error().message;
    ASSERT_EQ(runs->size(), 2u);
    EXPECT_EQ((*runs)[0].app, "one");
    EXPECT_EQ((*runs)[1].app, "two");
    scratch.write("contest/runs/three-top5-1/run.json", "{");
    const auto faulty = complete_runs_of(scratch.path("contest"));
    ASSERT_FALSE(faulty);
    EXPECT_NE(faulty.error().message.find("three-top5-1/run.json: "), std::string::npos);
}

// Of three that were compiled, the first and the last were run, when all three were there.
TEST(RunCourse, HasWhatWasRunAfterABatchWhereItWasRun) {
    FakeSession fake({8, 8}, 8, [](const FakeExecutor::Point &point) {
        return static_cast<double>(point[0] + 8 * point[1]);
    });
    const std::vector<ScheduleRequest> usual = {{.schedule = kFoundByDefault}};
    const auto first = fake.session.attempt(usual);
    ASSERT_TRUE(first && fake.session.close(*first));
    const std::vector<ScheduleRequest> draws = {
        {.schedule = "one"}, {.schedule = "two"}, {.schedule = "three"}, {.schedule = "four"}};
    const auto batch = fake.session.build(draws);
    ASSERT_TRUE(batch);
    ASSERT_TRUE(fake.session.measure(std::vector<size_t>()));
    ASSERT_TRUE(fake.session.measure(*batch) && fake.session.close(*batch));
    ASSERT_EQ(fake.events("chosen").size(), 1u) << "where nothing was run there is none";
    EXPECT_EQ(fake.events("chosen")[0]["after_trials"], 5);

    const Scratch scratch;
    ContestRun run;
    add_course(fake.journal, RunClock::read(scratch.path("none")).value(), run);
    ASSERT_EQ(run.course.size(), 2u);
    EXPECT_EQ(run.course[0].trials, 1);
    EXPECT_EQ(run.course[1].trials, 5);
    EXPECT_EQ(run.course[1].best_ms, fake.session.state().best_ms);
    EXPECT_EQ(run.different, static_cast<int>(fake.session.trials().size()));
}

TEST(RunCourse, HasWhatIsRunAsItIsDrawnInItsOrder) {
    Journal journal("");
    for (const int number : {0, 1, 2}) {
        journal.add({{"event", "trial"},
                     {"number", number},
                     {"schedule", "one"},
                     {"code_hash", std::to_string(number)},
                     {"outcome", "measured"},
                     {"predicted_ms", nullptr},
                     {"median_ms", 9 - number},
                     {"best_ms", 9 - number}});
    }
    const Scratch scratch;
    ContestRun run;
    add_course(journal, RunClock::read(scratch.path("none")).value(), run);
    EXPECT_EQ(run.course, (std::vector<CoursePoint>{{1, 0, 9}, {2, 0, 8}, {3, 0, 7}}));
}

}  // namespace
}  // namespace autoschedule_gpu
