// The program itself, with real pipelines on the CPU and on OpenCL.
#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "core/process/subprocess.h"
#include "lab/run/device_lock.h"
#include "lab/run/reference_files.h"
#include "lab/run/runner_exit.h"
#include "unit/lab/run/measured_pipelines.h"

namespace autoschedule_gpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class PipelineRunner : public MeasuredPipelines {
protected:
    static Outcome<RunReport> run(const std::string &library, const std::string &expected,
                                  RunDevice device = RunDevice::opencl,
                                  milliseconds timeout = seconds{60}) {
        return run_candidate({.program = PIPELINE_RUNNER}, {.library = library,
                                                            .name = "blur_pipeline",
                                                            .expected = expected,
                                                            .device = device,
                                                            .noise = kQuick,
                                                            .timeout = timeout});
    }

    // How the library `name` fails.
    Failure failure_of(const std::string &name, RunDevice device = RunDevice::cpu,
                       milliseconds timeout = seconds{60}) {
        const auto result = run(library(name), expected("blur"), device, timeout);
        EXPECT_FALSE(result.ok());
        return result ? Failure{} : result.error();
    }

    // A run on the CPU that takes the lock of that device itself.
    Outcome<RunReport> locked_run(const std::string &name, milliseconds timeout) {
        return run_candidate({.program = PIPELINE_RUNNER}, {.library = library(name),
                                                            .name = "blur_pipeline",
                                                            .expected = expected("blur"),
                                                            .locks_device = true,
                                                            .device = RunDevice::cpu,
                                                            .noise = kQuick,
                                                            .timeout = timeout});
    }

    static ProcessResult tool(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), PIPELINE_RUNNER);
        return run_process(arguments, seconds{60}).value();
    }
};

TEST_F(PipelineRunner, VerifiesAndTimesAScheduleOnOpenCL) {
    const auto report = run(library("blur_opencl"), expected("blur"));
    ASSERT_TRUE(report.ok()) << report.error().reason;
    EXPECT_TRUE(report->verified);
    ASSERT_EQ(report->outputs.size(), 1u);
    EXPECT_EQ(report->outputs[0].elements, 96 * 64);
    EXPECT_EQ(report->outputs[0].wrong_elements, 0);
    EXPECT_GT(report->outputs[0].greatest_magnitude, 0.3);
    EXPECT_NE(report->device_name, "");
    EXPECT_NE(report->driver_version, "");
    EXPECT_EQ(report->samples_ms.size(), 4u);
    for (const double ms : report->samples_ms) EXPECT_GT(ms, 0);
    EXPECT_GT(report->first_run_ms, 0);
    EXPECT_FALSE(report->l2_flushed);
}

TEST_F(PipelineRunner, FillsInputsOfACandidateAsThoseOfTheReference) {
    const std::string folder = expected("blur", {}, {{"input", {.least = -8, .greatest = -4}}});
    const auto report = run(library("blur_opencl"), folder);
    ASSERT_TRUE(report.ok()) << report.error().reason;
    EXPECT_TRUE(report->verified);
    EXPECT_GT(report->outputs[0].greatest_magnitude, 4);
    EXPECT_LT(report->outputs[0].greatest_magnitude, 8);
}

TEST_F(PipelineRunner, TellsOfAReferenceThatIsConstantAndMakesIt) {
    const auto reference = [this](InputRanges inputs) {
        return run_reference({.program = PIPELINE_RUNNER}, {.library = library("blur"),
                                                            .name = "blur_pipeline",
                                                            .expected = scratch_.path("expected"),
                                                            .inputs = std::move(inputs)});
    };
    const auto usual = reference({});
    ASSERT_TRUE(usual.ok()) << usual.error().reason;
    EXPECT_TRUE(usual->constant_outputs.empty());
    // No picture is as bright as to be left.
    const auto black = reference({{"input", {.least = -1e9, .greatest = 1, .clamp_below = 0}}});
    ASSERT_TRUE(black.ok()) << black.error().reason;
    EXPECT_EQ(black->constant_outputs, std::vector<std::string>{"output"});
    EXPECT_TRUE(read_reference(scratch_.path("expected")).ok());
}

TEST_F(PipelineRunner, RunsAtSizesThatAreNoMultipleOfTheTile) {
    const auto report =
        run(library("blur_opencl"), expected("blur", {{"input", {97, 61}}, {"output", {97, 61}}}));
    ASSERT_TRUE(report.ok()) << report.error().reason;
    EXPECT_EQ(report->outputs[0].elements, 97 * 61);
}

TEST_F(PipelineRunner, RunsACandidateThatWasMadeForAnotherSize) {
    const auto report = run(library("small_blur_opencl"), expected("blur"));
    ASSERT_TRUE(report.ok()) << report.error().reason;
    EXPECT_EQ(report->outputs[0].elements, 96 * 64);
}

