// A process that does what tuners put into the queue: leases a job, builds and measures, finishes
// it, until there is nothing to do for a while. As many may work at a time as there are; those of a
// machine take turns on its device.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "core/support/error.h"
#include "lab/bench/trial_bench.h"
#include "tune/executors/job.h"

namespace autoschedule_gpu {

struct WorkerSettings {
    std::string records = {};       // the file
    std::string folder = {};        // of its own
    std::chrono::seconds idle{60};  // without a job for anybody, after which it ends
    std::chrono::seconds lease{60};
    // What this machine has for a job; an error if it can't do it.
    std::function<Result<TrialBenchSettings>(const TuneJob &)> bench = {};
    std::string halide = {}, plugin = {};  // versions
    std::function<void(const std::string &)> log = {};
    std::function<bool()> stop = {};  // asked between jobs
};

// How many jobs it did. An error if the records can't be used.
Result<int> work(const WorkerSettings &settings);

}  // namespace autoschedule_gpu
