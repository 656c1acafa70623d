#include "learn/train/trust.h"

#include <algorithm>
#include <cmath>

#include "core/support/statistics.h"

namespace autoschedule_gpu {

std::vector<std::vector<double>> trust_of(const std::vector<Judged> &judged) {
    // The least standard deviation: a model that fits better than this would mistrust nearly
    // everything.
    constexpr double kLeastDeviation = 0.05;
    // Normal distribution: the standard deviation / the median distance from the mean.
    constexpr double kDeviationOfMedian = 1.4826;

    std::vector<std::vector<double>> distances;
    std::vector<double> all;
    for (const Judged &j : judged) {
        std::vector<double> &own = distances.emplace_back();
        for (size_t i = 0; i < j.measured_ns.size(); ++i) {
            own.push_back(std::log(j.measured_ns[i] / j.predicted_ns[i]));
        }
        const double middle = median(own);
        for (double &r : own) r = std::abs(r - middle);
        // Of n schedules the middle is as near to each as it is because it is their own: nothing is
        // known of one alone.
        const double n = static_cast<double>(own.size());
        for (const double r : own) {
            if (n > 1) all.push_back(r * std::sqrt(n / (n - 1)));
        }
    }
    const double deviation = all.empty() ? 0 : kDeviationOfMedian * median(std::move(all));
    const double sigma = std::max(kLeastDeviation, deviation);
    for (std::vector<double> &own : distances) {
        for (double &r : own) {
            const double within = kTrusted * sigma / std::max(r, kTrusted * sigma);
            r = within * within;
        }
    }
    return distances;
}

}  // namespace autoschedule_gpu
