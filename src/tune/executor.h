// What a tuner has done for it: compiling schedules, and measuring them. Everything that is found
// is in the records when a call returns, and nothing that is there is done again.
//
//     Draw ─► build ─► Trial with code and features ─► measure ─► with times, or why there are none
//                                                   └► again ───► more times, side by side
//
// device_executor.h measures in this process, queue_executor.h lets workers do it, and
// replay_executor.h looks it up.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/noise.h"
#include "records/tuning_record.h"
#include "support/error.h"
#include "tune/trial.h"

namespace autoschedule_gpu {

// How trials are run beside each other.
struct Comparison {
    std::string name = {};  // of its purpose: "final"
    int part = 1;           // of a comparison that goes on: the first, the second and so on
    int rounds = 3;
    NoiseProtocol noise = {};  // of each round
};

// The label under which the records hold the comparison of these trials.
std::string label_of(const Comparison &comparison, std::span<Trial *const> trials);

// What there is where nobody compared measured trials: what they took at first, for the first part
// of a comparison, and nothing more for others.
std::vector<ComparedTimes> first_measurements(std::span<Trial *const> trials,
                                              const Comparison &comparison);

// Wall time of an executor's work so far, in seconds. Where schedules are compiled while others
// run, both count.
struct ExecutorTimes {
    double build = 0, run = 0;
};

class Executor {
public:
    virtual ~Executor() = default;

    const ExecutorTimes &times() const { return times_; }

    virtual const PipelineKey &pipeline() const = 0;
    virtual const Environment &environment() const = 0;

    // One trial per draw, in their order. An error only where nothing can be built at all.
    virtual Result<std::vector<Trial>> build(std::span<const Draw> draws) = 0;

    // Runs those trials that are neither measured nor failed. `best_ms`: of one run of the best so
    // far; what is many times slower may be given up. An error only where nothing can be measured.
    virtual Status measure(std::span<Trial *const> trials, std::optional<double> best_ms) = 0;

    // Build and measure, for those who measure all they build.
    virtual Result<std::vector<Trial>> attempt(std::span<const Draw> draws,
                                               std::optional<double> best_ms) = 0;

    // Times of measured trials in interleaved rounds: one list per trial, in milliseconds, with the
    // median of each round, or why it has none, which is its failure from then on. Those trials
    // are not run again in that part of a comparison of that name.
    virtual Result<std::vector<ComparedTimes>> again(std::span<Trial *const> trials,
                                                     const Comparison &comparison) = 0;

protected:
    ExecutorTimes times_;
};

}  // namespace autoschedule_gpu
