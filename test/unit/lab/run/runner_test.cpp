// The side of the runner that starts it, with shell scripts in its place.
#include "lab/run/runner.h"

#include <gtest/gtest.h>

#include "lab/build/step.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

using std::chrono::milliseconds;

TEST(RunCommand, HoldsTheWholeJob) {
    RunJob job = {.library = "a.so",
                  .name = "blur",
                  .expected = "exp",
                  .device = RunDevice::cuda,
                  .noise = {.warmup_runs = 1, .samples = 7, .time_budget_s = 0.25}};
    EXPECT_EQ(shell_text(run_command("runner", job)),
              "runner run --library a.so --name blur --expected exp --device cuda --warmup 1 "
              "--samples 7 --time-budget 0.25");
    job.tolerance = {.relative = 1e-3, .integer_steps = 1};
    EXPECT_TRUE(
        shell_text(run_command("runner", job)).ends_with(" --tolerance 0.001 --integer-steps 1"));
    job = {.locks_device = true, .timeout = milliseconds{2500}};
    EXPECT_TRUE(shell_text(run_command("runner", job)).ends_with(" --lock-device 2.5"));
}

TEST(ReferenceCommand, HoldsTheWholeJob) {
    const ReferenceJob job = {.library = "a.so",
                              .name = "blur",
                              .expected = "exp",
                              .extents = {{"input", {31, 17, 3}}, {"output", {5}}},
                              .inputs = {{"weights", {.least = -0.5, .greatest = 2}},
                                         {"input", {.greatest = 3, .whole = true}}},
                              .seed = 9};
    EXPECT_EQ(shell_text(reference_command("runner", job)),
              "runner reference --library a.so --name blur --out exp --seed 9 --extents "
              "input=31x17x3 --extents output=5 --input input=0:3:whole --input weights=-0.5:2");
}

class Running : public ::testing::Test {
protected:
    Outcome<RunReport> run(const std::string &script, milliseconds timeout = milliseconds{30000}) {
        runner_ = scratch_.program("runner", script);
        return run_candidate({.program = runner_},
                             {.library = "a.so", .name = "n", .timeout = timeout});
    }
    static std::string report_line(const RunReport &report) {
        return "echo '" + to_json(report) + "'";
    }

    Scratch scratch_;
    std::string runner_;
};

TEST_F(Running, ReadsTheReportFromTheLastLine) {
    RunReport report;
    report.verified = true;
    report.samples_ms = {1, 2};
    const auto result = run("echo 'the pipeline prints too'; " + report_line(report));
    ASSERT_TRUE(result.ok()) << result.error().reason;
    EXPECT_EQ(*result, report);
}

TEST_F(Running, TakesNoTimeThatIsNoneAndNoOutputThatNobodyCompared) {
    RunReport report;
    report.verified = true;
    for (const double ms : {0.0, -1.0}) {
        report.samples_ms = {1, ms};
        const auto result = run(report_line(report));
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().kind, FailureKind::launch);
        EXPECT_TRUE(result.error().reason.starts_with("it reported a time of "));
    }
    report.samples_ms = {1, 2};
    report.verified = false;
    EXPECT_EQ(run(report_line(report)).error().kind, FailureKind::wrong_output);
}

TEST_F(Running, MakesTheReportsFailureItsOwnWithACommand) {
    RunReport report;
    report.failure = Failure{.kind = FailureKind::launch, .reason = "too many threads"};
    const auto result = run(report_line(report) + "; exit 3");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, FailureKind::launch);
    EXPECT_EQ(result.error().reason, "too many threads");
    EXPECT_TRUE(result.error().command.starts_with(runner_ + " run --library a.so --name n "));
}

TEST_F(Running, OnAFullDiskSaysNothingOfTheSchedule) {
    RunReport report;
    report.failure = Failure{.kind = FailureKind::compile,
                             .reason = "clBuildProgram failed",
                             .output = "cannot write the program: No space left on device"};
    const auto result = run(report_line(report) + "; exit 3");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, FailureKind::setup);
    EXPECT_NE(result.error().reason.find("(No space left on device)"), std::string::npos);
}

