#include "learn/train/loss.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace autoschedule_gpu {

namespace {

double logistic(double x) {
    return 1 / (1 + std::exp(-x));
}

// Returns log(1 + exp(x)) without overflow.
double soft_plus(double x) {
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

std::vector<double> logarithms(std::span<const double> values) {
    std::vector<double> logs(values.size());
    std::transform(values.begin(), values.end(), logs.begin(),
                   [](double v) { return std::log(v); });
    return logs;
}

}  // namespace

std::optional<Loss> loss_of_name(std::string_view name) {
    const auto found = std::find(kLossNames.begin(), kLossNames.end(), name);
    if (found == kLossNames.end()) return std::nullopt;
    return static_cast<Loss>(found - kLossNames.begin());
}

double throughput_loss(const LossBatch &batch, double scale, std::span<double> gradient) {
    const size_t n = batch.measured_ns.size();
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        const double weight = scale * batch.trust[i] / static_cast<double>(n);
        const double relative = batch.best_ns / batch.predicted_ns[i];
        const double predicted = relative <= 1 ? relative : 1 + std::log(relative);
        const double error = predicted - batch.best_ns / batch.measured_ns[i];
        sum += weight * error * error;
        gradient[i] -= 2 * weight * error * std::min(relative, 1.0);
    }
    return sum;
}

double pairwise_loss(const LossBatch &batch, double scale, std::span<double> gradient) {
    const size_t n = batch.measured_ns.size();
    if (n < 2) return 0;
    const std::vector<double> predicted = logarithms(batch.predicted_ns);
    const std::vector<double> measured = logarithms(batch.measured_ns);
    const double each = scale / static_cast<double>(n * (n - 1) / 2);
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < i; ++j) {
            const double weight = each * batch.trust[i] * batch.trust[j];
            const double x = (predicted[i] - predicted[j]) / kPairTemperature;
            const double slower = logistic((measured[i] - measured[j]) / kPairTemperature);
            sum += weight * (soft_plus(x) - slower * x);
            const double slope = weight * (logistic(x) - slower) / kPairTemperature;
            gradient[i] += slope;
            gradient[j] -= slope;
        }
    }
    return sum;
}

double loss(Loss kind, const LossBatch &batch, double scale, std::span<double> gradient) {
    double sum = 0;
    if (kind != Loss::pairwise) sum += throughput_loss(batch, scale, gradient);
    if (kind != Loss::throughput) sum += pairwise_loss(batch, scale, gradient);
    return sum;
}

}  // namespace autoschedule_gpu
