#include "lab/run/noise.h"

#include <utility>

namespace autoschedule_gpu {

namespace {

constexpr int kFewestSamples = 3;

}  // namespace

bool wants_another_sample(const NoiseProtocol &protocol, int taken, double elapsed_s,
                          double last_run_s) {
    if (taken >= protocol.samples) return false;
    if (taken == 0 || elapsed_s < protocol.time_budget_s) return true;
    return taken < kFewestSamples && last_run_s <= protocol.time_budget_s;
}

bool wants_another_warmup(const NoiseProtocol &protocol, int done, double elapsed_s) {
    return done < protocol.warmup_runs && elapsed_s < protocol.time_budget_s;
}

Timing summarise(std::vector<double> samples_ms) {
    Timing timing;
    timing.median_ms = median(samples_ms);
    timing.interval_ms = median_interval(samples_ms);
    timing.samples_ms = std::move(samples_ms);
    return timing;
}

}  // namespace autoschedule_gpu
