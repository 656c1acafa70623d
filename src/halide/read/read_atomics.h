// Whether the reduction loops of an update may run in parallel under Stage::atomic().
#pragma once

#include <Halide.h>

#include "core/dag/dag.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// Only what the device does in one instruction: sums of 32 bits, and of 64 where the target has
// them. Tuples are left out, for Halide may guard them by a lock, which no GPU has.
Atomics atomics_of(const StageSource &stage, const Halide::Target &target);

}  // namespace autoschedule_gpu::reading
