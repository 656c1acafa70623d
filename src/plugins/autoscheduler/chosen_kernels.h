// The kernels of the schedule that was chosen, one after the other as they are launched: what the
// report and the featurization list.
#pragma once

#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_list.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

std::vector<KernelPtr> in_launch_order(const Nest &nest);

// The kernels of each launch, in that order; one, but where several share it.
std::vector<std::vector<KernelPtr>> in_launches(const Nest &nest);

// One table per launch, in that order.
std::vector<FeatureTable> features_of(const Dag &dag, const GpuModel &gpu, const Nest &nest);

}  // namespace autoschedule_gpu
