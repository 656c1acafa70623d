// Watches kernel launches on their way to OpenCL and holds them against what CUDA accepts: PoCL
// runs 4,096 threads in a block and megabytes of local memory without complaint.
// Process-wide, single-threaded (Halide's host code launches kernels one after the other).
#pragma once

#include <string>

namespace autoschedule_gpu::testing {

// Puts the watch between Halide's JIT runtime and the OpenCL library. Call before anything is
// compiled for OpenCL in this process.
void watch_opencl_launches();

// The first launch since the last call that breaks a limit, as a sentence; empty when none did.
std::string take_launch_violation();

}  // namespace autoschedule_gpu::testing
