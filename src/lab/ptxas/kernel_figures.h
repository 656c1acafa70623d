// What is known of a candidate's kernels before anything is run: registers, spills and stack from
// ptxas under the register cap of Halide's runtime, the launch, and the occupancy of both together.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "core/gpu/occupancy.h"
#include "lab/build/failure.h"
#include "lab/build/launch_report.h"
#include "lab/ptxas/ptxas.h"

namespace autoschedule_gpu {

struct KernelFigures {
    PtxasKernel code = {};
    std::optional<Launch> launch = {};        // nothing where no launch matches the kernel
    std::optional<size_t> launch_index = {};  // where it stands among the launches
    std::optional<Occupancy> occupancy = {};  // nothing where the threads are not known
};

// One per kernel, in the order of `kernels`.
std::vector<KernelFigures> kernel_figures(const std::vector<PtxasKernel> &kernels,
                                          const std::vector<Launch> &launches,
                                          const GpuModel &model);

// Assembles the PTX of that file for the model's architecture and with its register cap. Kinds of
// failure: setup where the file cannot be read or the model is of no CUDA device, else as
// Ptxas::assemble's.
Outcome<std::vector<KernelFigures>> assemble_kernels(const Ptxas &ptxas,
                                                     const std::string &ptx_path,
                                                     const std::vector<Launch> &launches,
                                                     const GpuModel &model,
                                                     std::chrono::milliseconds timeout);

// A failure of kind resource if one of the kernels stores more than `most_bytes` per thread by
// spilling; it names the first.
std::optional<Failure> spill_failure(const std::vector<KernelFigures> &kernels, int64_t most_bytes);

}  // namespace autoschedule_gpu
