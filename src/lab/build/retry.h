// A step that was ended from outside says nothing about the schedule, so it is tried again.
#pragma once

#include "lab/build/failure.h"

namespace autoschedule_gpu {

inline constexpr int kMostTries = 3;

// Returns the outcome of the first attempt of `step` that is not lost; else that of the last
// attempt.
template <typename Step>
auto retry_lost(const Step &step) -> decltype(step()) {
    auto outcome = step();
    for (int attempt = 1; attempt < kMostTries; ++attempt) {
        if (outcome || outcome.error().kind != FailureKind::lost) break;
        outcome = step();
    }
    return outcome;
}

}  // namespace autoschedule_gpu
