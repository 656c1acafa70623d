// Which GPU API a Halide target is for, and what that lets a kernel do.
#pragma once

#include <Halide.h>

#include <optional>

#include "core/gpu/api_capabilities.h"

namespace autoschedule_gpu {

// The API that Halide takes for loops on the GPU; of several in one target, the one that Halide
// prefers. Nothing: the target has none of those that GpuApi lists.
std::optional<GpuApi> gpu_api(const Halide::Target &target);

// Whether code for the target has the ability.
bool has(const Halide::Target &target, const Ability &ability);

}  // namespace autoschedule_gpu
