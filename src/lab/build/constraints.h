// Tells whether a device accepts a pipeline's launches. Halide does not check this, and PoCL
// accepts far more than a GPU does, so it is checked before anything runs.
#pragma once

#include <string>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "lab/build/launch_report.h"

namespace autoschedule_gpu {

// Returns one sentence per limit that is exceeded, in the order of the launches; empty if none is.
// Figures that a launch leaves open (dynamic extents, unknown shared bytes) count as allowed.
std::vector<std::string> broken_limits(const std::vector<Launch> &launches, const GpuModel &model);

}  // namespace autoschedule_gpu
