// All steps together, from a real generator to a number or a failure.
#include <gtest/gtest.h>

#include "measure/interleave.h"
#include "measure/measure.h"
#include "measured_pipelines.h"
#include "support/file.h"

namespace autoschedule_gpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class MeasureCandidate : public MeasuredPipelines {
protected:
    MeasureSettings settings(const std::string &device) const {
        return {.device = parse_device(device).value(),
                .model = find_preset("A100").value(),
                .runner = PIPELINE_RUNNER,
                .expected = scratch_.path("expected"),
                .run_timeout = seconds{60},
                .noise = kQuick,
                .app = "blur",
                .size = "full"};
    }

    Measurement measured(const Candidate &candidate, const MeasureSettings &settings) const {
        return measure_candidate(candidate, settings, scratch_.path("work"));
    }
};

TEST_F(MeasureCandidate, GoesAllTheWayOnOpenCL) {
    expected("blur");
    MeasureSettings with_launches = settings("opencl");
    with_launches.launches = [](const Generated &generated) -> Result<std::vector<Launch>> {
        EXPECT_TRUE(std::filesystem::exists(generated.device_code_path));
        return std::vector<Launch>{
            {.kernel = "output", .shared_bytes = 0, .threads = {16, 16, 1}, .blocks = {6, 4, 1}}};
    };
    const Measurement result = measured(blur_on_opencl("right"), with_launches);
    ASSERT_FALSE(result.failure) << result.failure->reason;
    EXPECT_GT(result.generated->cost.wall_s, 0);
    EXPECT_GT(result.generated->cost.peak_memory_bytes, 10 << 20);
    EXPECT_NE(result.code_hash, 0u);
    EXPECT_TRUE(result.kernels.empty());  // OpenCL C is not for ptxas
    EXPECT_TRUE(result.run->verified);
    EXPECT_EQ(result.timing->samples_ms, result.run->samples_ms);
    EXPECT_LE(result.timing->interval_ms.low, result.timing->median_ms);
}

TEST_F(MeasureCandidate, GivesACommandThatShowsTheFailureAgain) {
    expected("blur");
    const Measurement result = measured(blur_on_opencl("wrong"), settings("opencl"));
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->kind, FailureKind::wrong_output);
    EXPECT_TRUE(result.generated);
    EXPECT_TRUE(result.linked);
    std::filesystem::remove_all(scratch_.path("work"));
    const ProcessResult again =
        run_process({"sh", "-c", result.failure->command}, seconds{120}).value();
    EXPECT_EQ(again.code, 3) << again.err;
    EXPECT_NE(again.out.find("\"wrong output\""), std::string::npos) << again.out;
}

TEST_F(MeasureCandidate, StopsAtTheFirstStepThatFails) {
    expected("blur");
    struct Case {
        NamedValues params;
        std::string scheduler;
        FailureKind kind;
    };
    for (const Case &c : {Case{{{"behaviour", "refuse"}}, "", FailureKind::halide},
                          Case{{{"behaviour", "crash_now"}}, "", FailureKind::crash},
                          Case{{{"nonsense", "1"}}, "", FailureKind::halide},
                          Case{{}, "Nope", FailureKind::search}}) {
        Candidate candidate = blur("host-opencl", c.params);
        candidate.scheduler = c.scheduler;
        const Measurement result = measured(candidate, settings("opencl"));
        ASSERT_TRUE(result.failure);
        EXPECT_EQ(result.failure->kind, c.kind) << result.failure->reason;
        EXPECT_FALSE(result.generated);
        EXPECT_NE(result.failure->reason, "");
        EXPECT_NE(result.failure->command.find("mkdir -p"), std::string::npos);
    }
}

TEST_F(MeasureCandidate, RunsNothingThatExceedsALimit) {
    MeasureSettings with_launches = settings("opencl");
    with_launches.launches = [](const Generated &) -> Result<std::vector<Launch>> {
        return std::vector<Launch>{
            {.kernel = "output", .shared_bytes = 65536, .threads = {80, 80, 1}}};
    };
    const Measurement result = measured(blur_on_opencl("right"), with_launches);
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->kind, FailureKind::resource);
    EXPECT_EQ(result.failure->reason,
              "the kernel output has 6400 threads in a block, A100 takes "
              "1024 (and 1 more limits are exceeded)");
    EXPECT_TRUE(result.generated);
    EXPECT_FALSE(result.linked);
}

