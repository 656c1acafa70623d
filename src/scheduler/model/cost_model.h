// The interface of cost models is public (autoschedule_gpu/cost_model.h): users' models and those
// of this folder are asked in the same way.
#pragma once

#include "autoschedule_gpu/cost_model.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

using api::ArrayView;
using api::CostModel;

}  // namespace autoschedule_gpu
