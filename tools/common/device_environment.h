// The variables of the environment by which a device is chosen, and compiles what runs on it: what
// was measured with others is of another device.
#pragma once

#include "lab/build/build_candidate.h"
#include "lab/run/device.h"

namespace autoschedule_gpu {

// Sorted by name; none where nothing runs.
NamedValues device_environment(DeviceKind kind);

}  // namespace autoschedule_gpu
