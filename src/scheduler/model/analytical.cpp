#include "scheduler/model/analytical.h"

#include <algorithm>
#include <cmath>

#include "core/gpu/occupancy.h"
#include "scheduler/model/host_cost.h"

namespace autoschedule_gpu {

namespace {

// A kernel that does not fit the device. Finite, so that kernels of which none fits still compare.
constexpr double kDoesNotFit = 1e6;

}  // namespace

Analytical::Activity Analytical::activity(double threads, double shared_bytes,
                                          double blocks) const {
    const int64_t whole = std::max<int64_t>(1, static_cast<int64_t>(threads));
    const int64_t registers =
        std::min(gpu_.max_registers_per_thread, gpu_.registers_per_sm / whole);
    const Occupancy occupied =
        occupancy(gpu_, whole, registers, static_cast<int64_t>(shared_bytes));
    Activity result;
    result.occupancy = occupied.warp_occupancy;
    result.active_threads = static_cast<double>(occupied.blocks_per_sm * whole);
    result.active_sms = std::min(blocks, static_cast<double>(gpu_.sm_count));
    return result;
}

double Analytical::Group::tiling_cost() const {
    const double scale = std::max(1e-9, least.occupancy * least.active_threads);
    return handicap * tiles * (arithmetic + memory / scale);
}

// Of one thread, in single-precision operations: the slower a pipe is, the more an operation
// counts.
double Analytical::operations(const StageFeatures &stage) const {
    const auto slower = [&](int64_t lanes) {
        return static_cast<double>(gpu_.fp32_lanes_per_sm) / static_cast<double>(lanes);
    };
    return stage.fp32_ops_per_thread + slower(gpu_.fp16_lanes_per_sm) * stage.fp16_ops_per_thread +
           slower(gpu_.fp64_lanes_per_sm) * stage.fp64_ops_per_thread +
           slower(gpu_.int32_lanes_per_sm) * stage.int_ops_per_thread +
           slower(gpu_.special_lanes_per_sm) * stage.special_ops_per_thread;
}

// Load transactions of a block at each level, times the level's latency. The paper divides loads by
// how many of them are consecutive, up to the size of a transaction; that is the number of sectors.
// A sector comes from DRAM or the L2 cache once per block, and from L1 when it is asked for again.
double Analytical::load_cycles(const FeatureTable &table) const {
    const KernelFeatures &k = table.kernel;
    double requested = 0, shared = 0;
    for (const StageFeatures &stage : table.stages) {
        requested += stage.num_global_mem_loads_per_block;
        shared += stage.num_shared_mem_loads_per_block;
    }
    const double distinct = std::min(k.block_global_read_sectors, requested);
    const double sectors = k.num_blocks * static_cast<double>(gpu_.l1_sector_bytes);
    const double far = std::min(distinct, k.dram_bytes_read / std::max(1.0, sectors));
    return far * gpu_.dram_latency_cycles + (distinct - far) * gpu_.l2_latency_cycles +
           (requested - distinct) * gpu_.l1_latency_cycles + shared * gpu_.shared_latency_cycles;
}

double Analytical::handicap(const FeatureTable &table, const Activity &least) const {
    const KernelFeatures &k = table.kernel;
    const double threads = std::max(1.0, k.threads_per_block);
    const bool fits = least.active_threads > 0 &&
                      threads <= static_cast<double>(gpu_.max_threads_per_block) &&
                      k.shared_bytes_per_block <= static_cast<double>(gpu_.shared_bytes_per_block);
    if (!fits) return kDoesNotFit;
    const double warp = static_cast<double>(gpu_.warp_size);
    const double whole_warps = std::ceil(threads / warp) * warp / threads;
    return whole_warps * std::max(1.0, kOccupancyThreshold / least.occupancy);
}

Analytical::Group Analytical::evaluate(const FeatureTable &table) const {
    const KernelFeatures &k = table.kernel;
    Group group;
    group.tiles = k.num_blocks;
    group.least = activity(k.threads_per_block, k.shared_bytes_per_block, k.num_blocks);
    for (const StageFeatures &stage : table.stages) {
        const Activity own =
            activity(stage.num_threads_per_block, k.shared_bytes_per_block, k.num_blocks);
        group.arithmetic += operations(stage) * stage.num_threads_per_block *
                            gpu_.arithmetic_latency_cycles /
                            std::max(1e-9, own.occupancy * own.active_threads);
        group.least.occupancy = std::min(group.least.occupancy, own.occupancy);
        group.least.active_threads = std::min(group.least.active_threads, own.active_threads);
    }
    group.memory = load_cycles(table);
    group.handicap = handicap(table, group.least);
    return group;
}

void Analytical::estimate(ArrayView<const FeatureTable> tables, ArrayView<double> costs) const {
    for (size_t i = 0; i < tables.size(); ++i) {
        if (tables[i].kernel.on_host > 0) {
            costs[i] = kHostCopyNs + host_compute_ns(tables[i]);
            continue;
        }
        if (tables[i].kernel.num_blocks == 0) {
            costs[i] = 0;
            continue;
        }
        const Group group = evaluate(tables[i]);
        const double cycles = phase_ == Phase::merging ? group.merging_cost() : group.tiling_cost();
        const double sms = std::max(1.0, group.least.active_sms);
        costs[i] = std::max(1.0, cycles / sms / gpu_.clock_ghz);
    }
}

}  // namespace autoschedule_gpu
