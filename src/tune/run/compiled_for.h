// The interface whose code a tuning run compiles.
#pragma once

#include "core/support/error.h"
#include "lab/run/device.h"

namespace autoschedule_gpu {

// Returns that of the device itself; on replay, that of the device that was measured. Refused:
// records of none, or of devices of both interfaces.
Result<RunDevice> interface_compiled_for(const Device &device);

}  // namespace autoschedule_gpu
