// The beginning of a schedule that takes reductions apart: splits of their loops, "rfactor" and, of
// what that makes, "reorder_storage". All that follows is about the pipeline that comes of it.
#pragma once

#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// How many directives that is; 0: none is taken apart.
size_t count_factors(const Schedule &schedule);

// Those, and the others.
struct SplitSchedule {
    Schedule factors, rest;
};
SplitSchedule split_off_factors(const Schedule &schedule);

}  // namespace autoschedule_gpu
