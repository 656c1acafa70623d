// A limit on the time of this process, which can stand still. The process that started this one
// could not tell its work from its wait for the device.
#pragma once

#include <sys/time.h>

#include <chrono>
#include <csignal>

namespace autoschedule_gpu {

// The system ends the process with this signal, unless it handles it.
inline constexpr int kTimeLimitSignal = SIGALRM;

// Lets the process end after `time`, which must be more than none. There is one limit in a process:
// a later call replaces it.
void limit_own_time(std::chrono::milliseconds time);

// The limit stands still as long as the object lives. Without a limit it does nothing.
class StandingTimeLimit {
public:
    StandingTimeLimit();
    ~StandingTimeLimit();
    StandingTimeLimit(const StandingTimeLimit &) = delete;
    StandingTimeLimit &operator=(const StandingTimeLimit &) = delete;

private:
    itimerval left_ = {};
};

}  // namespace autoschedule_gpu
