#include "lab/verdict/significance.h"

#include <Eigen/Core>
#include <cmath>
#include <unsupported/Eigen/SpecialFunctions>

namespace autoschedule_gpu {
namespace {

// The moments of the logarithms.
struct Moments {
    double mean = 0;
    double variance_of_mean = 0;
    double freedom = 0;  // degrees of
};

Moments moments(std::span<const double> times_ms) {
    const Eigen::ArrayXd logs =
        Eigen::Map<const Eigen::ArrayXd>(times_ms.data(), static_cast<long>(times_ms.size())).log();
    const double n = static_cast<double>(times_ms.size());
    const double variance = (logs - logs.mean()).square().sum() / (n - 1);
    return {.mean = logs.mean(), .variance_of_mean = variance / n, .freedom = n - 1};
}

// P(T > t) of Student's distribution, t >= 0.
double upper_tail(double t, double freedom) {
    using One = Eigen::Array<double, 1, 1>;
    const One a(freedom / 2), b(0.5), x(freedom / (freedom + t * t));
    return 0.5 * Eigen::betainc(a, b, x)(0);
}

}  // namespace

double chance_of_luck(std::span<const double> challenger_ms, std::span<const double> incumbent_ms) {
    if (challenger_ms.size() < kLeastSamples || incumbent_ms.size() < kLeastSamples) return 1;
    const Moments a = moments(challenger_ms), b = moments(incumbent_ms);
    const double gain = b.mean - a.mean;
    const double variance = a.variance_of_mean + b.variance_of_mean;
    if (variance == 0) return gain > 0 ? 0 : 1;
    const double t = gain / std::sqrt(variance);
    // Welch and Satterthwaite.
    const double freedom = variance * variance /
                           (a.variance_of_mean * a.variance_of_mean / a.freedom +
                            b.variance_of_mean * b.variance_of_mean / b.freedom);
    return t >= 0 ? upper_tail(t, freedom) : 1 - upper_tail(-t, freedom);
}

double standard_errors(double confidence, double freedom) {
    const double tail = (1 - confidence) / 2;
    double low = 0, high = 1;
    while (upper_tail(high, freedom) > tail) high *= 2;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (upper_tail(middle, freedom) > tail ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace autoschedule_gpu
