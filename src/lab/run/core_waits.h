// How long the threads of this process could have run but had no core, because other processes had
// them all. It tells noise from a slow pipeline: a device that is the CPU itself, as PoCL's, shares
// its cores with whatever else the machine does.
#pragma once

#include <optional>

namespace autoschedule_gpu {

// Returns the milliseconds since the threads that there are now began, added up over the threads,
// so that the difference of two calls is what came between; nullopt where the system does not tell
// (Linux does, in /proc/self/task/*/schedstat).
//
// The system counts a wait when it ends. So this first waits until the other threads sleep: one
// that never got its core while its work was done by the others would else count as no wait at all.
// It gives up after two seconds, for threads that never sleep.
std::optional<double> waited_for_cores_ms();

}  // namespace autoschedule_gpu
