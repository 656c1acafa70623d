#include "gpu/resolve.h"

#include "gpu/gpu_model_file.h"

namespace autoschedule_gpu {

namespace {

Result<GpuModel> automatic_model(const TargetHints &hints, const std::string &driver_library) {
    if (hints.api != GpuApi::cuda) return find_preset("opencl-generic");
    if (Result<GpuModel> device = read_from_driver(driver_library)) return device;
    if (hints.cuda_capability == 0) return find_preset("A100");
    return preset_for_capability(hints.cuda_capability);
}

}  // namespace

Result<GpuModel> resolve_gpu_model(std::string_view request, const TargetHints &hints,
                                   const std::string &driver_library) {
    if (request.empty() || normalised_device_name(request) == "auto") {
        return automatic_model(hints, driver_library);
    }
    if (request.find('/') != std::string_view::npos || request.ends_with(".json")) {
        return read_model_file(std::string(request));
    }
    Result<GpuModel> preset = find_preset(request);
    if (preset) return preset;
    return Error{preset.error().message + "; or give \"auto\" or the path of a JSON file"};
}

}  // namespace autoschedule_gpu
