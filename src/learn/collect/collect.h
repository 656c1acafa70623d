// Collects samples for a cost model: measured schedules of many pipelines.
//
//     Plan ─► draws ─► TrialBench: compile, in parallel ─► run, one at a time ─► SampleFolder
//              ▲                                                                    │
//              └────────────────────────────────────────────────────────────────────┘
//
// Each draw is run by several processes, with the others of its batch in between, until two of them
// agree on its time (believed_runs.h).
//
// A draw that cannot be measured, whose times do not agree, or whose code was measured before, is
// noted with its reason. What is in the folder is not tried again, but for noise and what was
// killed from outside, so a collection may be interrupted at any time and started again; at most
// the draws in progress are lost.
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

// Of each process that times a schedule; more runs make it likelier that some have their cores for
// themselves.
inline constexpr NoiseProtocol kCollectNoise = {
    .warmup_runs = 2, .samples = 16, .time_budget_s = 0.2};

inline constexpr int kMostNoisyDraws = 50;

struct CollectSettings {
    std::vector<Workload> workloads = {};  // at least one
    int samples = 0;  // of the workloads, with those of them that are in the folder already
    uint64_t seed = 0;
    Sampler sampler = {};
    int jobs = 0;  // how many compile at the same time; 0: one per core
    std::string folder = {};
    TrialBenchSettings bench = {};
    SampleOrigin origin = {};  // the runs fill in the device and its driver
};

// How far a collection has come.
struct CollectState {
    // Of the workloads, including earlier calls but for what is tried again.
    SampleCounts counts = {};
    int new_samples = 0;   // this call only
    double compile_s = 0;  // wall time, this call only
    double run_s = 0;
    std::string doing = {};
};

enum class CollectEnd : uint8_t { complete, interrupted, given_up };

struct CollectReport {
    CollectState state = {};
    CollectEnd end = CollectEnd::complete;
};

// Collects until there are `settings.samples` of the workloads, no workload is left, or `stop`
// returns true. `stop` is called between steps, from several threads; once it returns true, what
// runs is finished and recorded, and the rest is left for another call. Returns an error where
// nothing can be measured: a program or the device is missing, a file of the folder is faulty, or
// kMostNoisyDraws in a row are noise.
Result<CollectReport> collect(const CollectSettings &settings,
                              const std::function<void(const CollectState &)> &progress,
                              const std::function<bool()> &stop);

}  // namespace autoschedule_gpu
