// The devices on which a candidate can be measured.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/gpu/gpu_model.h"
#include "core/support/error.h"

namespace autoschedule_gpu {

// What a pipeline runs on. The CPU is for schedules without kernels, such as those of references.
enum class RunDevice : uint8_t { cpu, opencl, cuda };

inline constexpr std::array<std::string_view, 3> kRunDeviceNames = {"cpu", "opencl", "cuda"};

constexpr std::string_view to_string(RunDevice device) {
    return kRunDeviceNames[static_cast<size_t>(device)];
}

Result<RunDevice> parse_run_device(std::string_view text);

// Returns Halide's target for pipelines that run there: "host-cuda-cuda_capability_80". The highest
// capability that Halide 21 can name is 8.6; newer devices compile that for themselves.
std::string halide_target(RunDevice device, const GpuModel &model);

enum class DeviceKind : uint8_t {
    none,    // nothing runs: only compilers and models are asked
    opencl,  // through Halide's runtime
    cuda,    // through Halide's runtime
    replay   // recorded measurements (replay.h)
};

struct Device {
    DeviceKind kind = DeviceKind::none;
    std::string replay_file = {};  // only for replay

    friend bool operator==(const Device &, const Device &) = default;
};

// Parses one of none, opencl, cuda and replay:FILE. The error names what was expected and what was
// found.
Result<Device> parse_device(std::string_view text);

// Returns the text from which parse_device makes the same device.
std::string to_string(const Device &device);

// Returns what pipelines run on for that device; nullopt if none run.
std::optional<RunDevice> run_device(const Device &device);

// Returns the name under which measurements record a device whose driver calls it `name`: on CUDA
// that name, else device_text.
std::string recorded_device(RunDevice device, const std::string &name);

// Returns the interface of a device from the name under which measurements record it.
RunDevice interface_of_recorded(std::string_view device);

// Returns device_text of a device from the name under which measurements record it. What is such a
// text already, as in records of comparisons, stays.
std::string text_of_recorded(std::string_view device);

// Returns a text for people: "opencl: cpu-haswell", or the interface alone if the name is empty.
std::string device_text(RunDevice device, std::string_view name);

}  // namespace autoschedule_gpu
