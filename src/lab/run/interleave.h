// Several candidates measured in rounds: each round runs every candidate once, in a process of its
// own. A round begins with another candidate than the round before, and goes the other way round.
// So a device that warms up meets them all, and no candidate always follows the same other one.
//
// A round's time is the median of its process, and counts as one sample: what is the same for all
// runs of a process (where its memory lies, on which cores the threads of an OpenCL device run)
// can make more of a difference than what changes from run to run. An interval or a test over runs
// would take the same luck many times for much evidence (Kalibera and Jones, Rigorous Benchmarking
// in Reasonable Time, 2013).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/run/noise.h"
#include "lab/run/runner.h"

namespace autoschedule_gpu {

// One run of the candidate of that index.
using RunOnce = std::function<Outcome<RunReport>(size_t candidate, int round)>;

struct InterleavedRun {
    Timing timing = {};    // its samples are the medians of the rounds, in their order
    RunReport first = {};  // of round 0: verification, device
    int rounds = 0;
};

// A candidate that fails in one round is not run again, and its failure is its outcome. Outcomes
// are in the order of the candidates. `rounds` is at least 1.
std::vector<Outcome<InterleavedRun>> measure_interleaved(size_t candidates, int rounds,
                                                         const RunOnce &run_once);

}  // namespace autoschedule_gpu
