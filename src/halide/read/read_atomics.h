// Decides whether the reduction loops of an update may run in parallel under Stage::atomic().
#pragma once

#include <Halide.h>

#include "core/dag/dag.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

// Returns what is possible with one instruction of the device: sums of 32 bits, and of 64 bits
// where the target has such atomics. The answer for Tuples is `no`, because Halide may guard them
// by a lock, which no GPU has. `values` are the bounds of the Funcs that indices are made of.
Atomics atomics_of(const StageSource &stage, const Halide::Target &target,
                   const HI::FuncValueBounds &values);

}  // namespace autoschedule_gpu::reading
