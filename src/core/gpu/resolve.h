// From what a user asked for to a GpuModel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/gpu/driver.h"
#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu {

// What the compiler's target says of the device.
struct TargetHints {
    GpuApi api = GpuApi::cuda;
    int cuda_capability = 0;  // 80 for 8.0; 0: the target names none
};

// Where a device comes from.
enum class GpuOrigin : uint8_t {
    preset,      // named
    file,        // likewise
    driver,      // the device of this machine
    capability,  // no driver names one; the target names a capability
    assumed,     // nor that
    generic,     // what any device of the API can do
};

struct ResolvedGpu {
    GpuModel model;
    GpuOrigin origin = GpuOrigin::preset;
    // Of a model that is assumed: why no driver has named a device, such as "the CUDA driver's
    // cuInit failed with code 999".
    std::string no_driver = {};
};

// Where the model comes from, for people: "preset", "this machine's".
std::string origin_text(const ResolvedGpu &gpu);

// `request` is one of
//   a preset's name   find_preset in gpu_model.h
//   a path            anything that contains '/' or ends in ".json": gpu_model_file.h
//   "auto" or ""      on CUDA: the driver's first device; where no driver names one, the preset
//                     that stands for the target's capability, and A100 if the target names none.
//                     On any other API: its generic device, because the driver asked is CUDA's.
// A preset or a file may be of another API: the model is of the target's, and within the limits
// that this one sets for every device (api_capabilities.h). `driver_library` is for tests.
Result<ResolvedGpu> resolve_gpu(std::string_view request, const TargetHints &hints = {},
                                const std::string &driver_library = kCudaDriverLibrary);

// The same without where it comes from.
Result<GpuModel> resolve_gpu_model(std::string_view request, const TargetHints &hints = {},
                                   const std::string &driver_library = kCudaDriverLibrary);

}  // namespace autoschedule_gpu
