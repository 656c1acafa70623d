// Whether partial results of an update can be put together.
#pragma once

#include <Halide.h>

#include "core/dag/dag.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// Asks what Stage::rfactor will ask.
Partials partials_of(const StageSource &stage, const Halide::Target &target);

}  // namespace autoschedule_gpu::reading
