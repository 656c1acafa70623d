// From a draw to what a device can run, and to its times:
//
//     build: generator ─► code hash, features, trace
//       ├─► figures: ptxas ─► registers, spills
//       └─► link ─► (first run) ─► run: timed, verified
//
// A driver compiles the kernels in the first run of a process, PoCL for seconds, and keeps them in
// a cache on disk. Where nothing is timed while others compile, that run is made there, in
// parallel.
//
// Works in a folder of its own: what is compiled once (Halide's runtime, and a reference for each
// pipeline) stays there, everything else goes with the draw. All but run() may be called
// from several threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "features/feature_list.h"
#include "gpu/gpu_model.h"
#include "measure/build_candidate.h"
#include "measure/device.h"
#include "measure/kernel_figures.h"
#include "measure/noise.h"
#include "measure/ptxas.h"
#include "measure/runner.h"
#include "trial/sampler.h"
#include "trial/subject.h"

namespace autoschedule_gpu {

// Whether a schedule's trace and decisions are wanted; what could be chosen for each decision takes
// a tenth of a second to find.
enum class Traces : uint8_t { left_out, kept };

struct TrialBenchSettings {
    RunDevice device = RunDevice::opencl;  // not the CPU
    std::string gpu = "auto";              // as the plugin takes it
    GpuModel model = {};                   // what it stands for
    std::string target = {};               // Halide's, with a runtime: "host-opencl"
    Traces traces = Traces::left_out;
    bool first_run_in_link = true;  // untimed; other schedules may run at the same time

    std::string plugin = {};  // libautoschedule_gpu.so
    std::string runner = {};  // pipeline_runner
    std::string compiler = "cc";
    const Ptxas *ptxas = nullptr;  // may be missing: spills are not seen then

    StepLimits compile = {};
    std::chrono::milliseconds run_timeout{std::chrono::minutes{1}};
    // Few runs of each of many schedules teach more than many of few.
    NoiseProtocol noise = {.warmup_runs = 1, .samples = 5, .time_budget_s = 0.2};
    std::string folder = {};
};

struct BuiltDraw {
    Candidate candidate = {};
    std::string folder = {};
    std::string object_path = {};
    std::string device_code_path = {};
    uint64_t code_hash = 0;
    std::vector<FeatureTable> kernels = {};  // empty where the schedule was given as a trace
    // Where they are wanted:
    std::string trace = {};      // of the schedule (schedule/trace.h)
    std::string decisions = {};  // the list from which it can be made (autoscheduler.decisions);
                                 // empty where there is none
};

class TrialBench {
public:
    // The folder is emptied. Both arguments outlive the bench.
    static Outcome<std::unique_ptr<TrialBench>> open(const TrialBenchSettings &settings,
                                                     const std::vector<Subject> &subjects);

    // Kinds of failure: those of generate() and of the reference; search where nothing of the
    // pipeline is on the device. `slot` names the folder: draws at the same time have others.
    Outcome<BuiltDraw> build(size_t subject, const Draw &draw, int slot);

    // What NVIDIA's assembler says of the kernels; none for another device, or without ptxas. Kinds
    // of failure: ptxas, setup.
    Outcome<std::vector<KernelFigures>> figures(const BuiltDraw &built) const;

    // A job to run. Kinds of failure: compile, and those of a run.
    Outcome<RunJob> link(size_t subject, const BuiltDraw &built);

    // Alone on the device. Kinds of failure: those of run_candidate.
    Outcome<RunReport> run(const RunJob &job) const;

private:
    struct Reference {
        std::once_flag made;
        std::optional<Outcome<std::string>> expected;  // folder
    };

    TrialBench(const TrialBenchSettings &settings, const std::vector<Subject> &subjects)
        : settings_(settings), subjects_(subjects), references_(subjects.size()) {}

    const Outcome<std::string> &expected(size_t subject);
    Outcome<std::string> make_expected(const Subject &subject, const std::string &folder) const;
    Candidate candidate(const Subject &subject) const;

    const TrialBenchSettings &settings_;
    const std::vector<Subject> &subjects_;
    std::string runtime_;
    std::vector<Reference> references_;
};

}  // namespace autoschedule_gpu
