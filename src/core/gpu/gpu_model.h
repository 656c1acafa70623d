// What a GPU can hold and how fast it goes, as plain data: the only thing that the cost models and
// the legality rules know about a device.
//
//     presets ──────────────┐
//     gpu_model_file (JSON) ─┼─► resolve ─► GpuModel ─► occupancy, memory_access, cost models
//     driver (libcuda) ─────┘
//
// The struct and the one list of its fields are public (autoschedule_gpu/gpu_model.h). Add a field
// there and give it a value in presets.cpp.
//
// Value type; every function here may be called from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "autoschedule_gpu/gpu_model.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

using api::GpuApi;
using api::GpuModel;

// Every API in order of its value, with the name used in JSON.
inline constexpr std::array<std::string_view, 6> kGpuApiNames = {
    "cuda", "opencl", "metal", "vulkan", "d3d12compute", "webgpu"};

constexpr std::string_view to_string(GpuApi api) {
    return kGpuApiNames[static_cast<size_t>(api)];
}

// One row of the list, for whoever reads, writes or prints a model field by field.
struct GpuModelField {
    using Member = std::variant<std::string GpuModel::*, GpuApi GpuModel::*, int64_t GpuModel::*,
                                double GpuModel::*>;
    std::string_view name;
    std::string_view unit;
    std::string_view meaning;
    double least;
    double greatest;
    Member member;
};

// All fields, in the order of the list.
std::span<const GpuModelField> gpu_model_fields();

// Whether every number lies in its range and no limit contradicts another (a block larger than an
// SM, for one); the error names the field, what was expected and what was found.
Status check(const GpuModel &model);

// The built-in devices: CUDA's, in the order in which they appeared, then the generic device of
// each other API, such as "vulkan-generic", which holds what any device of that API does.
std::vector<std::string> preset_names();

// The preset of that name, read without regard to case, spaces, '-' and '_' ("RTX 4090" is
// "rtx4090"). The error lists the presets.
Result<GpuModel> find_preset(std::string_view name);

// The generic device of any API but CUDA.
GpuModel generic_preset(GpuApi api);

// The preset that stands for a CUDA compute capability such as 86: the newest one whose own is not
// greater; the oldest one (V100) for anything older.
GpuModel preset_for_capability(int64_t capability);

// A name as find_preset compares it.
std::string normalised_device_name(std::string_view name);

// Whether one of the names is in the other, in whole words: "A100" in "NVIDIA A100-SXM4-40GB" but
// not in "RTX A1000", "RTX4090" in "NVIDIA GeForce RTX 4090". So may a preset and what a driver
// says name the same device.
bool may_name_same_device(std::string_view a, std::string_view b);

}  // namespace autoschedule_gpu
