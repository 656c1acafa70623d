#include "lab/run/device.h"

#include <algorithm>

namespace autoschedule_gpu {

namespace {

constexpr std::string_view kReplay = "replay:";

// That with which the name of a device begins, as "opencl: cpu-haswell" does.
std::optional<RunDevice> named_interface(std::string_view device) {
    const Result<RunDevice> named = parse_run_device(device.substr(0, device.find(": ")));
    return named ? std::optional(*named) : std::nullopt;
}

}  // namespace

Result<RunDevice> parse_run_device(std::string_view text) {
    const auto found = std::find(kRunDeviceNames.begin(), kRunDeviceNames.end(), text);
    if (found != kRunDeviceNames.end()) {
        return static_cast<RunDevice>(found - kRunDeviceNames.begin());
    }
    return Error{"expected cpu, opencl or cuda as the device, found '" + std::string(text) + "'"};
}

std::string halide_target(RunDevice device, const GpuModel &model) {
    if (device == RunDevice::cpu) return "host";
    if (device == RunDevice::opencl) return "host-opencl";
    const int64_t capability = 10 * model.compute_capability_major + model.compute_capability_minor;
    if (capability == 0) return "host-cuda";
    constexpr int64_t kNewest = 86;
    return "host-cuda-cuda_capability_" + std::to_string(std::min(capability, kNewest));
}

Result<Device> parse_device(std::string_view text) {
    if (text == "none") return Device{.kind = DeviceKind::none};
    if (text == "opencl") return Device{.kind = DeviceKind::opencl};
    if (text == "cuda") return Device{.kind = DeviceKind::cuda};
    if (text.starts_with(kReplay)) {
        const std::string file(text.substr(kReplay.size()));
        if (!file.empty()) return Device{.kind = DeviceKind::replay, .replay_file = file};
        return Error{"expected a file of recorded measurements after 'replay:', found nothing"};
    }
    return Error{"expected none, opencl, cuda or replay:FILE as the device, found '" +
                 std::string(text) + "'"};
}

std::string to_string(const Device &device) {
    switch (device.kind) {
        case DeviceKind::none:
            return "none";
        case DeviceKind::opencl:
            return "opencl";
        case DeviceKind::cuda:
            return "cuda";
        case DeviceKind::replay:
            return std::string(kReplay) + device.replay_file;
    }
    return {};
}

std::optional<RunDevice> run_device(const Device &device) {
    switch (device.kind) {
        case DeviceKind::opencl:
            return RunDevice::opencl;
        case DeviceKind::cuda:
            return RunDevice::cuda;
        case DeviceKind::none:
        case DeviceKind::replay:
            return std::nullopt;
    }
    return std::nullopt;
}

std::string recorded_device(RunDevice device, const std::string &name) {
    return device == RunDevice::cuda ? name : device_text(device, name);
}

RunDevice interface_of_recorded(std::string_view device) {
    return named_interface(device).value_or(RunDevice::cuda);
}

std::string text_of_recorded(std::string_view device) {
    return named_interface(device) ? std::string(device) : device_text(RunDevice::cuda, device);
}

std::string device_text(RunDevice device, std::string_view name) {
    std::string text(to_string(device));
    if (!name.empty()) text.append(": ").append(name);
    return text;
}

}  // namespace autoschedule_gpu
