// The cost model that needs no training: per kernel, the launch plus the time of the
// resource that is busy longest,
//
//     t = launch + max(t_k) + kOverlap * (sum(t_k) - max(t_k)),
//     k in { arithmetic, load-store, L2, DRAM, latency }
//
// each from the kernel's features and the device's rates. Work is handed out in whole blocks, so
// what counts is the busiest SM: ceil(blocks / SMs) of them (wave quantisation). `latency` is what
// remains when too few warps are resident to hide waiting: waves * time of one block.
#pragma once

#include <array>

#include "core/gpu/gpu_model.h"
#include "scheduler/model/cost_model.h"

namespace autoschedule_gpu {

class Roofline final : public CostModel {
public:
    explicit Roofline(const GpuModel &gpu) : gpu_(gpu) {}

    std::string_view name() const override { return "roofline"; }
    void estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const override;

    // The share of the other resources' time that is not hidden behind the busiest. A guess.
    static constexpr double kOverlap = 0.35;

    // What the estimate is made of, in nanoseconds; for reports.
    struct Terms {
        double launch = 0, arithmetic = 0, load_store = 0, l2 = 0, dram = 0, latency = 0;
        double total = 0;
        double warp_occupancy = 0;
        // The name of the largest term.
        std::string_view bound_by() const;
    };
    Terms explain(const FeatureTable &table) const;

private:
    GpuModel gpu_;
};

}  // namespace autoschedule_gpu
