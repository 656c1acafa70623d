// How long a tuning run may go on: in time, in trials, or both, whichever ends first. A trial is a
// schedule that is tried: it is compiled, and run where the mode wants that. One that is known from
// an earlier run counts too, so that the same number leads to the same end however often a run was
// interrupted. It takes no time: a call that goes on has all of a budget's time for what is new.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

struct Budget {
    std::optional<double> seconds = {};  // of one call
    std::optional<int> trials = {};      // in all

    friend bool operator==(const Budget &, const Budget &) = default;
};

// "30m", "90s", "1.5h", "400t", or two with a comma between: "2h,1000t". The error names what was
// found.
Result<Budget> parse_budget(std::string_view text);

// As parse_budget reads it.
std::string to_string(const Budget &budget);

// Trials that may still be made after `made` ones; at most `wanted`.
int trials_left(const Budget &budget, int made, int wanted);

}  // namespace autoschedule_gpu
