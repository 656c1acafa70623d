// All steps together, from a real generator to a number or a failure.
#include "lab/bench/bench.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "core/gpu/gpu_model.h"
#include "core/process/subprocess.h"
#include "lab/build/failure.h"
#include "lab/ptxas/ptxas.h"
#include "lab/run/device_lock.h"
#include "lab/run/replay.h"
#include "unit/lab/run/measured_pipelines.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Candidates with the schedule that the generator itself makes for a GPU.
class PlainBench final : public Bench {
public:
    explicit PlainBench(const BenchSettings &settings, std::optional<RuntimeObject> runtime = {})
        : Bench(settings, std::move(runtime)), folder_(settings.folder + "/candidate") {}

    Outcome<Built> build(const Workload &workload, NamedValues params,
                         const std::string &target = "host-opencl",
                         const std::string &scheduler = "") const {
        Candidate made = candidate(workload, "blur_pipeline", target);
        made.params.insert(made.params.end(), params.begin(), params.end());
        made.params.emplace_back("gpu", "true");
        made.scheduler = scheduler;
        return Bench::build(made, folder_, {.schedule = false});
    }

private:
    std::string folder_;
};

class BenchTest : public MeasuredPipelines {
protected:
    BenchSettings settings() const {
        return {.device = RunDevice::opencl,
                .model = find_preset("A100").value(),
                .runner = PIPELINE_RUNNER,
                .limits = {.run_timeout = seconds{60}},
                .folder = scratch_.path("work")};
    }

    static Workload blur(NamedValues params = {}) {
        return {.pipeline = "app:blur",
                .size = "full",
                .generator = MEASURED_GENERATORS,
                .generator_name = "blur",
                .params = std::move(params)};
    }

    // All steps in their order, as far as they go.
    static Outcome<RunReport> measured(PlainBench &bench, const Built &built) {
        const Outcome<RunnableLibrary> library = bench.link(built);
        if (!library) return library.error();
        const Outcome<RunJob> job = bench.job(blur(), *library, kQuick);
        if (!job) return job.error();
        return bench.run(*job);
    }

    bool is_linked() const { return fs::exists(scratch_.path("work/candidate/blur_pipeline.so")); }

    // A launch that no GPU takes.
    static std::vector<Launch> too_large() {
        return {{.kernel = "output", .shared_bytes = 65536, .threads = {80, 80, 1}}};
    }
};

TEST_F(BenchTest, GoesAllTheWayFromAWorkloadToAVerifiedNumber) {
    PlainBench bench(settings());
    Outcome<Built> built = bench.build(blur(), {});
    ASSERT_TRUE(built.ok()) << built.error().reason;
    EXPECT_TRUE(fs::exists(built->generated.device_code_path));
    EXPECT_GT(built->generated.cost.wall_s, 0);
    EXPECT_GT(built->generated.cost.peak_memory_bytes, 10 << 20);
    EXPECT_NE(built->code_hash, 0u);
    Built fitting = *built;
    fitting.launches = {
        {.kernel = "output", .shared_bytes = 0, .threads = {16, 16, 1}, .blocks = {6, 4, 1}}};
    EXPECT_TRUE(bench.figures(fitting)->empty());  // OpenCL C is not for ptxas
    const Outcome<RunReport> report = measured(bench, fitting);
    ASSERT_TRUE(report.ok()) << report.error().reason;
    EXPECT_TRUE(report->verified);
    EXPECT_EQ(report->samples_ms.size(), 4u);
}

TEST_F(BenchTest, WarnsOfAReferenceThatIsConstantAndGoesOn) {
    std::vector<std::string> warnings;
    BenchSettings warning = settings();
    warning.warn = [&](const std::string &text) { warnings.push_back(text); };
    PlainBench bench(warning);
    const Outcome<Built> built = bench.build(blur(), {});
    Workload black = blur();
    black.inputs = {{"input", {.least = -1e9, .greatest = 1, .clamp_below = 0}}};
    const Outcome<RunJob> job = bench.job(black, *bench.link(*built), kUntimed);
    ASSERT_TRUE(job.ok()) << job.error().reason;
    const Outcome<RunReport> report = bench.run(*job);
    ASSERT_TRUE(report.ok()) << report.error().reason;
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(warnings[0].starts_with(
        "the reference of app:blur at full: all elements of its output output are the same, "))
        << warnings[0];
}

