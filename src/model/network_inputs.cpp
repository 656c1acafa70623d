#include "model/network_inputs.h"

#include <algorithm>

#include "model/host_cost.h"

namespace autoschedule_gpu {

namespace {

// No feature counts as more: what a float holds.
constexpr double kMostFeature = 1e30;

// Whole, aligned packets: the logarithm of a feature must not depend on where in a batch it stands,
// and Eigen treats what is left over between packets otherwise.
template <int count>
using Packets = Eigen::Array<float, (count + 15) / 16 * 16, 1>;

float bounded(double feature) {
    return static_cast<float>(std::clamp(feature, 0.0, kMostFeature));
}

template <int count>
void append_logs(Packets<count> &features, std::vector<float> &to) {
    features = (features + 1).log();
    to.insert(to.end(), features.data(), features.data() + count);
}

constexpr int kKernelInputs = 0
#define X(name, unit, group, meaning) +1
    AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)
#undef X
    ;
constexpr int kStageInputs = kScheduleInputs - kKernelInputs;

Packets<kAlgorithmInputs> values(const AlgorithmFeatures &algorithm) {
    Packets<kAlgorithmInputs> result = Packets<kAlgorithmInputs>::Zero();
    int i = 0;
#define X(name, unit, group, meaning) result[i++] = bounded(algorithm.name);
    AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X)
#undef X
    return result;
}

Packets<kStageInputs> values(const StageFeatures &stage) {
    Packets<kStageInputs> result = Packets<kStageInputs>::Zero();
    int i = 0;
#define X(name, unit, group, meaning) result[i++] = bounded(stage.name);
    AUTOSCHEDULE_GPU_STAGE_FEATURES(X)
#undef X
    return result;
}

Packets<kKernelInputs> values(const KernelFeatures &kernel) {
    Packets<kKernelInputs> result = Packets<kKernelInputs>::Zero();
    int i = 0;
#define X(name, unit, group, meaning) result[i++] = bounded(kernel.name);
    AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)
#undef X
    return result;
}

}  // namespace

void NetworkInputs::clear() {
    log_features_.clear();
    terms_.clear();
    fixed_ns_.clear();
}

void NetworkInputs::reserve(size_t rows) {
    log_features_.reserve(rows * kInputs);
    terms_.reserve(rows * kCostTerms);
    fixed_ns_.reserve(rows);
}

void NetworkInputs::append(const FeatureTable &table) {
    const bool on_host = table.kernel.on_host > 0;
    std::vector<float> kernel_logs;
    auto kernel = values(table.kernel);
    append_logs<kKernelInputs>(kernel, kernel_logs);
    const CostTermsOfKernel terms(rates_, table);
    for (size_t row = 0; row < table.stages.size(); ++row) {
        auto algorithm = values(table.stages[row].algorithm);
        append_logs<kAlgorithmInputs>(algorithm, log_features_);
        auto stage = values(table.stages[row]);
        append_logs<kStageInputs>(stage, log_features_);
        log_features_.insert(log_features_.end(), kernel_logs.begin(), kernel_logs.end());

        const CostTerms of_row = on_host ? CostTerms{} : terms.of_row(row);
#define X(name, initial, meaning) terms_.push_back(of_row.name);
        AUTOSCHEDULE_GPU_COST_TERMS(X)
#undef X
        const bool last = row + 1 == table.stages.size();
        const double host_ns = on_host && last ? kHostCopyNs + host_compute_ns(table) : 0;
        fixed_ns_.push_back(kLeastRowNs + std::min(kMostTermNs, bounded(host_ns)));
    }
}

void NetworkInputs::append_rows(const NetworkInputs &from, size_t first, size_t count) {
    const auto append = [&](std::vector<float> &to, const std::vector<float> &all, size_t width) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first * width);
        to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count * width));
    };
    append(log_features_, from.log_features_, kInputs);
    append(terms_, from.terms_, kCostTerms);
    append(fixed_ns_, from.fixed_ns_, 1);
}

NetworkInputs::Columns NetworkInputs::log_features() const {
    return {log_features_.data(), kInputs, static_cast<Eigen::Index>(rows())};
}

NetworkInputs::Columns NetworkInputs::terms() const {
    return {terms_.data(), kCostTerms, static_cast<Eigen::Index>(rows())};
}

}  // namespace autoschedule_gpu
