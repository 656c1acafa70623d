// How long strategies may begin something, where a run has a budget in time: what comes after them,
// the finals and the export, is to fit into the budget, too.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>

#include "core/support/stopwatch.h"

namespace autoschedule_gpu {

// Counts from its construction on. Any thread may ask.
class TimeLimit {
public:
    // Without a budget there is no limit.
    explicit TimeLimit(std::optional<double> budget_s) : budget_s_(budget_s) {}

    // So long the end of the run will take; at most half of the budget is kept for that. Before the
    // first call no limit is reached, for the schedule without tuning is always measured.
    void keep_for_the_end(double seconds) { kept_s_ = seconds; }

    // Until the next call of that no limit is reached.
    void lift() { kept_s_ = -1; }

    bool is_reached() const {
        if (!budget_s_ || kept_s_ < 0) return false;
        return left_to_begin_s() <= 0;
    }

    // Seconds until nothing more is begun; nothing without a budget.
    std::optional<double> left_to_begin_s() const {
        if (!budget_s_) return std::nullopt;
        const double kept_s = std::clamp(kept_s_.load(), 0.0, *budget_s_ / 2);
        return std::max(0.0, *budget_s_ - kept_s - watch_.seconds());
    }

    // Seconds until the whole run should have ended; nothing without a budget.
    std::optional<double> left_s() const {
        if (!budget_s_) return std::nullopt;
        return std::max(0.0, *budget_s_ - watch_.seconds());
    }

private:
    const std::optional<double> budget_s_;
    const Stopwatch watch_;
    std::atomic<double> kept_s_ = -1;
};

}  // namespace autoschedule_gpu
