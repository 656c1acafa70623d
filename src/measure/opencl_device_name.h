// What OpenCL calls the device on which a loaded pipeline runs.
#pragma once

#include <string>

#include "measure/filter_library.h"

namespace autoschedule_gpu {

// Empty where it cannot be had: a name is good to know, and no measurement fails for want of it.
std::string opencl_device_name(const FilterLibrary &library);

}  // namespace autoschedule_gpu
