// The cost model that needs no training: per kernel, the launch plus the time of the
// resource that is busy longest,
//
//     t = launch + max(t_k) + kOverlap * (sum(t_k) - max(t_k)),
//     k in { SM, L2, DRAM, latency },
//     SM: the longest of arithmetic, load-store, barriers and the blocks' beginnings
//
// each from the kernel's features and the device's rates. Work is handed out in whole blocks, so
// what counts is the busiest SM, with ceil(blocks / SMs) of them. `latency` is what remains when
// the resident blocks can't hide waiting: a block alone takes the sum of its stages' times, for
// they run after each other, and a stage's warps are not all busy; as many blocks as are resident
// wait at the same time; a block begins when another ends.
#pragma once

#include <array>
#include <span>

#include "core/gpu/gpu_model.h"
#include "scheduler/model/cost_model.h"

namespace autoschedule_gpu {

class Roofline final : public CostModel {
public:
    explicit Roofline(const GpuModel &gpu) : gpu_(gpu) {}

    std::string_view name() const override { return "roofline"; }
    void estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const override;

    // The share of the other resources' time that is not hidden behind the busiest (test/judge).
    static constexpr double kOverlap = 0.55;

    // What the estimate is made of, in nanoseconds; for reports.
    struct Terms {
        double launch = 0, arithmetic = 0, load_store = 0, l2 = 0, dram = 0, latency = 0;
        double barriers = 0, blocks = 0;
        double total = 0;
        double warp_occupancy = 0;
        // The name of the largest term.
        std::string_view bound_by() const;
    };
    // How often a thread waits for loads of global memory, and how often one of those brings its
    // block something new.
    struct LoadTrips {
        double all = 0, with_new = 0;
    };
    // `load_trips` has them stage by stage, where they are counted in lowered code; features tell
    // them less well.
    Terms explain(const FeatureTable &table, std::span<const LoadTrips> load_trips = {}) const;

private:
    GpuModel gpu_;
};

}  // namespace autoschedule_gpu
