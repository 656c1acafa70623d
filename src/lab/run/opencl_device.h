// What OpenCL says about the device on which a loaded pipeline runs.
#pragma once

#include <string>

#include "lab/run/filter_library.h"

namespace autoschedule_gpu {

// Fields are empty if they cannot be found out, which is no reason for a measurement to fail.
struct OpenClDevice {
    std::string name = {};
    std::string driver_version = {};
};

OpenClDevice opencl_device(const FilterLibrary &library);

}  // namespace autoschedule_gpu
