// Rules that whoever lists decisions finds broken before there is a candidate to ask about, and so
// names. Each is at its place in every RuleBook.
#pragma once

#include "scheduler/rules/rule.h"

namespace autoschedule_gpu {

inline constexpr RuleId kHalideNesting(0), kHostBoundary(1), kDynamicAllocation(2), kLowLaneUse(3),
    kRandomDropout(4), kUserSchedule(5);

}  // namespace autoschedule_gpu
