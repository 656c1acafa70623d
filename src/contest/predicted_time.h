// The time of a kernel by our roofline model (model/roofline.h), told what was counted in the
// lowered code and what the assembler says, and not the features of a loop nest. So schedules of
// any origin are predicted alike, the expert's too.
//
// What the counter does not know the model is not told: atomic operations on one element that wait
// for each other, and what L1 keeps of a block's loads.
#pragma once

#include "features/feature_list.h"
#include "gpu/gpu_model.h"
#include "measure/ptxas.h"
#include "traffic/count.h"

namespace autoschedule_gpu {

// Of one launch; the whole kernel stands as one stage.
FeatureTable counted_features(const KernelTraffic &traffic, const PtxasKernel &code,
                              const GpuModel &model);

// Of all launches together.
double predicted_ms(const KernelTraffic &traffic, const PtxasKernel &code, const GpuModel &model);

}  // namespace autoschedule_gpu
