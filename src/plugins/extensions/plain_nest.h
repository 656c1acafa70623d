// Kernels as users' libraries read them (autoschedule_gpu/nest.h).
#pragma once

#include "autoschedule_gpu/nest.h"
#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

api::Kernel plain_kernel(const Dag &dag, const GpuModel &gpu, const Kernel &kernel);

// A stage with one LoopTile per loop. `at_root`: blocks take what the tiles leave.
api::Stage plain_stage_at_root(const Dag &dag, StageId stage, std::span<const LoopTile> tiling);

}  // namespace autoschedule_gpu
