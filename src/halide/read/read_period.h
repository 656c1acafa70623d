// Finds how often what a stage computes is the same along its loops.
#pragma once

#include <cstdint>

#include "halide/read/read_loads.h"

namespace autoschedule_gpu::reading {

// Returns Stage::period.
int64_t period_of(const StageGraph &graph);

}  // namespace autoschedule_gpu::reading
