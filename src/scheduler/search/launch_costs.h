// What the launches of a nest cost in which several kernels share one. KernelCosts knows kernels
// that have launches of their own.
#pragma once

#include <span>

#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/model/cost_model.h"
#include "scheduler/space/state.h"

namespace autoschedule_gpu {

// Nanoseconds of one launch of these kernels.
double cost_of_launch(FeatureExtractor &extractor, const CostModel &model,
                      std::span<const KernelPtr> kernels);

// The state with the costs of launches that kernels share, in the place of those of the first of
// their kernels; the others have none of their own. `state`: with the costs of kernels.
State with_costs_of_launches(const Dag &dag, const GpuModel &gpu, const CostModel &model,
                             State state);

}  // namespace autoschedule_gpu