TEST_F(BenchTest, FindsAWrongFactorOfAScalarWithoutAnEstimateAndWarnsOfIt) {
    std::vector<std::string> warnings;
    BenchSettings warning = settings();
    warning.warn = [&](const std::string &text) { warnings.push_back(text); };
    PlainBench bench(warning);
    const Workload workload = blur({{"estimates_gain", "false"}});
    for (const auto &[behaviour, is_right] : {std::pair("right", true), {"too_bright", false}}) {
        const Outcome<Built> built = bench.build(workload, {{"behaviour", behaviour}});
        const Outcome<RunJob> job = bench.job(workload, *bench.link(*built), kUntimed);
        ASSERT_TRUE(job.ok()) << job.error().reason;
        const Outcome<RunReport> report = bench.run(*job);
        ASSERT_EQ(report.ok(), is_right);
        if (!is_right) {
            EXPECT_EQ(report.error().kind, FailureKind::wrong_output);
        }
    }
    EXPECT_EQ(warnings, std::vector<std::string>{
                            "the reference of app:blur at full: gain has no estimate, 0.75 is "
                            "assumed in all runs: gain.set_estimate(value) says what to run with"});
}

TEST_F(BenchTest, RunsTheLibraryOfOneSizeAtAnother) {
    PlainBench bench(settings());
    const Outcome<Built> built = bench.build(blur(), {});
    Workload small = blur({{"width", "40"}, {"height", "24"}});
    small.size = "small";
    const Outcome<RunJob> job = bench.job(small, *bench.link(*built), kUntimed);
    ASSERT_TRUE(job.ok()) << job.error().reason;
    EXPECT_NE(job->expected, *bench.reference(blur()));
    const Outcome<RunReport> report = bench.run(*job);
    ASSERT_TRUE(report.ok()) << report.error().reason;
    EXPECT_TRUE(report->verified);
    EXPECT_EQ(report->outputs.front().elements, 40 * 24);
}

TEST_F(BenchTest, SharesARuntimeThatWasCompiledOnce) {
    const Outcome<std::string> runtime =
        generate_runtime(MEASURED_GENERATORS, "host-opencl", scratch_.path("."));
    ASSERT_TRUE(runtime.ok()) << runtime.error().reason;
    PlainBench bench(settings(), RuntimeObject{*runtime});
    const Outcome<Built> built = bench.build(blur(), {});
    ASSERT_TRUE(built.ok()) << built.error().reason;
    EXPECT_EQ(built->candidate.target, "host-opencl-no_runtime");
    const Outcome<RunReport> report = measured(bench, *built);
    ASSERT_TRUE(report.ok()) << report.error().reason;
    EXPECT_TRUE(report->verified);
}

TEST_F(BenchTest, MakesAReferenceOnceHoweverManyThreadsAskForIt) {
    PlainBench bench(settings());
    std::vector<std::string> folders(4);
    std::vector<std::thread> threads;
    for (std::string &folder : folders) {
        threads.emplace_back([&] { folder = *bench.reference(blur()); });
    }
    for (std::thread &thread : threads) thread.join();
    for (const std::string &folder : folders) EXPECT_EQ(folder, folders.front());
    const auto made = fs::last_write_time(folders.front());
    EXPECT_EQ(*bench.reference(blur()), folders.front());
    EXPECT_EQ(fs::last_write_time(folders.front()), made);
}

TEST_F(BenchTest, RemembersThatAReferenceFailsAndSaysWhoseFailureItIs) {
    PlainBench bench(settings());
    const Outcome<std::string> &reference = bench.reference(blur({{"behaviour", "crash"}}));
    ASSERT_FALSE(reference.ok());
    EXPECT_EQ(reference.error().kind, FailureKind::crash);
    EXPECT_TRUE(reference.error().reason.starts_with("the reference: "))
        << reference.error().reason;
    // The same workload is not tried again; a candidate of it can't be verified.
    EXPECT_EQ(&bench.reference(blur()), &reference);
    const Outcome<RunReport> report = measured(bench, *bench.build(blur(), {}));
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error(), reference.error());
}

