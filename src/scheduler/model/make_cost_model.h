// From the choice of a model to the model.
#pragma once

#include <memory>

#include "core/gpu/gpu_model.h"
#include "scheduler/model/cost_model.h"
#include "scheduler/model/model_choice.h"

namespace autoschedule_gpu {

std::unique_ptr<const CostModel> make_cost_model(const ModelChoice &choice, const GpuModel &gpu);

// The same for the merging of groups (scheduler/search/greedy_grouping.h).
std::unique_ptr<const CostModel> make_merging_model(const ModelChoice &choice, const GpuModel &gpu);

}  // namespace autoschedule_gpu
