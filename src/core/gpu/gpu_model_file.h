// A GpuModel as JSON: one object whose keys are the fields of AUTOSCHEDULE_GPU_MODEL_FIELDS
// (gpu_model.h), and "base".
//
//     {
//         "base": "RTX4090",            a preset; its values stand where the file is silent
//         "name": "RTX4080",            text
//         "api": "cuda",                cuda, opencl, metal, vulkan, d3d12compute or webgpu
//         "sm_count": 76,               whole numbers for counts and bytes
//         "clock_ghz": 2.505            any number for rates and latencies
//     }
//
// Without "base" every field must be there. Refused, with what was expected and what was found:
// anything but one object, a key that is unknown or comes twice, a value of another type or out of
// its range, limits that contradict each other (check in gpu_model.h).
#pragma once

#include <string>
#include <string_view>

#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu {

// The error of a file begins with its path.
Result<GpuModel> read_model_file(const std::string &path);
Result<GpuModel> parse_model(std::string_view json);

// Every field, in the order of the list, one a line; parse_model gives the same model back.
std::string to_json(const GpuModel &model);

}  // namespace autoschedule_gpu
