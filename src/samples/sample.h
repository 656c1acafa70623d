// What a device said of a schedule, beside the features that the schedule has: what cost models are
// trained from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "features/feature_list.h"
#include "gpu/gpu_model.h"

namespace autoschedule_gpu {

// Where the samples of one file come from. All are of one device.
struct SampleOrigin {
    std::string device;  // as its driver calls it: "NVIDIA H200"
    std::string driver;  // its version; may be empty
    GpuModel gpu;        // for which the features were computed
    // For people who ask where the numbers come from; may be empty.
    std::string halide;   // version
    std::string plugin;   // version
    std::string date;     // of the first sample, as "2026-11-22"
    std::string command;  // that wrote the file

    friend bool operator==(const SampleOrigin &, const SampleOrigin &) = default;
};

// One schedule of one pipeline, measured.
struct Sample {
    std::string pipeline;    // what is held out together when models are judged: "app:harris"
    std::string schedule;    // which schedule of it: "seed=5 dropout=40"
    uint64_t code_hash = 0;  // of the device code (measure/replay.h); 0 if unknown
    std::vector<FeatureTable> kernels;  // at least one
    std::vector<double> times_ms;       // of single runs: at least one, each finite and above 0
};

}  // namespace autoschedule_gpu
