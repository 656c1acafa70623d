// Samples for a cost model: schedules of many pipelines, measured.
//
//     Plan ─► draws ─► TrialBench: compile, in parallel ─► run, one at a time ─► SampleFolder
//              ▲                                                                    │
//              └────────────────────────────────────────────────────────────────────┘
//
// A draw that cannot be measured, or that is code which was measured before, is noted with its
// reason. What is in the folder is never tried again, so that a collection may be ended in whatever
// way and started again: at most the draws at hand are lost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/bench/trial_bench.h"
#include "lab/samples/sample.h"
#include "lab/workloads/sampler.h"
#include "lab/workloads/workload.h"
#include "learn/collect/sample_folder.h"

namespace autoschedule_gpu {

struct CollectSettings {
    std::vector<Workload> workloads = {};  // at least one
    int samples = 0;                       // in all, with those that the folder has already
    uint64_t seed = 0;
    Sampler sampler = {};
    int jobs = 0;  // that compile at the same time; 0: one per core
    std::string folder = {};
    TrialBenchSettings bench = {};
    SampleOrigin origin = {};  // the runs say what the device and its driver are
};

// Where a collection stands.
struct CollectState {
    SampleCounts counts = {};  // of all workloads, earlier calls included
    int new_samples = 0;       // of this call
    double compile_s = 0;      // wall time of this call
    double run_s = 0;
    std::string doing = {};
};

enum class CollectEnd : uint8_t { complete, interrupted, given_up };

struct CollectReport {
    CollectState state = {};
    CollectEnd end = CollectEnd::complete;
};

// `stop` is asked between steps, from several threads: once it says yes, what runs is finished and
// recorded, and the rest is left for another call. An error where nothing can be measured: a
// program or the device is missing, or a file of the folder is at fault.
Result<CollectReport> collect(const CollectSettings &settings,
                              const std::function<void(const CollectState &)> &progress,
                              const std::function<bool()> &stop);

}  // namespace autoschedule_gpu
