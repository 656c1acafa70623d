// From what a user asked for to a GpuModel.
#pragma once

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

// `request` is one of
//   a preset's name   find_preset in gpu_model.h
//   a path            anything that contains '/' or ends in ".json": gpu_model_file.h
//   "auto" or ""      on CUDA: the driver's first device; where there is no driver, the preset that
//                     stands for the target's capability, and A100 if the target names none.
//                     On any other API: its generic device, because the driver asked is CUDA's.
// A preset or a file may be of another API: the model is of the target's, and within the limits
// that this one sets for every device (api_capabilities.h). `driver_library` is for tests.
Result<GpuModel> resolve_gpu_model(std::string_view request, const TargetHints &hints = {},
                                   const std::string &driver_library = kCudaDriverLibrary);

}  // namespace autoschedule_gpu
