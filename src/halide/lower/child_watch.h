// Whether a child process that has one thread sleeps for ever, as one does that waits for a lock
// which nobody is left to unlock. Such a child is asleep whenever it is looked at, and the system
// has not once run it in between. One that computes, has no processor to run on, waits for a disk,
// was stopped, or asks now and then whether a program of its own has ended, is not taken for it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

namespace autoschedule_gpu {

class ChildWatch {
public:
    using Clock = std::chrono::steady_clock;

    // So long must it have slept.
    static constexpr std::chrono::seconds kForEver{5};

    explicit ChildWatch(pid_t child) : child_(child) {}

    // Looks at the child. To be asked again and again. Never true where there is no /proc.
    bool is_asleep(Clock::time_point now = Clock::now());

private:
    pid_t child_;
    std::string runs_;  // as the system counts them
    Clock::time_point since_;
};

}  // namespace autoschedule_gpu
