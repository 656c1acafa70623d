// How often a pipeline is run, and what is made of the times.
//
// The first run is not timed: the driver compiles kernels in it, and its output is what is
// compared. Warm-up runs follow, then samples; each sample ends when the device has finished, and
// on CUDA begins with an L2 cache that holds none of the pipeline's data. Inputs and outputs stay
// on the device, and so does the memory of what lies between (halide_reuse_device_allocations), as
// in a program that runs its pipeline again and again. Several candidates are measured in rounds
// (interleave.h), so that a drift of the machine meets them all.
#pragma once

#include <vector>

#include "core/support/statistics.h"

namespace autoschedule_gpu {

struct NoiseProtocol {
    int warmup_runs = 3;
    int samples = 20;  // at most; 0: verify only
    // What warm-up and samples may take together. Once it is over there is no further run, but for
    // the first three samples, and no more than one sample where a single run takes longer than all
    // of it.
    double time_budget_s = 2;
};

inline constexpr NoiseProtocol kUntimed = {.warmup_runs = 0, .samples = 0};  // verify only

// True if another sample is to be taken in the same process.
bool wants_another_sample(const NoiseProtocol &protocol, int taken, double elapsed_s,
                          double last_run_s);

// True if the process is to warm up once more.
bool wants_another_warmup(const NoiseProtocol &protocol, int done, double elapsed_s);

// The samples and what is said of them.
struct Timing {
    std::vector<double> samples_ms = {};  // in the order in which they were taken
    double median_ms = 0;
    ConfidenceInterval interval_ms = {};  // of the median, free of assumptions on the distribution
};

// `samples_ms` must not be empty.
Timing summarise(std::vector<double> samples_ms);

}  // namespace autoschedule_gpu
