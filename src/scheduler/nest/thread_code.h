// What one thread of a kernel executes, without how many threads and blocks there are.
#pragma once

#include <cstdint>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// A hash of the stages that a kernel computes, of what is inlined into them, of the points that a
// thread computes of each, one after the other, and of the loops that threads share, which are as
// many indices. How a copy in shared memory is made makes no difference: no value of it is kept.
// Kernels of one hash need nearly the same registers, so one that spills says it of the others.
uint64_t thread_code_hash(const Dag &dag, const Kernel &kernel);

}  // namespace autoschedule_gpu
