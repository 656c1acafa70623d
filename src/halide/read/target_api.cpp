#include "halide/read/target_api.h"

#include <string>

namespace autoschedule_gpu {

std::optional<GpuApi> gpu_api(const Halide::Target &target) {
    using Halide::DeviceAPI;
    switch (Halide::get_default_device_api_for_target(target)) {
        case DeviceAPI::CUDA:
            return GpuApi::cuda;
        case DeviceAPI::OpenCL:
            return GpuApi::opencl;
        case DeviceAPI::Metal:
            return GpuApi::metal;
        case DeviceAPI::Vulkan:
            return GpuApi::vulkan;
        case DeviceAPI::D3D12Compute:
            return GpuApi::d3d12compute;
        case DeviceAPI::WebGPU:
            return GpuApi::webgpu;
        default:
            return std::nullopt;
    }
}

bool has(const Halide::Target &target, const Ability &ability) {
    if (ability.when != Ability::When::with_feature) return ability.when == Ability::When::always;
    return target.has_feature(Halide::Target::feature_from_name(std::string(ability.feature)));
}

}  // namespace autoschedule_gpu
