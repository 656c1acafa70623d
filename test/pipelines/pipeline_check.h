// The harness: does an autoscheduler turn a legal pipeline into one that compiles and computes the
// same? A pipeline is checked in four steps, each on a pipeline made afresh:
//
//     reference  everything at root on the CPU, run at the estimated and at other sizes, with
//                inputs that hold what any schedule may read (both_sides.h)
//     opencl     the autoscheduler's schedule, compiled in memory, run at these sizes on whatever
//                OpenCL device there is (PoCL, with HL_OCL_DEVICE_TYPE=cpu in the environment);
//                launches are held against CUDA's limits, because PoCL accepts far more
//     compare    integers exactly, floats within a tolerance
//     cuda       the autoscheduler's schedule for CUDA, compiled to PTX and put through ptxas
//
// A schedule without a kernel fails, unless the autoscheduler's report says of every stage why it
// must stay on the host.
//
// A failure is a value with a reason. What crashes or hangs takes the process with it: run checks
// through `isolated.h` to survive that. Not thread-safe: a checker installs Halide's process-wide
// JIT handlers.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "learn/random_pipelines/pipeline_case.h"
#include "pipelines/sizes.h"

namespace autoschedule_gpu::testing {

using namespace random_pipelines;

// Either an autoscheduler that a plugin registers, or a function.
struct Scheduler {
    using Function =
        std::function<void(const PipelineCase &, Halide::Pipeline, const Halide::Target &)>;

    std::string name;
    std::string plugin;  // path of the shared library; empty: none to load
    // `report` is where it writes its report, if it can.
    std::map<std::string, std::string> params;
    Function function;  // when there is one, it schedules; `name` is for reports
};

// The harness's own stand-in, "plain": every Func at root in a kernel of its own.
Scheduler plain_scheduler();

struct CheckOptions {
    enum class Devices : uint8_t { opencl_and_cuda, opencl_only, cuda_only };
    Devices devices = Devices::opencl_and_cuda;
    Sizes sizes = Sizes::grown;
    std::string ptxas = "ptxas";  // empty: PTX is made but not assembled
    std::string ptxas_arch = "sm_90";
    int max_registers = 64;  // what Halide's CUDA runtime asks the driver for
    std::string cuda_target = "host-cuda-cuda_capability_80";
};

enum class Verdict : uint8_t {
    passed,
    invalid_case,         // the reference itself fails: a bug of whoever made the pipeline
    autoscheduler_error,  // the autoscheduler reported an error
    internal_error,       // an internal error of Halide or of the plugin
    compile_error,        // Halide refuses the schedule
    ptxas_error,
    launch_error,  // a kernel launch that no CUDA device accepts
    run_error,
    wrong_output,
    no_kernel,  // all is on the host, and no report says that it must be
    crashed,
    timed_out,
};
std::string_view to_string(Verdict verdict);

struct CheckResult {
    Verdict verdict = Verdict::passed;
    std::string reason;
    std::string schedule;  // C++ text as the autoscheduler returned it
    int sizes_run = 0;
    std::map<std::string, std::string> sizes_left_out;  // the reference can't run there, and why
    // On one of the devices at least. What is too large to be run is looked at on CUDA alone.
    bool has_kernels = false;
    std::string host_reason;  // why one of them has none, by the autoscheduler's report
    int kernels = 0;          // CUDA
    int max_registers = 0;    // of any kernel
    int64_t spill_bytes = 0;  // stores and loads, all kernels
    double reference_s = 0, opencl_s = 0, cuda_s = 0, ptxas_s = 0, schedule_s = 0;

    bool passed() const { return verdict == Verdict::passed; }
    std::string to_json() const;
    static CheckResult from_json(const std::string &text);
};

class PipelineChecker {
public:
    // Throws what Halide throws when the plugin can't be loaded.
    PipelineChecker(Scheduler scheduler, CheckOptions options);

    CheckResult check(const CaseMaker &make) const;

private:
    Scheduler scheduler_;
    CheckOptions options_;
};

}  // namespace autoschedule_gpu::testing
