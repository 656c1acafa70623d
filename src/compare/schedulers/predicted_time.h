// The time of a kernel by our roofline model (scheduler/model/roofline.h), told what was counted in
// the lowered code and what the assembler says, and not the features of a loop nest. So schedules
// of any origin are predicted alike, the expert's too.
//
// Beside the features the model is told how often a thread waits for loads, which lowered code
// shows better than a nest: which loads branches or steps of scans part from each other, and how
// many words ptxas has on their way together.
#pragma once

#include "core/gpu/gpu_model.h"
#include "lab/ptxas/ptxas.h"
#include "lab/traffic/count.h"
#include "scheduler/features/feature_list.h"
#include "scheduler/model/roofline.h"

namespace autoschedule_gpu {

// Returns the features of one launch; what a block does between two barriers stands as a stage.
FeatureTable counted_features(const KernelTraffic &traffic, const PtxasKernel &code,
                              const GpuModel &model);

// Returns the time of one launch, and what it is made of.
Roofline::Terms counted_terms(const KernelTraffic &traffic, const PtxasKernel &code,
                              const GpuModel &model);

// Returns the time of all launches together.
double predicted_ms(const KernelTraffic &traffic, const PtxasKernel &code, const GpuModel &model);

}  // namespace autoschedule_gpu
