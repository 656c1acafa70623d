// The built-in devices, and who says what they have.
#pragma once

#include <string_view>
#include <vector>

#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu {

struct GpuPreset {
    GpuModel model;
    std::string_view source;  // white papers, data sheets
};

// CUDA's, then those of other APIs, then the generic device of each other API, such as
// "vulkan-generic", which holds what any device of that API does. By name: find_preset in
// gpu_model.h.
std::vector<GpuPreset> gpu_presets();

}  // namespace autoschedule_gpu
