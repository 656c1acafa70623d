// The harness itself: each kind of failure, provoked, is seen for what it is.
#include "pipelines/pipeline_check.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "pipelines/checked_cases.h"
#include "pipelines/compare_buffers.h"
#include "pipelines/odd_pipelines.h"

namespace autoschedule_gpu::testing {
namespace {

using Halide::Func;
using Halide::Pipeline;
using Halide::TailStrategy;
using Halide::Target;
using Halide::Var;
using Devices = CheckOptions::Devices;

// in -> a -> out, with a stencil between the two.
PipelineCase small_case() {
    OddCase odd;
    const auto in = odd.input(Halide::Int(32), box({42, 30}));
    const Var x("x"), y("y");
    Func a("a"), out("out");
    a(x, y) = in(x, y) * 2;
    out(x, y) = a(x, y) + a(x + 1, y);
    return odd.output(out, box({41, 30})).finish();
}

// Checks `make` in a child process, as all checks are made. Tests run in processes of their own,
// so there are no threads here yet.
CheckResult check(const CaseMaker &make, const Scheduler &scheduler, Devices devices) {
    CheckOptions options;
    options.devices = devices;
    IsolatedOptions isolation;
    isolation.timeout_s = 60;
    CheckResult result;
    check_cases({{"case", make}}, scheduler, options, isolation,
                [&](const NamedCase &, const CheckResult &got, double) { result = got; });
    return result;
}

CheckResult check(const CaseMaker &make, const Scheduler::Function &schedule,
                  Devices devices = Devices::opencl_only) {
    return check(make, Scheduler{"test", {}, {}, schedule}, devices);
}

void tile_all(const PipelineCase &, Pipeline pipeline, int width, int height, TailStrategy tail) {
    for (int i = 1; i < 3; ++i) {
        Func func = pipeline.get_func(i);
        Var xi, yi;
        func.compute_root().gpu_tile(func.args()[0], func.args()[1], xi, yi, width, height, tail);
    }
}

TEST(PipelineCheck, PassesASoundScheduleAtTwoSizesAndOnBothTargets) {
    const CheckResult result =
        check(small_case, plain_scheduler().function, Devices::opencl_and_cuda);
    EXPECT_EQ(to_string(result.verdict), "passed") << result.reason;
    EXPECT_EQ(result.sizes_run, 2);
    EXPECT_TRUE(result.has_kernels);
    EXPECT_EQ(result.kernels, 3);
}

TEST(PipelineCheck, ReportsAnErrorOfTheAutoscheduler) {
    const CheckResult result =
        check(small_case, [](const PipelineCase &, Pipeline, const Target &) {
            throw Halide::CompileError("no idea");
        });
    EXPECT_EQ(to_string(result.verdict), "autoscheduler error");
    EXPECT_EQ(result.reason, "no idea");
}

TEST(PipelineCheck, ReportsAScheduleThatHalideRefuses) {
    const CheckResult result =
        check(small_case, [](const PipelineCase &, Pipeline pipeline, const Target &) {
            Func out = pipeline.get_func(2);
            out.gpu_threads(out.args()[0]);
        });
    EXPECT_EQ(to_string(result.verdict), "compile error") << result.reason;
}

TEST(PipelineCheck, ReportsABlockThatNoCudaDeviceAccepts) {
    const CheckResult result =
        check(small_case, [](const PipelineCase &c, Pipeline pipeline, const Target &) {
            tile_all(c, pipeline, 64, 32, TailStrategy::GuardWithIf);
        });
    EXPECT_EQ(to_string(result.verdict), "launch error");
    EXPECT_NE(result.reason.find("64 x 32"), std::string::npos) << result.reason;
}

TEST(PipelineCheck, ReportsTheSameForCudaWithoutRunning) {
    const CheckResult result = check(
        small_case,
        [](const PipelineCase &c, Pipeline pipeline, const Target &) {
            tile_all(c, pipeline, 64, 32, TailStrategy::GuardWithIf);
        },
        Devices::cuda_only);
    EXPECT_EQ(to_string(result.verdict), "launch error") << result.reason;
}

TEST(PipelineCheck, ReportsATailThatDoesNotFitTheOutput) {
    const CheckResult result =
        check(small_case, [](const PipelineCase &c, Pipeline pipeline, const Target &) {
            tile_all(c, pipeline, 64, 8, TailStrategy::ShiftInwards);
        });
    EXPECT_EQ(to_string(result.verdict), "run error") << result.reason;
}

TEST(PipelineCheck, ReportsAScheduleThatReadsBeyondTheInputs) {
    const CheckResult result = check(small_case, [](const PipelineCase &, Pipeline pipeline,
                                                    const Target &) {
        Func a = pipeline.get_func(1), out = pipeline.get_func(2);
        Var xi, yi;
        a.compute_root().gpu_tile(a.args()[0], a.args()[1], xi, yi, 64, 8, TailStrategy::RoundUp);
        out.gpu_tile(out.args()[0], out.args()[1], xi, yi, 8, 8, TailStrategy::GuardWithIf);
    });
    EXPECT_EQ(to_string(result.verdict), "run error");
    EXPECT_NE(result.reason.find("is accessed at 63"), std::string::npos) << result.reason;
}

// Inlined, `left` is read for every x, though no x from 20 on is chosen from it.
TEST(PipelineCheck, GivesInputsThatServeASideOfASelectInlinedAndNot) {
    const CaseMaker chooses = [] {
        OddCase odd;
        const auto in = odd.input(Halide::Int(32), box({41, 30}));
        const Var x("x"), y("y");
        Func left("left"), out("out");
        left(x, y) = in(x, y) * 2;
        out(x, y) = Halide::select(x < 20, left(x, y), y);
        return odd.output(out, box({41, 30})).finish();
    };
    const CheckResult at_root = check(chooses, plain_scheduler().function);
    EXPECT_EQ(to_string(at_root.verdict), "passed") << at_root.reason;
    const CheckResult inlined = check(chooses, [](const PipelineCase &c, Pipeline, const Target &) {
        Func out = c.outputs[0].func;
        Var xi, yi;
        out.gpu_tile(out.args()[0], out.args()[1], xi, yi, 8, 8, TailStrategy::GuardWithIf);
    });
    EXPECT_EQ(to_string(inlined.verdict), "passed") << inlined.reason;
    EXPECT_EQ(inlined.sizes_run, 2);
}

TEST(PipelineCheck, NamesTheSizesThatItLeavesOut) {
    const CaseMaker feeds = [] {
        OddCase odd;
        const Var x("x");
        Func a("a"), out("out");
        a(x) = x;
        out(x) = a(2 * x);
        return odd.output(a, box({41})).output(out, box({20})).finish();
    };
    const CheckResult result = check(feeds, plain_scheduler().function);
    EXPECT_EQ(to_string(result.verdict), "passed") << result.reason;
    EXPECT_EQ(result.sizes_run, 1);
    ASSERT_EQ(result.sizes_left_out.count("grown"), 1u);
    EXPECT_NE(result.sizes_left_out.at("grown").find("beyond the max"), std::string::npos)
        << result.sizes_left_out.at("grown");
}

TEST(PipelineCheck, ReportsTheFirstWrongPixel) {
    int made = 0;
    // The second pipeline that is asked for, the one that is scheduled, computes something else.
    const CaseMaker wrong = [&made] {
        OddCase odd;
        const int error = ++made > 2 ? 1 : 0;
        const Var x("x"), y("y");
        Func out("out");
        out(x, y) = x + y + Halide::select(x == 5 && y == 3, error, 0);
        return odd.output(out, box({41, 30})).finish();
    };
    const CheckResult result = check(wrong, plain_scheduler().function);
    EXPECT_EQ(to_string(result.verdict), "wrong output");
    EXPECT_NE(result.reason.find("at [5, 3]: got 9, expected 8"), std::string::npos)
        << result.reason;
}

TEST(PipelineCheck, ReportsWhatPtxasRefuses) {
    OddPipeline calls_c{};
    for (const OddPipeline &odd : odd_pipelines()) {
        if (std::string(odd.name) == "extern_c_call") calls_c = odd;
    }
    const CheckResult result = check(
        calls_c.make,
        [](const PipelineCase &, Pipeline pipeline, const Target &) {
            Func out = pipeline.get_func(2);
            Var xi, yi;
            out.gpu_tile(out.args()[0], out.args()[1], xi, yi, 8, 8, TailStrategy::GuardWithIf);
        },
        Devices::cuda_only);
    EXPECT_EQ(to_string(result.verdict), "ptxas error") << result.reason;
}

constexpr Devices kEachDevice[] = {Devices::opencl_only, Devices::cuda_only};

TEST(PipelineCheck, ReportsAScheduleThatLeavesAllToTheHost) {
    for (const Devices device : kEachDevice) {
        const CheckResult result = check(
            small_case, [](const PipelineCase &, Pipeline, const Target &) {}, device);
        EXPECT_EQ(to_string(result.verdict), "no kernel") << result.reason;
        EXPECT_FALSE(result.has_kernels);
    }
}

// Leaves all to the host, and writes this report.
CheckResult check_on_host(const std::string &report, Devices device) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("pipeline_check_test." + std::to_string(getpid()));
    const Scheduler scheduler{
        "test",
        {},
        {{"report", file.string()}},
        [&](const PipelineCase &, Pipeline, const Target &) { std::ofstream(file) << report; }};
    CheckResult result = check(small_case, scheduler, device);
    std::filesystem::remove(file);
    return result;
}

TEST(PipelineCheck, PassesAScheduleOnTheHostWhereAReportSaysOfEveryStageWhy) {
    for (const Devices device : kEachDevice) {
        const CheckResult told = check_on_host(R"({"predictions": [
            {"stage": "a", "host_reason": "is memoized"},
            {"stage": "out", "host_reason": "reads a, which is memoized"}]})",
                                               device);
        EXPECT_EQ(to_string(told.verdict), "passed") << told.reason;
        EXPECT_EQ(told.host_reason, "a is memoized; out reads a, which is memoized");
        EXPECT_FALSE(told.has_kernels);
        for (const char *untold :
             {R"({"predictions": [{"stage": "a", "host_reason": "is memoized"},
                                  {"stage": "out", "host_reason": null}]})",
              R"({"predictions": []})", R"({"predictions": null})", "no report"}) {
            const CheckResult result = check_on_host(untold, device);
            EXPECT_EQ(to_string(result.verdict), "no kernel") << untold;
        }
    }
}

