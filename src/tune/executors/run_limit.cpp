#include "tune/executors/run_limit.h"

#include <algorithm>
#include <cmath>

namespace autoschedule_gpu {

std::chrono::milliseconds run_limit(std::optional<double> best_ms, const NoiseProtocol &noise,
                                    std::chrono::milliseconds most) {
    // What a process does beside its runs: loads files, and drivers compile kernels in the first.
    constexpr double kBesideRunsMs = 15'000;
    if (!best_ms) return most;
    const double one_ms = kSlowestShare * *best_ms;
    // The first run, the three samples that are always taken, and those that fit into the budget.
    const double runs_ms = 4 * one_ms + 1000 * noise.time_budget_s;
    const auto limit = std::chrono::milliseconds(
        std::llround(std::min(kBesideRunsMs + runs_ms, static_cast<double>(most.count()))));
    return std::min(limit, most);
}

}  // namespace autoschedule_gpu
