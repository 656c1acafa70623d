#include "common/device_environment.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace autoschedule_gpu {
namespace {

// Beginnings of the names of variables by which Halide's runtime and the driver choose a device,
// and compile what runs on it.
std::vector<std::string_view> variables_of(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::opencl:
            return {"HL_OCL_", "HL_GPU_"};
        case DeviceKind::cuda:
            return {"CUDA_VISIBLE_DEVICES=", "HL_CUDA_", "HL_GPU_"};
        case DeviceKind::none:
        case DeviceKind::replay:
            return {};
    }
    return {};
}

}  // namespace

NamedValues device_environment(DeviceKind kind) {
    NamedValues found;
    const std::vector<std::string_view> names = variables_of(kind);
    for (char **entry = environ; *entry != nullptr; ++entry) {
        const std::string_view variable = *entry;
        const bool counts = std::ranges::any_of(
            names, [&](std::string_view name) { return variable.starts_with(name); });
        if (!counts) continue;
        const size_t equals = variable.find('=');
        found.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
    }
    std::ranges::sort(found);
    return found;
}

}  // namespace autoschedule_gpu