TEST_F(Running, TellsHowItEndedOtherwise) {
    struct Case {
        const char *script;
        FailureKind kind;
        const char *reason;
    };
    for (const Case &c :
         {Case{"echo 'pipeline_runner: no such file' >&2; exit 1", FailureKind::setup,
               "pipeline_runner: no such file"},
          Case{"exit 2", FailureKind::setup, ""},
          Case{"echo nonsense", FailureKind::crash,
               "the run left no report: expected a run's report, found none"},
          Case{"kill -KILL $$", FailureKind::lost, "the run was ended by signal 9 (Killed)"},
          Case{"echo 'pipeline_runner: loading' >&2; echo 'pipeline_runner: no driver' >&2; exit 1",
               FailureKind::setup, "pipeline_runner: no driver"},
          Case{"echo 'pipeline_runner: first run' >&2; kill -ABRT $$", FailureKind::crash,
               "the run was ended by signal 6 (Aborted); its last words: pipeline_runner: first "
               "run"}}) {
        const auto result = run(c.script);
        ASSERT_FALSE(result.ok()) << c.script;
        EXPECT_EQ(result.error().kind, c.kind) << c.script;
        EXPECT_EQ(result.error().reason, c.reason);
    }
}

TEST_F(Running, StopsAfterItsTime) {
    const auto result = run("echo 'pipeline_runner: timing' >&2; sleep 600", milliseconds{1200});
    EXPECT_EQ(result.error().kind, FailureKind::timeout);
    EXPECT_EQ(result.error().reason,
              "the run did not end within 1.2 s; its last words: pipeline_runner: timing");
}

TEST(InOneLine, JoinsBlanksAndCutsWhatIsLong) {
    EXPECT_EQ(in_one_line(" a\n\n b\tc \n"), "a b c");
    EXPECT_EQ(in_one_line(""), "");
    EXPECT_EQ(in_one_line(std::string(1000, 'x')).size(), 404u);
}

// An executor that ends as it is told.
class Ending final : public api::Executor {
public:
    explicit Ending(api::RunResult result) : result_(std::move(result)) {}

    std::string_view name() const override { return "ending"; }

    api::RunResult run(const api::RunRequest &request) const override {
        EXPECT_EQ(shell_text(request.command).rfind("/runner run --library a.so", 0), 0u);
        EXPECT_EQ(request.files, (std::vector<std::string>{"/runner", "a.so", "expected"}));
        EXPECT_EQ(request.time_limit_s, 1.5);
        return result_;
    }

private:
    api::RunResult result_;
};

Outcome<RunReport> run_by(const api::RunResult &result) {
    return run_candidate(
        {.program = "/runner", .executor = std::make_shared<Ending>(result)},
        {.library = "a.so", .name = "n", .expected = "expected", .timeout = milliseconds{1500}});
}

TEST(RunByAnExecutor, IsReadAsARunOfThisProcess) {
    RunReport report;
    report.verified = true;
    report.samples_ms = {1, 2};
    const auto result = run_by({api::RunEnd::exited, 0, "a line\n" + to_json(report) + "\n", ""});
    ASSERT_TRUE(result.ok()) << result.error().reason;
    EXPECT_EQ(*result, report);
}

TEST(RunByAnExecutor, FailsAsItsEndSays) {
    const auto failure = [](api::RunEnd end, int code = 0) {
        return run_by({end, code, "", "some words"}).error();
    };
    EXPECT_EQ(failure(api::RunEnd::exited).kind, FailureKind::crash);
    EXPECT_EQ(failure(api::RunEnd::killed_by_signal, 11).kind, FailureKind::crash);
    EXPECT_EQ(failure(api::RunEnd::timed_out).kind, FailureKind::timeout);
    EXPECT_EQ(failure(api::RunEnd::lost).kind, FailureKind::lost);
    EXPECT_EQ(failure(api::RunEnd::not_started).kind, FailureKind::setup);
    EXPECT_EQ(failure(api::RunEnd::not_started).reason,
              "the executor \"ending\" could not start the run: some words");
}

}  // namespace
}  // namespace autoschedule_gpu
