// Where a candidate gets its number.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/gpu/gpu_model.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

// What a pipeline is run on. The CPU is for schedules without kernels, the references among them.
enum class RunDevice : uint8_t { cpu, opencl, cuda };

inline constexpr std::array<std::string_view, 3> kRunDeviceNames = {"cpu", "opencl", "cuda"};

constexpr std::string_view to_string(RunDevice device) {
    return kRunDeviceNames[static_cast<size_t>(device)];
}

Result<RunDevice> parse_run_device(std::string_view text);

// Returns Halide's target for pipelines that run there: "host-cuda-cuda_capability_80". Halide 21
// names 8.6 at most, and newer devices compile that for themselves.
std::string halide_target(RunDevice device, const GpuModel &model);

enum class DeviceKind : uint8_t {
    none,    // nothing is run: what the compilers and the models say is all there is
    opencl,  // through Halide's runtime
    cuda,    // likewise
    replay   // recorded measurements (replay.h)
};

struct Device {
    DeviceKind kind = DeviceKind::none;
    std::string replay_file = {};  // for replay alone

    friend bool operator==(const Device &, const Device &) = default;
};

// One of: none, opencl, cuda, replay:FILE. The error names what was expected and what was found.
Result<Device> parse_device(std::string_view text);

// As parse_device reads it.
std::string to_string(const Device &device);

// What pipelines are run on there; nothing if none are run.
std::optional<RunDevice> run_device(const Device &device);

// What measurements call a device whose driver says `name`: that name on CUDA, else device_text.
std::string recorded_device(RunDevice device, const std::string &name);

// The interface of the device that measurements call so.
RunDevice interface_of_recorded(std::string_view device);

// For people: "opencl: cpu-haswell", or the interface alone for a device without a name.
std::string device_text(RunDevice device, std::string_view name);

}  // namespace autoschedule_gpu