TEST_F(PipelineRunner, FindsTheOnePixelThatIsWrong) {
    const Failure failure = failure_of("wrong_opencl", RunDevice::opencl);
    EXPECT_EQ(failure.kind, FailureKind::wrong_output);
    EXPECT_TRUE(failure.reason.starts_with(
        "1 of 6144 elements of output are wrong; the worst, at (40, 30), is "))
        << failure.reason;
}

TEST_F(PipelineRunner, FindsAPixelThatIsNotANumber) {
    const Failure failure = failure_of("nan");
    EXPECT_EQ(failure.kind, FailureKind::wrong_output);
    EXPECT_NE(failure.reason.find("at (40, 30), is "), std::string::npos) << failure.reason;
    EXPECT_NE(failure.reason.find("nan"), std::string::npos) << failure.reason;
}

TEST_F(PipelineRunner, TellsACrash) {
    const Failure failure = failure_of("crash");
    EXPECT_EQ(failure.kind, FailureKind::crash);
    EXPECT_EQ(
        failure.reason,
        "the run was ended by signal 6 (Aborted); its last words: pipeline_runner: first run");
}

TEST_F(PipelineRunner, IsStoppedWhenThePipelineHangs) {
    const Failure failure = failure_of("hang", RunDevice::cpu, milliseconds{1500});
    EXPECT_EQ(failure.kind, FailureKind::timeout);
    EXPECT_EQ(failure.reason,
              "the run did not end within 1.5 s; its last words: pipeline_runner: first run");
}

TEST_F(PipelineRunner, HasItsWholeTimeAfterItsWaitForTheDevice) {
    std::optional<Result<DeviceLock>> lock = DeviceLock::acquire("cpu");
    ASSERT_TRUE(lock->ok());
    std::thread holder([&lock] {
        std::this_thread::sleep_for(milliseconds{3500});
        lock.reset();
    });
    const auto waited = locked_run("blur", seconds{3});
    holder.join();
    ASSERT_TRUE(waited.ok()) << waited.error().reason;
    EXPECT_TRUE(waited->verified);
    const auto hanging = locked_run("hang", milliseconds{1500});
    ASSERT_FALSE(hanging.ok());
    EXPECT_EQ(hanging.error().kind, FailureKind::timeout);
    EXPECT_EQ(hanging.error().reason,
              "the run did not end within 1.5 s; its last words: pipeline_runner: first run");
}

TEST_F(PipelineRunner, TellsHalidesOwnChecks) {
    const Failure failure = failure_of("halide_error");
    EXPECT_EQ(failure.kind, FailureKind::halide);
    EXPECT_NE(failure.reason.find("the picture is too wide"), std::string::npos) << failure.reason;
}

TEST_F(PipelineRunner, TellsALaunchThatTheDeviceRefuses) {
    const Failure failure = failure_of("too_many_threads_opencl", RunDevice::opencl);
    EXPECT_EQ(failure.kind, FailureKind::launch) << failure.reason;
    EXPECT_NE(failure.reason.find("CL_INVALID_WORK_GROUP_SIZE"), std::string::npos)
        << failure.reason;
}

TEST_F(PipelineRunner, TakesArgumentsOfAllSorts) {
    const std::string folder = expected("mixed");
    const Reference reference = read_reference(folder).value();
    ASSERT_EQ(reference.arguments.size(), 9u);
    const FilterArgument &pixels = reference.arguments[0];
    EXPECT_EQ(pixels.name, "pixels");
    EXPECT_EQ(pixels.dimensions, (std::vector<Dimension>{{-4, 40, 3}, {0, 30, 120}, {0, 3, 1}}));
    // One more than estimated: the pipeline needs it.
    EXPECT_EQ(reference.arguments[1].dimensions, (std::vector<Dimension>{{0, 21, 1}}));
    EXPECT_EQ(to_string(reference.arguments[2].type), "float16");
    EXPECT_TRUE(reference.arguments[3].dimensions.empty());
    EXPECT_EQ(reference.arguments[4].scalar_bits, uint64_t{1} << 40);
    EXPECT_EQ(reference.arguments[5].scalar_bits, 1u);
    EXPECT_EQ(reference.arguments[8].name, "total");

    const auto report = run_candidate({.program = PIPELINE_RUNNER}, {.library = library("mixed"),
                                                                     .name = "mixed_pipeline",
                                                                     .expected = folder,
                                                                     .device = RunDevice::cpu,
                                                                     .noise = kQuick});
    ASSERT_TRUE(report.ok()) << report.error().reason;
    EXPECT_EQ(report->outputs.size(), 3u);
    EXPECT_GE(report->outputs[2].greatest_magnitude, 0x1p40);
}

