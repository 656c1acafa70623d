// Why trials of a run have failed, for its last lines.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/build/failure.h"
#include "tune/session/trial.h"

namespace autoschedule_gpu {

struct FailedTrials {
    FailureKind kind = FailureKind::setup;
    int count = 0;
    std::string reason = {};  // the most frequent one; of equals, that which was met first
    int of_that_reason = 0;
};

// By kind, the most frequent first.
std::vector<FailedTrials> failures_by_kind(std::span<const Trial> trials);

}  // namespace autoschedule_gpu
