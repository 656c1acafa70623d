// How long the threads of this process could have run but had no core, because other processes had
// them all. It tells noise from a slow pipeline: a device that is the CPU itself, as PoCL's, shares
// its cores with whatever else the machine does.
#pragma once

#include <functional>
#include <optional>
#include <utility>

namespace autoschedule_gpu {

// Whether another thread of this process runs or waits for a core.
bool other_threads_are_ready();

// Reads what the system counts (Linux does, in /proc/self/task/*/schedstat).
//
// A wait is counted when it ends. So each reading first lets the other threads go to sleep: one
// that never got its core while its work was done by the others would else count as no wait at all.
// If they have not slept for two seconds, there is one that never does, and no reading waits any
// more.
class CoreWaits {
public:
    explicit CoreWaits(std::function<bool()> others_are_ready = other_threads_are_ready)
        : others_are_ready_(std::move(others_are_ready)) {}

    // Returns the milliseconds since the threads that there are now began, added up over the
    // threads, so that the difference of two calls is what came between; nullopt where the system
    // does not tell.
    std::optional<double> so_far_ms();

private:
    std::function<bool()> others_are_ready_;
    bool others_sleep_ = true;
};

}  // namespace autoschedule_gpu
