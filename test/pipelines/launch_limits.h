// Watches kernel launches on their way to OpenCL and holds them against what CUDA accepts: PoCL
// runs 4,096 threads in a block and megabytes of local memory without complaint.
// Process-wide, single-threaded (Halide's host code launches kernels one after the other).
#pragma once

#include <string>

namespace autoschedule_gpu::testing {

// Puts the watch between Halide's JIT runtime and the OpenCL library. Call before anything is
// compiled for OpenCL in this process.
void watch_opencl_launches();

struct Launches {
    int count = 0;
    std::string violation;  // the first that breaks a limit, as a sentence; empty when none did
};

// Those since the last call.
Launches take_launches();

}  // namespace autoschedule_gpu::testing
