// Whether partial results of an update can be put together.
#pragma once

#include <Halide.h>

#include <vector>

#include "core/dag/dag.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// Asks what Stage::rfactor will ask, and refuses what it would put together wrongly. `loops`: the
// stage's, as the Dag has them.
Partials partials_of(const StageSource &stage, const std::vector<Loop> &loops,
                     const Halide::Target &target);

}  // namespace autoschedule_gpu::reading
