#include "core/gpu/resolve.h"

#include <algorithm>

#include "core/gpu/api_capabilities.h"
#include "core/gpu/gpu_model_file.h"

namespace autoschedule_gpu {

namespace {

Result<GpuModel> automatic_model(const TargetHints &hints, const std::string &driver_library) {
    if (hints.api != GpuApi::cuda) return generic_preset(hints.api);
    if (Result<GpuModel> device = read_from_driver(driver_library)) return device;
    if (hints.cuda_capability == 0) return find_preset("A100");
    return preset_for_capability(hints.cuda_capability);
}

Result<GpuModel> requested_model(std::string_view request, const TargetHints &hints,
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

}  // namespace

Result<GpuModel> resolve_gpu_model(std::string_view request, const TargetHints &hints,
                                   const std::string &driver_library) {
    const Result<GpuModel> requested = requested_model(request, hints, driver_library);
    if (!requested) return requested.error();
    const ApiCapabilities &api = capabilities(hints.api);
    GpuModel model = within_limits(*requested, api.at_most);
    model.api = hints.api;
    model.shared_element_bytes = std::max(model.shared_element_bytes, api.shared_element_bytes);
    return model;
}

}  // namespace autoschedule_gpu
