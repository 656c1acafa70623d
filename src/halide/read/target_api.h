// Which GPU API a Halide target is for, and what kernels may do under that API.
#pragma once

#include <Halide.h>

#include <optional>

#include "core/gpu/api_capabilities.h"

namespace autoschedule_gpu {

// Returns the API that Halide uses for GPU loops; of several in one target, the one that Halide
// prefers. nullopt if the target has none of those that GpuApi lists.
std::optional<GpuApi> gpu_api(const Halide::Target &target);

// Returns true if code for the target has the ability.
bool has(const Halide::Target &target, const Ability &ability);

}  // namespace autoschedule_gpu
