// Measures several candidates in rounds. Each round runs every candidate once, in a process of its
// own, begins with another candidate than the round before, and goes in the opposite direction. So
// a device that warms up affects all candidates alike, and none always follows the same other one.
//
// A round's time is the median of its process and counts as one sample. What is the same for all
// runs of a process (where its memory lies, on which cores the threads of an OpenCL device run) can
// matter more than what changes from run to run, and an interval or a test over runs would count
// the same luck many times (Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, 2013).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/run/noise.h"
#include "lab/run/runner.h"

namespace autoschedule_gpu {

// Runs the candidate of that index once.
using RunOnce = std::function<Outcome<RunReport>(size_t candidate, int round)>;

struct InterleavedRun {
    Timing timing = {};    // its samples are the medians of the rounds, in order
    RunReport first = {};  // from round 0: verification and device
    int rounds = 0;
};

// Returns the outcomes in the order of the candidates. A candidate that fails in a round is not run
// again, and that failure is its outcome. `rounds` must be at least 1; fewer are made if `stop`,
// which is asked before each, says so.
std::vector<Outcome<InterleavedRun>> measure_interleaved(size_t candidates, int rounds,
                                                         const RunOnce &run_once,
                                                         const std::function<bool()> &stop = {});

}  // namespace autoschedule_gpu
