// Cost models by the names that users give them.
#pragma once

#include <memory>
#include <string_view>

#include "gpu/gpu_model.h"
#include "model/cost_model.h"

namespace autoschedule_gpu {

// "roofline" or "analytical"; "auto" is the one for devices without a trained model: roofline. Null
// for any other name.
std::unique_ptr<const CostModel> make_cost_model(std::string_view name, const GpuModel &gpu);

// The same for the merging of groups (search/greedy_grouping.h).
std::unique_ptr<const CostModel> make_merging_model(std::string_view name, const GpuModel &gpu);

}  // namespace autoschedule_gpu
