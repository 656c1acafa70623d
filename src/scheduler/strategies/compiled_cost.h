// What schedules cost by the model where a compiler has looked at them: the search estimates the
// registers of a kernel, and what it spills, from the loop nest; which of two schedules is cheaper
// can hang on what they are.
#pragma once

#include <span>

#include "core/gpu/gpu_model.h"
#include "scheduler/features/register_use.h"
#include "scheduler/model/cost_model.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

// Nanoseconds. `compiled` has the kernels of the nest in their order; of those that it does not
// have, what is estimated stays.
double compiled_cost(const CompleteState &complete, std::span<const RegisterUse> compiled,
                     const GpuModel &gpu, const CostModel &model);

}  // namespace autoschedule_gpu
