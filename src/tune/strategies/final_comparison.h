// The end of a run: the fastest that were found and the default schedule once more, in interleaved
// rounds. What was measured once and seemed fastest of many was lucky, too; here luck is even.
#pragma once

#include <cstddef>
#include <vector>

#include "core/support/error.h"
#include "core/support/statistics.h"
#include "tune/session/session.h"

namespace autoschedule_gpu {

// Between the one and the kLooksAtFinals that there may be.
inline constexpr double kUsualLooksAtFinals = 2;

struct FinalsSettings {
    size_t finalists = 4;  // beside the default schedule
    // Trials that take part in any case, by index: those that won comparisons before, whatever
    // their first measurement was.
    std::vector<size_t> also = {};
    // As many again, up to kLooksAtFinals times, where the best may be faster than the default
    // schedule, but is not certain to be.
    int rounds = 9;
    NoiseProtocol noise = {.warmup_runs = 2, .samples = 10, .time_budget_s = 0.3};
};

struct Finalist {
    size_t trial = 0;                     // of the session
    std::vector<double> samples_ms = {};  // medians of the rounds
    double median_ms = 0;
    ConfidenceInterval interval_ms = {};  // of the median
};

struct Finals {
    std::vector<Finalist> finalists = {};  // the default schedule first, if it runs; then by median
    size_t winner = 0;                     // index
    // That the winner is not faster than the default schedule (significance.h); 1 if it is that
    // one.
    double chance_of_luck = 1;

    // Where the user has asked for the end before anything was measured: nobody has won.
    bool is_empty() const { return finalists.empty(); }
    const Finalist &best() const { return finalists[winner]; }
};

// Where the finals can't be run: who is ahead by the first measurements. Empty where nothing was
// measured.
Finals finals_of_first_measurements(const Session &session, const FinalsSettings &settings = {});

// The winner is that of find_fastest (lab/verdict/fastest.h), the default schedule being the
// reference. An error if nothing was measured, unless the user has asked for the end.
Result<Finals> compare_finally(Session &session, const FinalsSettings &settings = {});

}  // namespace autoschedule_gpu
