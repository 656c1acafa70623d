// Tells whether a device takes a pipeline's launches. Halide does not ask, and PoCL takes far more
// than a GPU does, so that this is checked before anything is run.
#pragma once

#include <string>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "lab/build/launch_report.h"

namespace autoschedule_gpu {

// One sentence per limit that is exceeded, in the order of the launches; empty if all is well.
// What a launch leaves unsaid (dynamic extents, unknown shared bytes) is not held against it.
std::vector<std::string> broken_limits(const std::vector<Launch> &launches, const GpuModel &model);

}  // namespace autoschedule_gpu
