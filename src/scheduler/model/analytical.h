// The cost of a group of stages by Sioutas et al. 2020 (§4.2, Listing 1): a kernel is a group, its
// root stage the group's output. Nothing is trained or measured; every number is the device's.
//
//     arithmetic = sum over stages of operations / (occupancy_s * active_threads_s)
//     memory     = sum over levels of load transactions * latency
//     cost       = tiles * (arithmetic + memory / (occupancy * active_threads)) / active SMs
//
// Occupancy and active threads are those of NVIDIA's occupancy calculator for the threads that
// execute a stage, the shared memory of the whole group and
// min(max. registers, registers of the SM / threads) registers per thread; the group's are the
// least of its stages'. Redundant computation counts as computation: operations are those of all
// threads. Stores, launches and spills have no part in it, as in the paper.
//
// That is what tile sizes are compared by. While groups are merged, memory is not scaled, as if
// nothing hid its latency: stages that exchange much come together (§4.2).
#pragma once

#include "core/gpu/gpu_model.h"
#include "scheduler/model/cost_model.h"

namespace autoschedule_gpu {

class Analytical final : public CostModel {
public:
    enum class Phase : uint8_t { merging, tiling };

    explicit Analytical(const GpuModel &gpu, Phase phase = Phase::tiling)
        : gpu_(gpu), phase_(phase) {}

    std::string_view name() const override { return "analytical"; }
    void estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const override;

    // Below, too few warps are active for the schedule to be any good (§4.2).
    static constexpr double kOccupancyThreshold = 0.1;

    // How busy an SM is with the threads of one stage (`estimate_occupancy`).
    struct Activity {
        double occupancy = 0;       // active warps / warps that an SM holds, 0 to 1
        double active_threads = 0;  // of an SM
        double active_sms = 0;
    };
    // `blocks`: of the launch, each with `threads` threads and `shared_bytes` of shared memory.
    Activity activity(double threads, double shared_bytes, double blocks) const;

    struct Group {
        Activity least;         // over the stages
        double arithmetic = 0;  // cycles of one tile, by the activity of each stage
        double memory = 0;      // cycles of one tile's load transactions, unscaled
        double tiles = 0;       // blocks
        // Listing 1 refuses (lines 23 and 31) what has a handicap here, so that kernels of which
        // none would pass still compare: whole warps for the block's threads; how far occupancy is
        // below kOccupancyThreshold; very much if the block does not fit into an SM. Idle SMs need
        // none: they do no work.
        double handicap = 1;
        // What groups are compared by while stages are merged, in cycles.
        double merging_cost() const { return handicap * tiles * (arithmetic + memory); }
        // And what tile sizes of one group are compared by: memory scaled as well.
        double tiling_cost() const;
    };
    // Of a kernel on the device.
    Group evaluate(const FeatureTable &table) const;

private:
    double operations(const StageFeatures &stage) const;
    double load_cycles(const FeatureTable &table) const;
    double handicap(const FeatureTable &table, const Activity &least) const;

    GpuModel gpu_;
    Phase phase_;
};

}  // namespace autoschedule_gpu
