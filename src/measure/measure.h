// One candidate, from generator to number. Each step can be called alone; this is their order.
//
//     generate ─► broken_limits ─► ptxas ─► link_library ─► run_candidate (or Replay::find)
//
// What was learnt before a failure is kept: a candidate whose run fails still has its kernels.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gpu/gpu_model.h"
#include "measure/build_candidate.h"
#include "measure/constraints.h"
#include "measure/device.h"
#include "measure/device_lock.h"
#include "measure/failure.h"
#include "measure/kernel_figures.h"
#include "measure/noise.h"
#include "measure/replay.h"
#include "measure/runner.h"

namespace autoschedule_gpu {

struct MeasureSettings {
    Device device = {};
    GpuModel model = {};           // whose limits hold, and for which ptxas assembles
    const Ptxas *ptxas = nullptr;  // may be null: no figures of kernels then
    std::string runner = {};       // the program pipeline_runner
    std::string compiler = "cc";
    std::string expected = {};           // folder of the reference's outputs, from run_reference
    std::string reference_command = {};  // that made it, for the command of a failure; may be empty
    StepLimits generate_limits = {};
    std::chrono::milliseconds ptxas_timeout{std::chrono::minutes{2}};
    std::chrono::milliseconds run_timeout{std::chrono::minutes{2}};
    NoiseProtocol noise = {};
    Tolerance tolerance = {};
    // A kernel that stores more than this per thread by spilling is not run; nothing: no limit.
    std::optional<int64_t> most_spill_bytes = {};
    // The launches of a generated candidate, where something can tell them; may be empty.
    std::function<Result<std::vector<Launch>>(const Generated &)> launches = {};
    const Replay *replay = nullptr;  // for Device replay
    std::string app = {};            // these two are a record's key beside the code
    std::string size = {};
    LockWait lock_wait = {};
};

struct Measurement {
    std::optional<Generated> generated = {};
    uint64_t code_hash = 0;  // of the device code; 0 without
    std::vector<KernelFigures> kernels = {};
    std::optional<Linked> linked = {};
    std::optional<RunReport> run = {};
    std::optional<Timing> timing = {};
    std::optional<Failure> failure = {};  // the step that ended it, if one did
};

// Works in `folder`, which is the caller's to keep or to remove. Holds the device's lock while the
// candidate runs, and at no other time.
Measurement measure_candidate(const Candidate &candidate, const MeasureSettings &settings,
                              const std::string &folder);

}  // namespace autoschedule_gpu
