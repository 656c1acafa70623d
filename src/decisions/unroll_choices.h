// How far the loops of a stage can be unrolled while all else stays.
#pragma once

#include <vector>

#include "dag/dag.h"
#include "gpu/gpu_model.h"
#include "nest/nest.h"

namespace autoschedule_gpu {

// Of a stage that is computed in the kernel: those that make a difference, ascending; its own and
// `all` are among them. Those that move arrays of a thread from registers into memory are not: that
// is legal, but slow (HALIDE_FACTS A2 i).
std::vector<Unroll> unroll_choices(const Dag &dag, const GpuModel &gpu, const KernelPtr &kernel,
                                   StageId stage);

}  // namespace autoschedule_gpu
