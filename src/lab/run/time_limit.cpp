#include "lab/run/time_limit.h"

namespace autoschedule_gpu {

void limit_own_time(std::chrono::milliseconds time) {
    itimerval timer = {};
    timer.it_value.tv_sec = static_cast<time_t>(time.count() / 1000);
    timer.it_value.tv_usec = static_cast<suseconds_t>(time.count() % 1000 * 1000);
    setitimer(ITIMER_REAL, &timer, nullptr);
}

StandingTimeLimit::StandingTimeLimit() {
    const itimerval none = {};
    setitimer(ITIMER_REAL, &none, &left_);
}

StandingTimeLimit::~StandingTimeLimit() {
    setitimer(ITIMER_REAL, &left_, nullptr);
}

}  // namespace autoschedule_gpu
