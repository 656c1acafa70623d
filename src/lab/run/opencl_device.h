// What OpenCL says of the device on which a loaded pipeline runs.
#pragma once

#include <string>

#include "lab/run/filter_library.h"

namespace autoschedule_gpu {

// Empty where they cannot be had: they are good to know, and no measurement fails for want of them.
struct OpenClDevice {
    std::string name = {};
    std::string driver_version = {};
};

OpenClDevice opencl_device(const FilterLibrary &library);

}  // namespace autoschedule_gpu
