#include "core/gpu/resolve.h"

#include <algorithm>
#include <utility>

#include "core/gpu/api_capabilities.h"
#include "core/gpu/gpu_model_file.h"

namespace autoschedule_gpu {

namespace {

// A device, if it was found, and where it was looked for.
struct Found {
    Result<GpuModel> model;
    GpuOrigin origin;
    std::string no_driver = {};
};

std::string why_none(const DriverError &error) {
    return error.lack == DriverLack::absent ? "there is no CUDA driver here" : error.message;
}

Found automatic_model(const TargetHints &hints, const std::string &driver_library) {
    if (hints.api != GpuApi::cuda) return {generic_preset(hints.api), GpuOrigin::generic};
    const auto device = read_from_driver(driver_library);
    if (device) return {*device, GpuOrigin::driver};
    std::string why = why_none(device.error());
    if (hints.cuda_capability == 0) {
        return {find_preset("A100"), GpuOrigin::assumed, std::move(why)};
    }
    return {preset_for_capability(hints.cuda_capability), GpuOrigin::capability, std::move(why)};
}

Found requested_model(std::string_view request, const TargetHints &hints,
                      const std::string &driver_library) {
    if (request.empty() || normalised_device_name(request) == "auto") {
        return automatic_model(hints, driver_library);
    }
    if (request.find('/') != std::string_view::npos || request.ends_with(".json")) {
        return {read_model_file(std::string(request)), GpuOrigin::file};
    }
    Result<GpuModel> preset = find_preset(request);
    if (preset) return {std::move(preset), GpuOrigin::preset};
    return {Error{preset.error().message + "; or give \"auto\" or the path of a JSON file"},
            GpuOrigin::preset};
}

}  // namespace

std::string origin_text(const ResolvedGpu &gpu) {
    switch (gpu.origin) {
        case GpuOrigin::preset:
            return "preset";
        case GpuOrigin::file:
            return "from its file";
        case GpuOrigin::driver:
            return "this machine's";
        case GpuOrigin::capability:
            return "assumed for the target's capability, for " + gpu.no_driver;
        case GpuOrigin::assumed:
            return "assumed, for " + gpu.no_driver + "; autoscheduler.gpu=NAME names another";
        case GpuOrigin::generic:
            return "any device of the API; autoscheduler.gpu=NAME names one";
    }
    return "";
}

Result<ResolvedGpu> resolve_gpu(std::string_view request, const TargetHints &hints,
                                const std::string &driver_library) {
    const Found requested = requested_model(request, hints, driver_library);
    if (!requested.model) return requested.model.error();
    const ApiCapabilities &api = capabilities(hints.api);
    GpuModel model = within_limits(*requested.model, api.at_most);
    model.api = hints.api;
    model.shared_element_bytes = std::max(model.shared_element_bytes, api.shared_element_bytes);
    return ResolvedGpu{std::move(model), requested.origin, requested.no_driver};
}

Result<GpuModel> resolve_gpu_model(std::string_view request, const TargetHints &hints,
                                   const std::string &driver_library) {
    Result<ResolvedGpu> resolved = resolve_gpu(request, hints, driver_library);
    if (!resolved) return resolved.error();
    return std::move(resolved).value().model;
}

}  // namespace autoschedule_gpu
