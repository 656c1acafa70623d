#include <gtest/gtest.h>

#include "fake_executor.h"
#include "tune/executors/job.h"
#include "tune/executors/run_limit.h"
#include "tune/run/tuning_run.h"
#include "tune/session/executor.h"
#include "tune/session/journal.h"
#include "tune/session/spill_filter.h"

namespace autoschedule_gpu {
namespace {

using Spills = std::vector<std::optional<int64_t>>;
using Indices = std::vector<size_t>;

TEST(WithoutSpills, DropsWhatSpillsUnlessAllDo) {
    EXPECT_EQ(without_spills(Spills{0, 8, 0, 400}), (Indices{0, 2}));
    EXPECT_EQ(without_spills(Spills{100, 150, 151, 400}), (Indices{0, 1}));
    EXPECT_EQ(without_spills(Spills{std::nullopt, 8}), (Indices{0}));
    EXPECT_EQ(without_spills(Spills{}), (Indices{}));
}

TEST(Attempt, GivesATrialPerRequestInTheirOrderThoughCodeIsRunOnce) {
    FakeExecutor executor({1}, 8, [](const FakeExecutor::Point &p) { return 1.0 * p[0]; });
    const ScheduleRequest other{.schedule = "other",
                                .files = {{"decisions", R"({"decisions": [{"value": 4}]})"}}};
    const std::vector<ScheduleRequest> requests = {other, default_request(), other};
    const auto trials = attempt(executor, requests, std::nullopt);
    ASSERT_TRUE(trials);
    ASSERT_EQ(trials->size(), 3u);
    EXPECT_EQ((*trials)[0].median_ms(), 4);
    EXPECT_EQ((*trials)[1].draw.schedule, kFoundByDefault);
    EXPECT_EQ((*trials)[1].median_ms(), 1);
    EXPECT_EQ((*trials)[2].median_ms(), 4);
    EXPECT_EQ(executor.built, 3);
    for (const auto &[code, runs] : executor.runs) EXPECT_EQ(runs, 1);
}

TEST(Journal, HasWhatWasAnnouncedBeforeTheNextEventUnlessItIsDropped) {
    Journal journal("");
    journal.announce({{"event", "first"}});
    journal.announce({{"event", "second"}});
    EXPECT_TRUE(journal.events().empty());
    journal.add({{"event", "third"}});
    journal.announce({{"event", "dropped"}});
    journal.drop_announced();
    journal.add({{"event", "fourth"}});
    std::string names;
    for (const Journal::Event &event : journal.events()) {
        names += event.at("event").get<std::string>() + " ";
    }
    EXPECT_EQ(names, "first second third fourth ");
}

TEST(RunLimit, IsAMultipleOfTheBest) {
    using std::chrono::milliseconds;
    const NoiseProtocol noise{.warmup_runs = 1, .samples = 5, .time_budget_s = 0.2};
    const milliseconds most{60'000};
    EXPECT_EQ(run_limit(std::nullopt, noise, most), most);
    EXPECT_EQ(run_limit(1000.0, noise, most), most);
    const milliseconds short_one = run_limit(1.0, noise, most);
    EXPECT_GT(short_one, milliseconds{10'000});
    EXPECT_LT(short_one, most);
    EXPECT_EQ(run_limit(101.0, noise, most) - run_limit(1.0, noise, most),
              milliseconds{static_cast<int64_t>(4 * 100 * kSlowestShare)});
}

TEST(TuneJob, TellsAWorkerHowOutputsAreCompared) {
    TuneJob job;
    job.workload.pipeline = "app:blur";
    job.workload.tolerance = {.relative = 0, .integer_steps = 2};
    job.workload.inputs = {{"input", {.least = -0.1, .greatest = 1}},
                           {"mask", {.greatest = 3, .whole = true}}};
    const Result<TuneJob> read = parse_job(to_json(job));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->workload.tolerance, job.workload.tolerance);
    EXPECT_EQ(read->workload.inputs, job.workload.inputs);
}

TEST(SessionId, IsAnotherForOtherTolerancesAndInputs) {
    TuneRequest request;
    const std::string usual = session_id(request);
    request.workload.inputs = {{"input", {.greatest = 2}}};
    const std::string with_inputs = session_id(request);
    EXPECT_NE(with_inputs, usual);
    request.workload.inputs["input"].whole = true;
    EXPECT_NE(session_id(request), with_inputs);
    request.workload.inputs = {};
    EXPECT_EQ(session_id(request), usual);
    request.workload.tolerance.integer_steps = 1;
    EXPECT_NE(session_id(request), usual);
}

TEST(LabelOf, IsOfThePurposeAndTheCodesInWhateverOrder) {
    Trial a{.code_hash = 1}, b{.code_hash = 2}, c{.code_hash = 3};
    Trial *ab[] = {&a, &b}, *ba[] = {&b, &a}, *ac[] = {&a, &c};
    EXPECT_EQ(label_of({.name = "duel"}, ab), label_of({.name = "duel"}, ba));
    EXPECT_NE(label_of({.name = "duel"}, ab), label_of({.name = "final"}, ab));
    EXPECT_NE(label_of({.name = "duel"}, ab), label_of({.name = "duel", .part = 2}, ab));
    EXPECT_NE(label_of({.name = "duel"}, ab), label_of({.name = "duel"}, ac));
}

TEST(IsComplete, IsWhatHasATimeOfEveryRoundThatIsAskedFor) {
    const std::vector<double> times_ms = {1, 2, 3};
    EXPECT_TRUE(is_complete(times_ms, {.name = "final", .rounds = 3}));
    EXPECT_TRUE(is_complete(times_ms, {.name = "final", .rounds = 2}));
    EXPECT_FALSE(is_complete(times_ms, {.name = "final", .rounds = 4}));
    EXPECT_FALSE(is_complete({}, {.name = "final", .rounds = 1}));
}

}  // namespace
}  // namespace autoschedule_gpu
