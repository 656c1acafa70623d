// CUDA code of a scheduled pipeline without a CUDA device: PTX out of Halide's lowering (no host
// code is generated), and ptxas' opinion of it.
#pragma once

#include <Halide.h>

#include <string>

#include "core/support/error.h"

namespace autoschedule_gpu::testing {

struct CudaCode {
    std::string ptx;  // empty: nothing runs on the GPU
    int kernels = 0;
    // The first launch with constant sizes that no CUDA device accepts, as a sentence.
    std::string launch_violation;
};

// Throws what Halide throws when it refuses the schedule.
CudaCode compile_for_cuda(Halide::Pipeline pipeline, const Halide::Target &target);

struct PtxasReport {
    int max_registers = 0;
    int64_t spill_bytes = 0;
};

// An Error carries the first error lines of ptxas.
Result<PtxasReport> run_ptxas(const std::string &ptxas, const std::string &arch, int max_registers,
                              const std::string &ptx);

}  // namespace autoschedule_gpu::testing
