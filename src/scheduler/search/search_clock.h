// The time that a search may take, with the trials of what it finds: the one place where its limit
// is tested. And its effort: what is found with so much of it does not depend on how fast the
// machine is or what else it does, while what is found in time does.
//
// Every part asks before each piece of work, and leaves the work out if the time is up. The first
// such answer is remembered with what was measured, so that a search which left anything out says
// so. Asked by one thread.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
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

    // True if the search has taken longer than it may, or more effort.
    bool is_up() {
        const double now = seconds_();
        if (now > limit_s_) return stop_for(StopReason::Kind::time_limit, now, limit_s_);
        if (effort_ <= most_effort_) return false;
        return stop_for(StopReason::Kind::effort_limit, effort_, most_effort_);
    }

    // Effort is counted in stages of the kernels whose costs are asked for. Two cores of 2026 spend
    // 250,000 to 500,000 of them in a second, on seven of the applications.
    void limit_effort(double most_stages) { most_effort_ = most_stages; }
    void spend(size_t stages) { effort_ += static_cast<double>(stages); }
    double effort() const { return effort_; }
    // Leaves at least so much, for what must not be left out.
    void reserve_effort(double stages) { most_effort_ = std::max(most_effort_, effort_ + stages); }

    // For a piece of work beside others, from now on. What there is of effort is left to each, as
    // if it were alone: what comes of a piece does not depend on how many there are at once.
    SearchClock apart() const {
        SearchClock clock = *this;
        clock.effort_ = 0;
        clock.most_effort_ = most_effort_ - effort_;
        return clock;
    }
    // Counts what a piece of work has taken.
    void add(const SearchClock &piece) {
        effort_ += piece.effort_;
        if (stop_.kind == StopReason::Kind::completed) stop_ = piece.stop_;
    }

    // Seconds until then; less than none afterwards.
    double left_s() const { return limit_s_ - seconds_(); }

    // Why the search ended, if it ends here.
    const StopReason &stop_reason() const { return stop_; }

private:
    bool stop_for(StopReason::Kind kind, double measured, double limit) {
        if (stop_.kind == StopReason::Kind::completed) stop_ = {kind, measured, limit};
        return true;
    }

    double limit_s_;
    double effort_ = 0, most_effort_ = std::numeric_limits<double>::infinity();
    std::function<double()> seconds_;
    StopReason stop_;
};

}  // namespace autoschedule_gpu
