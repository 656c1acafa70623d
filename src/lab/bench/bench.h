// The one way from a workload to a number that can be believed:
//
//     Workload ─► reference, made once: on the CPU, everything at root or as the generator has it
//        └─► build ─► within the device's limits? ─► link ─► run, compare with the reference, time
//              └─► figures: what ptxas says of the kernels
//
// A bench offers each step by itself, for what is worth doing next is its user's to decide; but
// `link` refuses what exceeds a limit, and what ran is verified or a failure. A candidate runs in a
// process of its own that is given up after a time, alone on its device.
//
// How a schedule is asked for is what the benches that are made of this one add: trial_bench.h asks
// this project's plugin, compare/schedulers/scheduler_bench.h any scheduler, with the probe around.
//
// Any number of threads may call a bench; those that build at the same time do so in folders of
// their own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "lab/build/build_candidate.h"
#include "lab/build/launch_report.h"
#include "lab/ptxas/kernel_figures.h"
#include "lab/ptxas/ptxas.h"
#include "lab/run/device.h"
#include "lab/run/device_lock.h"
#include "lab/run/interleave.h"
#include "lab/run/noise.h"
#include "lab/run/runner.h"
#include "lab/workloads/workload.h"

namespace autoschedule_gpu {

struct BenchLimits {
    StepLimits generate = {};  // also the linker's, and ptxas has as much time
    std::chrono::milliseconds reference_timeout{std::chrono::minutes{10}};
    std::chrono::milliseconds run_timeout{std::chrono::minutes{5}};
};

struct BenchSettings {
    RunDevice device = RunDevice::opencl;  // that candidates run on
    GpuModel model = {};                   // whose limits hold, and for which ptxas assembles
    const Ptxas *ptxas = nullptr;          // null: nothing is known of registers and spills
    Runner runner = {};
    std::string compiler = "cc";  // links
    BenchLimits limits = {};
    LockWait lock_wait = {};  // for the device
    // Called with a sentence about what is no failure, from any thread that calls the bench.
    std::function<void(const std::string &)> warn = {};
    std::string folder = {};  // of all files
    // libautoschedule_gpu.so, by which the reference is everything at root on the CPU; empty: it is
    // what the generator schedules itself.
    std::string reference_plugin = {};
};

// A Halide runtime that was compiled once, for all libraries of a bench. A library without one
// brings its own, which takes longer to compile, and works alone.
struct RuntimeObject {
    std::string path = {};
};

// A candidate that has been compiled.
struct Built {
    Candidate candidate = {};
    std::string folder = {};
    Generated generated = {};
    uint64_t code_hash = 0;             // of the device code; 0 without
    std::vector<Launch> launches = {};  // empty where nothing tells them
};

// A library that the runner can load.
struct RunnableLibrary {
    std::string path = {};
    std::string function = {};
};

class Bench {
public:
    Bench(const Bench &) = delete;
    Bench &operator=(const Bench &) = delete;

    // Returns the folder of the outputs that the reference (BenchSettings) computes. It
    // is made at the first call and remembered afterwards. A failure is remembered too, and its
    // reason says that it is the reference's.
    const Outcome<std::string> &reference(const Workload &workload);

    // Fails, as a resource, where a launch exceeds a limit of the device; the reason is the first.
    Outcome<Ok> check_limits(const Built &built) const;

    // Returns what NVIDIA's assembler says of the kernels. There is none without ptxas, for another
    // API than CUDA, or for a model without a compute capability. Kinds of failure: ptxas, setup.
    Outcome<std::vector<KernelFigures>> figures(const Built &built) const;

    // Kinds of failure: resource, where check_limits fails; compile, timeout, setup.
    Outcome<RunnableLibrary> link(const Built &built) const;

    // Returns what is to be run of a library, which may have been scheduled for another size of the
    // workload. Fails as the workload's reference does.
    Outcome<RunJob> job(const Workload &workload, const RunnableLibrary &library,
                        const NoiseProtocol &noise);

    // Runs a job of job(), alone on the device. Kinds of failure: those of
    // run_candidate; setup where the device is not to be had.
    Outcome<RunReport> run(const RunJob &job) const;

    // Runs the jobs in turn (measure_interleaved), with nobody else on an OpenCL device until all
    // have ended, and on a CUDA device while one of them uses it. An error where the device is not
    // to be had.
    Result<std::vector<Outcome<InterleavedRun>>> run_in_rounds(
        const std::vector<RunJob> &jobs, int rounds, const std::function<bool()> &stop = {}) const;

protected:
    explicit Bench(BenchSettings settings, std::optional<RuntimeObject> runtime = {})
        : settings_(std::move(settings)), runtime_(std::move(runtime)) {}
    ~Bench() = default;

    // Returns the workload under the generator's own schedule, as a library with that function for
    // Halide's `target`, which has a runtime: "host-cuda".
    Candidate candidate(const Workload &workload, const std::string &function,
                        const std::string &target) const;

    // Runs the generator. Kinds of failure: those of generate().
    Outcome<Built> build(Candidate candidate, const std::string &folder,
                         const GeneratorOutputs &outputs) const;

private:
    // Whether it is the runner's process that takes the device's lock, only while it uses the
    // device: where that is not the CPU, what it does before and after disturbs nobody.
    bool runner_locks() const;
    // Returns the lock; none where the runner takes it.
    Result<std::optional<DeviceLock>> lock_device() const;

    struct Reference {
        std::once_flag made;
        std::optional<Outcome<std::string>> folder;
    };

    Reference &reference_of(const Workload &workload);
    Outcome<std::string> make_reference(const Workload &workload) const;
    // A pipeline may have a constant output, or no estimate of a scalar: that is no failure.
    void warn_of(const RunReport &reference, const Workload &workload) const;

    const BenchSettings settings_;
    const std::optional<RuntimeObject> runtime_;
    std::mutex mutex_;  // of the map, whose elements stay where they are
    std::map<std::string, Reference> references_;
};

// Returns the text with '_' for what is no letter, digit or '.': the name of a file in every file
// system, which generators take in a parameter's value.
std::string as_file_name(std::string text);

}  // namespace autoschedule_gpu
