#include "scheduler/model/network_inputs.h"

#include <algorithm>

#include "scheduler/model/host_cost.h"
#include "scheduler/model/network_arithmetic.h"

namespace autoschedule_gpu {

namespace {

// No feature counts as more: what a float holds.
constexpr double kMostFeature = 1e30;

float bounded(double feature) {
    return static_cast<float>(std::clamp(feature, 0.0, kMostFeature));
}

// Each writes its features, bounded, and returns their end.
float *write(const AlgorithmFeatures &algorithm, float *to) {
#define X(name, unit, group, meaning) *to++ = bounded(algorithm.name);
    AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X)
#undef X
    return to;
}

float *write(const StageFeatures &stage, float *to) {
#define X(name, unit, group, meaning) *to++ = bounded(stage.name);
    AUTOSCHEDULE_GPU_STAGE_FEATURES(X)
#undef X
    return to;
}

float *write(const KernelFeatures &kernel, float *to) {
#define X(name, unit, group, meaning) *to++ = bounded(kernel.name);
    AUTOSCHEDULE_GPU_KERNEL_FEATURES(X)
#undef X
    return to;
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
    const bool on_device = !on_host && table.kernel.num_blocks > 0;  // else it is never launched
    const size_t before = rows(), after = before + table.stages.size();
    log_features_.resize(after * kInputs);
    terms_.resize(after * kCostTerms);
    float *const logs = log_features_.data() + before * kInputs;
    float *feature = logs;
    float *term = terms_.data() + before * kCostTerms;

    const CostTermsOfKernel terms(rates_, table);
    for (size_t row = 0; row < table.stages.size(); ++row) {
        feature = write(table.stages[row].algorithm, feature);
        feature = write(table.stages[row], feature);
        feature = write(table.kernel, feature);
        const CostTerms of_row = on_device ? terms.of_row(row) : CostTerms{};
#define X(name, initial, meaning) *term++ = of_row.name;
        AUTOSCHEDULE_GPU_COST_TERMS(X)
#undef X
        const bool last = row + 1 == table.stages.size();
        const double host_ns = on_host && last ? kHostCopyNs + host_compute_ns(table) : 0;
        fixed_ns_.push_back(kLeastRowNs + std::min(kMostTermNs, bounded(host_ns)));
    }
    network_arithmetic().log_one_plus(logs, table.stages.size() * kInputs);
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