TEST_F(MeasureCandidate, HasTheFiguresOfPtxasAndFiltersSpills) {
    const auto path = find_ptxas({.path_variable = environment("PATH")});
    if (!path) GTEST_SKIP() << path.error().message;
    const Ptxas ptxas = Ptxas::open(*path).value();
    MeasureSettings for_cuda = settings("none");
    for_cuda.ptxas = &ptxas;
    for_cuda.launches = [](const Generated &) -> Result<std::vector<Launch>> {
        return std::vector<Launch>{{.kernel = "output", .threads = {16, 16, 1}}};
    };
    for_cuda.most_spill_bytes = -1;  // even none is too many
    const Measurement result =
        measured(blur("host-cuda-cuda_capability_80", {{"gpu", "true"}}), for_cuda);
    ASSERT_EQ(result.kernels.size(), 1u);
    EXPECT_GT(result.kernels[0].code.registers, 0);
    EXPECT_EQ(result.kernels[0].code.spill_store_bytes, 0);
    EXPECT_GT(result.kernels[0].occupancy->warp_occupancy, 0);
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->kind, FailureKind::resource);
    EXPECT_NE(result.failure->reason.find("spills 0 bytes per thread, at most -1"),
              std::string::npos);
}

TEST_F(MeasureCandidate, ReplaysWhatWasRecordedOfThisVeryCode) {
    const Measurement unmeasured = measured(blur_on_opencl("right"), settings("none"));
    ASSERT_FALSE(unmeasured.failure);
    const std::string records = scratch_.path("records.jsonl");
    ASSERT_TRUE(append_record(records, {.device = "A device",
                                        .key = {"blur", "full", unmeasured.code_hash},
                                        .samples_ms = {2, 1, 3}})
                    .ok());
    const Replay replay = Replay::open(records).value();
    MeasureSettings with_replay = settings("replay:" + records);
    with_replay.replay = &replay;
    const Measurement result = measured(blur_on_opencl("right"), with_replay);
    ASSERT_FALSE(result.failure) << result.failure->reason;
    EXPECT_EQ(result.timing->median_ms, 2);

    const Measurement changed = measured(blur_on_opencl("wrong"), with_replay);
    ASSERT_TRUE(changed.failure);
    EXPECT_EQ(changed.failure->kind, FailureKind::setup);
    EXPECT_NE(changed.failure->reason.find("there are some with other code"), std::string::npos);
}

TEST_F(MeasureCandidate, WaitsForTheDevice) {
    expected("blur");
    const auto lock = DeviceLock::acquire("opencl", {.at_most = seconds{60}});
    ASSERT_TRUE(lock.ok());
    MeasureSettings impatient = settings("opencl");
    impatient.lock_wait.at_most = milliseconds{50};
    const Measurement result = measured(blur_on_opencl("right"), impatient);
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->kind, FailureKind::setup);
    EXPECT_TRUE(result.failure->reason.starts_with("the device opencl was not free within"));
}

TEST_F(MeasureCandidate, IsMeasuredInRoundsWithOthers) {
    const std::string folder = expected("blur");
    std::vector<RunJob> jobs;
    for (const char *name : {"blur_opencl", "wrong_opencl", "small_blur_opencl"}) {
        jobs.push_back({.library = library(name),
                        .name = "blur_pipeline",
                        .expected = folder,
                        .noise = kQuick});
    }
    const auto outcomes = measure_interleaved(PIPELINE_RUNNER, jobs, 2);
    EXPECT_EQ(outcomes[0]->rounds, 2);
    EXPECT_EQ(outcomes[0]->timing.samples_ms.size(), 2u);
    EXPECT_EQ(outcomes[1].error().kind, FailureKind::wrong_output);
    EXPECT_TRUE(outcomes[2]->first.verified);
}

}  // namespace
}  // namespace autoschedule_gpu
