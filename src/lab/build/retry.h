// Steps that somebody ended from outside say nothing of the schedule: they are made again.
#pragma once

#include "lab/build/failure.h"

namespace autoschedule_gpu {

inline constexpr int kMostTries = 3;

// What `step` returns, an Outcome, at the first attempt that is not lost; else that of the last.
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
