// How long a contest still takes, by what its runs have taken: in all calls together, so that what
// is known from earlier ones does not count as quick work.
#pragma once

#include <optional>
#include <span>

#include "tune/contest/contest_run.h"

namespace autoschedule_gpu {

// The run at hand, and those that come after it.
struct ContestToCome {
    double so_far_s = 0;                // that the run has taken
    std::optional<double> left_s = {};  // that it will take, if it knows
    int runs = 0;                       // after it
};

// In seconds. Each run to come takes the mean of those that were made and the one at hand. Nothing
// where none was made and the one at hand does not know.
std::optional<double> contest_left_s(std::span<const ContestRun> made, const ContestToCome &more);

}  // namespace autoschedule_gpu
