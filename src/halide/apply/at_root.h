// The schedule that any pipeline has: every Func at root, on the CPU, its rows beside each other.
// What a pipeline computes under it is what candidates are compared with.
#pragma once

#include <Halide.h>

namespace autoschedule_gpu {

// The Funcs must not have been scheduled before.
void schedule_at_root(const Halide::Pipeline &pipeline);

}  // namespace autoschedule_gpu
