// Samples for a cost model: schedules of many pipelines, measured.
//
//     Plan ─► draws ─► TrialBench: compile, in parallel ─► run, one at a time ─► Ledger
//              ▲                                                                    │
//              └────────────────────────────────────────────────────────────────────┘
//
// A draw that cannot be measured, or that is code which was measured before, is noted with its
// reason. What is in the ledger is never tried again, so that a collection may be ended in whatever
// way and started again: at most the draws at hand are lost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "collect/ledger.h"
#include "samples/sample.h"
#include "support/error.h"
#include "trial/phases.h"
#include "trial/sampler.h"
#include "trial/subject.h"
#include "trial/trial_bench.h"

namespace autoschedule_gpu {

struct CollectSettings {
    std::vector<Subject> subjects = {};  // at least one
    int samples = 0;                     // in all, with those that the folder has already
    uint64_t seed = 0;
    Sampler sampler = {};
    Phases phases = Phases::alternate;
    int jobs = 0;  // that compile at the same time; 0: one per core
    std::string folder = {};
    TrialBenchSettings bench = {};
    SampleOrigin origin = {};  // the runs say what the device and its driver are
};

// Where a collection stands.
struct CollectState {
    LedgerCounts counts = {};  // of all subjects, earlier calls included
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
