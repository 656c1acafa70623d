// How long the threads of this process could have run but had no core, because other processes had
// them all. It tells noise from a slow pipeline: a device that is the CPU itself, as PoCL's, shares
// its cores with whatever else the machine does.
#pragma once

#include <optional>

namespace autoschedule_gpu {

// Returns the milliseconds since the threads that there are now began, added up over the threads,
// so that the difference of two calls is what came between; nullopt where the system does not tell
// (Linux does, in /proc/self/task/*/schedstat).
std::optional<double> waited_for_cores_ms();

}  // namespace autoschedule_gpu
