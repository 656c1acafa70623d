// The time of a kernel by our roofline model (scheduler/model/roofline.h), told what was counted in
// the lowered code and what the assembler says, and not the features of a loop nest. So schedules
// of any origin are predicted alike, the expert's too.
//
// What the counter does not know the model is not told: atomic operations on one element that wait
// for each other.
#pragma once

#include "core/gpu/gpu_model.h"
#include "lab/ptxas/ptxas.h"
#include "lab/traffic/count.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

// Returns the features of one launch; what a block does between two barriers stands as a stage.
FeatureTable counted_features(const KernelTraffic &traffic, const PtxasKernel &code,
                              const GpuModel &model);

// Returns the time of all launches together.
double predicted_ms(const KernelTraffic &traffic, const PtxasKernel &code, const GpuModel &model);

}  // namespace autoschedule_gpu
