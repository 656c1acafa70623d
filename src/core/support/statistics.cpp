#include "core/support/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace autoschedule_gpu {

namespace {

void require_samples(const std::vector<double> &samples) {
    if (samples.empty()) throw std::logic_error("there is no median of no samples");
}

// The greatest k whose interval has the confidence asked for, and at least 1; with that confidence.
struct Rank {
    size_t k = 1;
    double confidence = 0;
};

Rank rank_for(size_t samples, double confidence) {
    const double n = static_cast<double>(samples);
    // In logarithms: 2^-n is below the smallest double from n = 1075 on.
    double log_term = -n * std::log(2.0);  // of P(B = i), i = 0 first
    double below = 0;                      // P(B < k)
    Rank best;
    for (size_t k = 1; 2 * k <= samples + 1; k++) {
        below += std::exp(log_term);
        const double i = static_cast<double>(k - 1);
        log_term += std::log((n - i) / (i + 1));
        const double reached = std::max(0.0, 1 - 2 * below);
        if (k > 1 && reached < confidence) break;
        best = {k, reached};
    }
    return best;
}

}  // namespace

double median(std::vector<double> samples) {
    require_samples(samples);
    std::sort(samples.begin(), samples.end());
    const size_t middle = samples.size() / 2;
    if (samples.size() % 2 == 1) return samples[middle];
    return samples[middle - 1] + (samples[middle] - samples[middle - 1]) / 2;
}

Quartiles quartiles(std::vector<double> samples) {
    require_samples(samples);
    std::sort(samples.begin(), samples.end());
    const auto at = [&](double share) {
        const double place = share * static_cast<double>(samples.size() - 1);
        const auto below = static_cast<size_t>(place);
        const size_t above = std::min(below + 1, samples.size() - 1);
        return std::lerp(samples[below], samples[above], place - std::floor(place));
    };
    return {at(0.25), at(0.5), at(0.75)};
}

ConfidenceInterval median_interval(std::vector<double> samples, double confidence) {
    require_samples(samples);
    std::sort(samples.begin(), samples.end());
    const Rank rank = rank_for(samples.size(), confidence);
    return {samples[rank.k - 1], samples[samples.size() - rank.k], rank.confidence};
}

}  // namespace autoschedule_gpu