TEST(PipelineCheck, BlamesThePipelineWhenTheReferenceFails) {
    const CaseMaker too_small = [] {
        OddCase odd;
        const auto in = odd.input(Halide::Int(32), box({10, 10}));
        const Var x("x"), y("y");
        Func out("out");
        out(x, y) = in(x, y);
        return odd.output(out, box({41, 30})).finish();
    };
    EXPECT_EQ(to_string(check(too_small, plain_scheduler().function).verdict), "invalid case");
}

TEST(CheckCases, GoesOnAfterACrashAndAHang) {
    const Scheduler scheduler{
        "test", {}, {}, [](const PipelineCase &c, Pipeline pipeline, const Target &target) {
            const int width = c.outputs[0].region[0].extent();
            if (width == 1) raise(SIGSEGV);
            if (width == 2) sleep(1000);
            plain_scheduler().function(c, pipeline, target);
        }};
    std::vector<NamedCase> cases;
    for (int width : {1, 2, 3}) {
        cases.push_back({std::to_string(width), [width] {
                             OddCase odd;
                             const Var x("x");
                             Func out("out");
                             out(x) = x;
                             return odd.output(out, box({width})).finish();
                         }});
    }
    CheckOptions options;
    options.devices = Devices::opencl_only;
    IsolatedOptions isolation;
    isolation.timeout_s = 20;
    std::vector<std::string_view> verdicts;
    check_cases(cases, scheduler, options, isolation,
                [&](const NamedCase &, const CheckResult &result, double) {
                    verdicts.push_back(to_string(result.verdict));
                });
    EXPECT_EQ(verdicts, (std::vector<std::string_view>{"crashed", "timed out", "passed"}));
}

