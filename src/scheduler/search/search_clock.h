// The time that a search may take, with the trials of what it finds: the one place where its limit
// is tested.
//
// Every part asks before each piece of work, and leaves the work out if the time is up. The first
// such answer is remembered with what was measured, so that a search which left anything out says
// so. Asked by one thread.
#pragma once

#include <functional>
#include <utility>

#include "core/support/stopwatch.h"
#include "scheduler/search/stop_reason.h"

namespace autoschedule_gpu {

class SearchClock {
public:
    // Starts now.
    explicit SearchClock(double limit_s)
        : SearchClock(limit_s, [watch = Stopwatch()] { return watch.seconds(); }) {}
    // `seconds` tells how long the search has taken.
    SearchClock(double limit_s, std::function<double()> seconds)
        : limit_s_(limit_s), seconds_(std::move(seconds)) {}

    // True if the search has taken longer than it may.
    bool is_up() {
        const double now = seconds_();
        if (now <= limit_s_) return false;
        if (stop_.kind == StopReason::Kind::completed) {
            stop_ = {StopReason::Kind::time_limit, now, limit_s_};
        }
        return true;
    }

    // Seconds until then; less than none afterwards.
    double left_s() const { return limit_s_ - seconds_(); }

    // Why the search ended, if it ends here.
    const StopReason &stop_reason() const { return stop_; }

private:
    double limit_s_;
    std::function<double()> seconds_;
    StopReason stop_;
};

}  // namespace autoschedule_gpu
