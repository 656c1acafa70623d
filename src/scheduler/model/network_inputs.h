// What the network sees of stages, computed once from their features: a row per stage of a kernel.
//
//     FeatureTable ─► log features  kInputs x rows     ln(1 + feature)
//                  ─► terms         kCostTerms x rows  ns at peak rates (network_terms.h)
//                  ─► fixed costs   1 x rows           ns about which nothing is learned
//
// Log features are first those of what the stage computes, then the stage's, then its kernel's.
// A row is a column of the matrices, which are stored one after the other. The terms are those of
// one device; rows of several devices may stand beside each other (append_rows).
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "scheduler/model/network_shape.h"

namespace autoschedule_gpu {

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
