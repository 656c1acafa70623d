// How often a pipeline is run, and how its times are summarised.
//
// The first run is not timed: the driver compiles kernels during it, and its output is the one that
// is compared. Warm-up runs follow, and then samples. Each sample ends when the device has
// finished, and on CUDA begins with an L2 cache that holds none of the pipeline's data. Inputs,
// outputs and intermediate memory stay on the device (halide_reuse_device_allocations), as in a
// program that runs its pipeline again and again. Several candidates are measured in rounds
// (interleave.h), so that a drift of the machine affects them all.
#pragma once

#include <vector>

#include "core/support/statistics.h"

namespace autoschedule_gpu {

struct NoiseProtocol {
    int warmup_runs = 3;
    int samples = 20;  // at most; 0: verify only
    // The time that warm-up and samples may take together. Once it is over there are no more runs,
    // except for the first three samples; if a single run takes longer than the whole budget, there
    // is only one sample.
    double time_budget_s = 2;
};

inline constexpr NoiseProtocol kUntimed = {.warmup_runs = 0, .samples = 0};  // verify only

// Returns true if another sample is to be taken in the same process.
bool wants_another_sample(const NoiseProtocol &protocol, int taken, double elapsed_s,
                          double last_run_s);

// Returns true if the process is to warm up once more.
bool wants_another_warmup(const NoiseProtocol &protocol, int done, double elapsed_s);

// The samples and their summary.
struct Timing {
    std::vector<double> samples_ms = {};  // in the order in which they were taken
    double median_ms = 0;
    ConfidenceInterval interval_ms = {};  // of the median; assumes nothing about the distribution
};

// `samples_ms` must not be empty.
Timing summarise(std::vector<double> samples_ms);

}  // namespace autoschedule_gpu
