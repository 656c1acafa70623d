// From parameters to what a run needs: the device, the model, the program that assembles code.
#pragma once

#include <Halide.h>

#include <string>

#include "gpu/gpu_model.h"
#include "model/model_choice.h"
#include "plugin/parameters.h"
#include "support/error.h"

namespace autoschedule_gpu {

// The device that the parameters name, or the target's, with the limits that the parameters set.
// An error if the target has no GPU API, or a limit is above the device's own.
Result<GpuModel> settle_gpu(const Parameters &parameters, const Halide::Target &target);

// Grouping goes by the model of its paper, unless the user wants another. Errors are those of
// choose_model.
Result<ModelChoice> settle_model(const Parameters &parameters, const GpuModel &gpu);

// "auto", "off" or a file. Greedy grouping is for a schedule in a second, which is no time to
// compile code for a look at it.
std::string settle_ptxas(const Parameters &parameters);

// Whether schedules are found by greedy grouping alone.
bool is_grouping(const Parameters &parameters);

}  // namespace autoschedule_gpu