TEST_F(PipelineRunner, MakesTheSameReferenceAgain) {
    const std::string first = text_of(expected("blur") + "/output.raw");
    EXPECT_EQ(first.size(), 96u * 64 * 4);
    EXPECT_EQ(text_of(expected("blur") + "/output.raw"), first);
}

TEST_F(PipelineRunner, SaysWhatIsMissingOrOfAnotherKind) {
    const std::string folder = expected("blur");
    const std::string plain = library("blur");
    scratch_.write("precious/file", "x");
    struct Case {
        std::vector<std::string> arguments;
        std::string message;
    };
    const std::vector<Case> cases = {
        {{"run", "--library", plain, "--name", "blur_pipeline", "--expected", folder, "--device",
          "opencl"},
         "was not compiled for opencl: its target is "},
        {{"run", "--library", plain, "--name", "other", "--expected", folder},
         "expected the pipeline other, found no other_argv and other_metadata"},
        {{"run", "--library", "/no/such.so", "--name", "x", "--expected", folder},
         "cannot load the library: "},
        {{"run", "--library", plain, "--name", "blur_pipeline", "--expected", "/no/such"},
         "/no/such/reference.json: cannot be read"},
        {{"reference", "--library", plain, "--name", "blur_pipeline", "--out", scratch_.path("out"),
          "--extents", "input=5x5x5"},
         "the pipeline has no buffer input of 3 dimensions"},
        {{"reference", "--library", plain, "--name", "blur_pipeline", "--out", scratch_.path("out"),
          "--input", "output=0:5"},
         "the pipeline has no input output to be filled; it has: input"},
        {{"reference", "--library", plain, "--name", "blur_pipeline", "--out", scratch_.path("out"),
          "--input", "input=0:1e39"},
         "the input input is of type float32, which does not have all of the range"},
        {{"reference", "--library", plain, "--name", "blur_pipeline", "--out", scratch_.path("out"),
          "--input", "input=0:1", "--input", "input=0:2"},
         "expected each input once, found 'input' again"},
        {{"reference", "--library", plain, "--name", "blur_pipeline", "--out",
          scratch_.path("precious")},
         "is there already and holds no reference"}};
    for (const Case &c : cases) {
        const ProcessResult result = tool(c.arguments);
        EXPECT_EQ(result.code, static_cast<int>(RunnerExit::not_measured)) << c.message;
        EXPECT_NE(result.err.find(c.message), std::string::npos) << result.err;
    }
}

TEST_F(PipelineRunner, RefusesAReferenceOfAnotherPipeline) {
    const auto result = run(library("blur"), expected("mixed"), RunDevice::cpu);
    EXPECT_EQ(result.error().kind, FailureKind::setup);
    EXPECT_NE(result.error().reason.find("the library has 3 arguments, the reference 9"),
              std::string::npos)
        << result.error().reason;
}

TEST_F(PipelineRunner, NeedsTheRuntimeInTheLibrary) {
    const ProcessResult result = tool({"reference", "--library", library("without_runtime"),
                                       "--name", "blur_pipeline", "--out", "x"});
    EXPECT_EQ(result.code, static_cast<int>(RunnerExit::not_measured));
}

TEST_F(PipelineRunner, ExitsWith2OnBadUsage) {
    for (const std::vector<std::string> &arguments :
         {std::vector<std::string>{},
          {"run"},
          {"dance"},
          {"run", "--library", "a", "--name", "b", "--expected", "c", "--device", "gpu"},
          {"run", "--library", "a", "--name", "b", "--expected", "c", "--samples", "-1"},
          {"reference", "--library", "a", "--name", "b", "--out", "c", "--extents", "x"},
          {"reference", "--library", "a", "--name", "b", "--out", "c", "--extents", "x=3x"},
          {"reference", "--library", "a", "--name", "b", "--out", "c", "--extents", "x=3x0"},
          {"reference", "--library", "a", "--name", "b", "--out", "c", "--extents", "=3"},
          {"reference", "--library", "a", "--name", "b", "--out", "c", "--input", "x"},
          {"reference", "--library", "a", "--name", "b", "--out", "c", "--input", "x=1:0"}}) {
        EXPECT_EQ(tool(arguments).code, static_cast<int>(RunnerExit::bad_usage));
    }
    EXPECT_EQ(tool({"run", "--help"}).code, 0);
}

TEST_F(PipelineRunner, NeedsNoLibraryBesideTheSystemsOwn) {
    const ProcessResult result = run_process({"ldd", PIPELINE_RUNNER}, seconds{30}).value();
    if (result.out.find("libasan") != std::string::npos) GTEST_SKIP() << "a sanitizer's build";
    for (const char *library : {"libstdc++", "libgcc", "libtbb", "libHalide"}) {
        EXPECT_EQ(result.out.find(library), std::string::npos) << result.out;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