TEST_F(BenchTest, GivesACommandThatShowsAFailureAgain) {
    PlainBench bench(settings());
    const Outcome<RunReport> report =
        measured(bench, *bench.build(blur(), {{"behaviour", "wrong"}}));
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, FailureKind::wrong_output);
    const ProcessResult again =
        run_process({"sh", "-c", report.error().command}, seconds{120}).value();
    EXPECT_EQ(again.code, 3) << again.err;
    EXPECT_NE(again.out.find("\"wrong output\""), std::string::npos) << again.out;
}

TEST_F(BenchTest, NamesTheStepThatFailsByItsKind) {
    PlainBench bench(settings());
    struct Case {
        NamedValues params;
        std::string scheduler;
        FailureKind kind;
    };
    for (const Case &c : {Case{{{"behaviour", "refuse"}}, "", FailureKind::halide},
                          Case{{{"behaviour", "crash_now"}}, "", FailureKind::crash},
                          Case{{{"nonsense", "1"}}, "", FailureKind::halide},
                          Case{{}, "Nope", FailureKind::search}}) {
        const Outcome<Built> built = bench.build(blur(), c.params, "host-opencl", c.scheduler);
        ASSERT_FALSE(built.ok());
        EXPECT_EQ(built.error().kind, c.kind) << built.error().reason;
        EXPECT_NE(built.error().reason, "");
        EXPECT_NE(built.error().command, "");
    }
    const Outcome<RunReport> refused =
        measured(bench, *bench.build(blur(), {{"behaviour", "halide_error"}}));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, FailureKind::halide) << refused.error().reason;
}

TEST_F(BenchTest, GivesUpWhatDoesNotEndInItsTime) {
    BenchSettings impatient = settings();
    impatient.limits.generate.timeout = milliseconds{1};
    const Outcome<Built> built = PlainBench(impatient).build(blur(), {});
    ASSERT_FALSE(built.ok());
    EXPECT_EQ(built.error().kind, FailureKind::timeout) << built.error().reason;

    impatient.limits = {.run_timeout = milliseconds{1}};
    PlainBench bench(impatient);
    const Outcome<RunReport> report = measured(bench, *bench.build(blur(), {}));
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, FailureKind::timeout) << report.error().reason;
}

TEST_F(BenchTest, FailsToLinkWithoutACompiler) {
    BenchSettings without = settings();
    without.compiler = "false";
    PlainBench bench(without);
    const Outcome<RunnableLibrary> library = bench.link(*bench.build(blur(), {}));
    ASSERT_FALSE(library.ok());
    EXPECT_EQ(library.error().kind, FailureKind::compile) << library.error().reason;
}

TEST_F(BenchTest, LinksNothingThatExceedsALimit) {
    PlainBench bench(settings());
    Built built = *bench.build(blur(), {});
    EXPECT_TRUE(bench.check_limits(built).ok());
    built.launches = too_large();
    const Outcome<Ok> fits = bench.check_limits(built);
    ASSERT_FALSE(fits.ok());
    EXPECT_EQ(fits.error().kind, FailureKind::resource);
    EXPECT_EQ(fits.error().reason,
              "the kernel output has 6400 threads in a block, A100 takes 1024");
    const Outcome<RunReport> report = measured(bench, built);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error(), fits.error());
    EXPECT_FALSE(is_linked());
}

