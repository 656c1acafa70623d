// How a tuner spends its budget: a strategy tries schedules, sees what they took, and tries others.
//
//     Tuning ─► best known trial ─► its neighbours, or requests at random ─► attempt ─► trials
//        ▲                                                                                │
//        └────────────────────────────────────────────────────────────────────────────────┘
//
// When a strategy begins, the default schedule has been measured, and what earlier runs have found.
// When it ends, the best are compared in interleaved rounds: a strategy can't make the result worse
// than the default schedule. All that is tried is kept in the records; a run that is repeated takes
// it from there, so equal seeds should give equal requests.
//
// A library registers strategies (register.h); the user chooses one by `autotune --library FILE
// --strategy NAME`. A strategy is called by one thread, and must not throw. Needs C++17 and the
// standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autoschedule_gpu/array_view.h"
#include "autoschedule_gpu/feature_list.h"

namespace autoschedule_gpu::api {

// A schedule to be tried, as the plugin is told of it.
struct TrialRequest {
    // Parameters without `autoscheduler.` (options.h): {"strategy", "beam"}, {"seed", "5"}.
    std::vector<std::pair<std::string, std::string>> parameters;
    std::string decisions;  // JSON (decision.h); empty: they are searched for
};

struct Trial {
    TrialRequest request;
    uint64_t code_hash = 0;              // of the device code; 0: there is none
    std::vector<FeatureTable> kernels;   // empty: not known
    std::string trace;                   // JSON (trace.h)
    std::string decisions;               // JSON (decision.h), with choices; empty: there is no list
    std::optional<double> predicted_ms;  // by the cost model
    std::vector<double> times_ms;        // of single runs; empty: not measured
    std::string failure;                 // why it has no code or no times; empty: it did not fail
};

// The schedule of a trial with one decision changed by the least difference (Canesche et al. 2024,
// definition 3.2): sizes by one choice, all else to each other choice.
struct Neighbour {
    std::string decision;  // "blur_y.x threads"
    std::string from, to;  // values
    TrialRequest request;
};

// A tuning run of one pipeline. Trials have numbers, which count from 0 and stay.
class Tuning {
public:
    virtual ~Tuning() = default;

    virtual uint64_t seed() const = 0;

    // True if the strategy is to return: the budget is spent, the user wants the end, or nothing
    // can be measured any more.
    virtual bool is_over() const = 0;

    // How many of `wanted` trials the budget still allows.
    virtual int trials_left(int wanted) const = 0;

    // References are valid until the next attempt.
    virtual size_t trial_count() const = 0;
    virtual const Trial &trial(size_t number) const = 0;

    // The measured trial with the least median.
    virtual std::optional<size_t> best() const = 0;

    // In the order of the decisions; empty where the trial has no list of them.
    virtual std::vector<Neighbour> neighbours(size_t trial) const = 0;

    // Compiles requests in parallel and runs what comes of them. For each request the number of its
    // trial: those that give equal code have one. Empty if the run ended before.
    virtual std::vector<size_t> attempt(ArrayView<const TrialRequest> requests) = 0;

    // The medians of measured trials in interleaved rounds, in milliseconds, by trial and round;
    // empty for one that failed.
    virtual std::vector<std::vector<double>> compare(ArrayView<const size_t> trials,
                                                     int rounds) = 0;
};

class TunerStrategy {
public:
    virtual ~TunerStrategy() = default;

    virtual std::string_view name() const = 0;

    virtual void run(Tuning &tuning) const = 0;
};

}  // namespace autoschedule_gpu::api