TEST(CheckResult, SurvivesTheWayThroughAPipe) {
    CheckResult result;
    result.verdict = Verdict::ptxas_error;
    result.reason = "quote \" and newline \n and bytes \xff";
    result.spill_bytes = 12;
    result.has_kernels = true;
    result.host_reason = "a is memoized";
    result.sizes_left_out = {{"big", "too small"}};
    const CheckResult copy = CheckResult::from_json(result.to_json());
    EXPECT_EQ(copy.verdict, Verdict::ptxas_error);
    EXPECT_EQ(copy.spill_bytes, 12);
    EXPECT_TRUE(copy.has_kernels);
    EXPECT_EQ(copy.host_reason, "a is memoized");
    EXPECT_EQ(copy.sizes_left_out, result.sizes_left_out);
    EXPECT_EQ(copy.reason.substr(0, 20), result.reason.substr(0, 20));
}

TEST(CompareBuffers, AllowsFloatsButNotIntegersToDifferInTheLastPlaces) {
    Halide::Buffer<float> a(4), b(4);
    Halide::Buffer<int> c(4), d(4);
    a.fill(1000.0f);
    b.fill(1000.01f);
    c.fill(1000);
    d.fill(1001);
    EXPECT_EQ(compare_buffers(a, b), "");
    EXPECT_EQ(compare_buffers(c, d), "at [0]: got 1000, expected 1001 (4 of 4 differ)");
    b(2) = 1001.0f;
    EXPECT_EQ(compare_buffers(a, b), "at [2]: got 1000, expected 1001 (1 of 4 differ)");
}

}  // namespace
}  // namespace autoschedule_gpu::testing