TEST_F(BenchTest, HasTheFiguresOfPtxasForCudaAlone) {
    const auto path = find_ptxas({.path_variable = environment("PATH")});
    if (!path) GTEST_SKIP() << path.error().message;
    const Ptxas ptxas = Ptxas::open(*path).value();
    BenchSettings with_ptxas = settings();
    with_ptxas.ptxas = &ptxas;
    PlainBench bench(with_ptxas);
    Built built = *bench.build(blur(), {}, "host-cuda-cuda_capability_80");
    built.launches = {{.kernel = "output", .threads = {16, 16, 1}}};
    const Outcome<std::vector<KernelFigures>> figures = bench.figures(built);
    ASSERT_TRUE(figures.ok()) << figures.error().reason;
    ASSERT_EQ(figures->size(), 1u);
    EXPECT_GT(figures->front().code.registers, 0);
    EXPECT_EQ(figures->front().code.spill_store_bytes, 0);
    EXPECT_GT(figures->front().occupancy->warp_occupancy, 0);
    const auto spilled = spill_failure(*figures, -1);  // even none is too many
    ASSERT_TRUE(spilled);
    EXPECT_EQ(spilled->kind, FailureKind::resource);
    EXPECT_NE(spilled->reason.find("spills 0 bytes per thread, at most -1"), std::string::npos);

    EXPECT_TRUE(bench.figures(*bench.build(blur(), {}))->empty());
    const Built again = *bench.build(blur(), {}, "host-cuda-cuda_capability_80");
    BenchSettings of_generic = with_ptxas;
    of_generic.model.compute_capability_major = of_generic.model.compute_capability_minor = 0;
    EXPECT_TRUE(PlainBench(of_generic).figures(again)->empty());
    EXPECT_TRUE(PlainBench(settings()).figures(again)->empty());
    std::ofstream(again.generated.device_code_path) << ".version 3.2\n.target sm_20\n.entry k(\n";
    EXPECT_EQ(bench.figures(again).error().kind, FailureKind::ptxas);
}

TEST_F(BenchTest, HashesTheVeryCodeThatMeasurementsAreRecordedFor) {
    PlainBench bench(settings());
    const uint64_t code_hash = bench.build(blur(), {})->code_hash;
    const std::string records = scratch_.path("records.jsonl");
    ASSERT_TRUE(append_record(records, {.device = "A device",
                                        .key = {"blur", "full", code_hash},
                                        .samples_ms = {2, 1, 3}})
                    .ok());
    const Replay replay = Replay::open(records).value();
    const Outcome<Timing> timing =
        replay.find({"blur", "full", bench.build(blur(), {})->code_hash});
    ASSERT_TRUE(timing.ok()) << timing.error().reason;
    EXPECT_EQ(timing->median_ms, 2);
    const Outcome<Timing> changed =
        replay.find({"blur", "full", bench.build(blur(), {{"behaviour", "wrong"}})->code_hash});
    ASSERT_FALSE(changed.ok());
    EXPECT_EQ(changed.error().kind, FailureKind::setup);
    EXPECT_NE(changed.error().reason.find("there are some with other code"), std::string::npos);
}

TEST_F(BenchTest, WaitsForTheDevice) {
    BenchSettings impatient = settings();
    impatient.lock_wait.at_most = milliseconds{50};
    PlainBench bench(impatient);
    const Built built = *bench.build(blur(), {});
    ASSERT_TRUE(bench.reference(blur()).ok());
    const auto lock = DeviceLock::acquire("opencl", {.at_most = seconds{60}});
    ASSERT_TRUE(lock.ok());
    const Outcome<RunReport> report = measured(bench, built);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, FailureKind::setup);
    EXPECT_TRUE(report.error().reason.starts_with("the device opencl was not free within"));
    const auto rounds = bench.run_in_rounds({}, 1);
    ASSERT_FALSE(rounds.ok());
    EXPECT_EQ(rounds.error().message, report.error().reason);
}

TEST_F(BenchTest, RunsCandidatesInRoundsBesideEachOther) {
    PlainBench bench(settings());
    std::vector<RunJob> jobs;
    for (const char *name : {"blur_opencl", "wrong_opencl", "small_blur_opencl"}) {
        jobs.push_back(
            *bench.job(blur(), {.path = library(name), .function = "blur_pipeline"}, kQuick));
    }
    const auto outcomes = bench.run_in_rounds(jobs, 2);
    ASSERT_TRUE(outcomes.ok()) << outcomes.error().message;
    EXPECT_EQ((*outcomes)[0]->rounds, 2);
    EXPECT_EQ((*outcomes)[0]->timing.samples_ms.size(), 2u);
    EXPECT_EQ((*outcomes)[1].error().kind, FailureKind::wrong_output);
    EXPECT_TRUE((*outcomes)[2]->first.verified);
}

}  // namespace
}  // namespace autoschedule_gpu
