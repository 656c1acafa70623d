// Samples of devices that do not exist: feature tables such as random pipelines have, and times by
// a rule that no cost model knows, with noise. What is learned can be compared with the truth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/support/random.h"
#include "lab/samples/sample_file.h"

namespace autoschedule_gpu::synthetic {

// What the hidden rule says of a device, beside its GpuModel. A stage takes the longest of its
// arithmetic, global and shared memory and a share of the rest; too few warps, too many registers
// and idle SMs multiply that.
struct HiddenDevice {
    std::string name = "synthetic A";
    double arithmetic = 4, memory = 0.25, shared = 3;  // time / that at peak rates
    double special = 40;                               // instructions of a special function
    double uncoalesced = 0.5;   // further memory time, by how much of the sectors is wasted
    double enough_warps = 0.8;  // occupancy from which on latency is hidden
    double spill = 0.2;         // further time per spilled value
    double launch_us = 3;
};

// Another device, on which other things are slow.
HiddenDevice slow_memory_device();

struct Settings {
    HiddenDevice device = {};
    uint64_t seed = 1;
    size_t pipelines = 20, schedules = 50;  // of each pipeline
    size_t stages = 0;                      // of each pipeline; 0: 2 to 8
    size_t applications = 0;                // so many of the pipelines are called "app:NUMBER"
    double noise = 0.07;   // standard deviation of the logarithm of a schedule's time
    double corrupted = 0;  // share of schedules whose time is wrong by a factor up to 30
};

// The other pipelines are called "synthetic:SEED.NUMBER".
SampleFile samples(const Settings &settings);

// What the device takes without noise, in ns.
double true_ns(const HiddenDevice &device, const GpuModel &gpu,
               const std::vector<FeatureTable> &kernels);

}  // namespace autoschedule_gpu::synthetic
