// What the network sees of stages, computed once from their features: a row per stage of a kernel.
//
//     FeatureTable ─► log features  kInputs x rows    algorithm, stage, then kernel features: ln(1
//     + x)
//                  ─► terms         kCostTerms x rows ns at the device's peak rates
//                  (network_terms.h) ─► fixed costs   1 x rows          ns about which nothing is
//                  learned
//
// A row is a column of the matrices, which are stored one after the other. The terms are those of
// one device; rows of several devices may stand beside each other (append_rows).
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "features/feature_list.h"
#include "gpu/gpu_model.h"
#include "model/network_terms.h"

namespace autoschedule_gpu {

#define X(name, unit, group, meaning) +1
inline constexpr int kAlgorithmInputs = 0 AUTOSCHEDULE_GPU_ALGORITHM_FEATURES(X);
inline constexpr int kScheduleInputs =
    0 AUTOSCHEDULE_GPU_STAGE_FEATURES(X) AUTOSCHEDULE_GPU_KERNEL_FEATURES(X);
#undef X
inline constexpr int kInputs = kAlgorithmInputs + kScheduleInputs;

// No row costs less, in nanoseconds: what is predicted to be free has a cost, too.
inline constexpr float kLeastRowNs = 1e-3f;

class NetworkInputs {
public:
    explicit NetworkInputs(const GpuModel &gpu) : rates_(gpu) {}

    void clear();
    void reserve(size_t rows);

    // One row for each stage, in their order.
    void append(const FeatureTable &table);
    // `count` rows of others, from their row `first` on.
    void append_rows(const NetworkInputs &from, size_t first, size_t count);

    size_t rows() const { return fixed_ns_.size(); }

    using Columns = Eigen::Map<const Eigen::MatrixXf>;
    // ln(1 + feature), not normalised: kInputs x rows.
    Columns log_features() const;
    // kCostTerms x rows, in nanoseconds; nothing for a kernel on the host.
    Columns terms() const;
    // What a row costs beside its terms: kLeastRowNs, and the time on the host (host_cost.h).
    std::span<const float> fixed_ns() const { return fixed_ns_; }

private:
    PeakRates rates_;
    std::vector<float> log_features_, terms_, fixed_ns_;
};

}  // namespace autoschedule_gpu
