// How much of a Func's dimension a stage stores to.
#pragma once

#include <cstddef>
#include <span>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

// Returns how many points of the stage's Func loops over these ranges may store along one
// dimension: all, where data decide.
double stored_extent(const Stage &stage, const Func &func, std::span<const Interval> ranges,
                     size_t dim);

}  // namespace autoschedule_gpu
