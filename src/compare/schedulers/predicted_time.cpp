#include "compare/schedulers/predicted_time.h"

#include <algorithm>
#include <cmath>

#include "scheduler/model/roofline.h"

namespace autoschedule_gpu {

namespace {

constexpr double kBytesPerValue = 4;

double product(const std::array<int64_t, 3> &extents) {
    return static_cast<double>(extents[0] * extents[1] * extents[2]);
}

// Where nothing is counted, nothing is shared out.
double share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

StageFeatures stage_of(const KernelTraffic &traffic, const KernelFeatures &kernel,
                       const GpuModel &model) {
    const double blocks = traffic.launches * kernel.num_blocks;
    const auto sector = static_cast<double>(model.l1_sector_bytes);
    const auto warp = static_cast<double>(model.warp_size);
    // A warp takes as long with few of its lanes at work as with all, so the work is that of all
    // lanes of the warps that take part.
    const double lane_share = traffic.active_lane_share > 0 ? traffic.active_lane_share : 1;
    const double lanes = blocks * kernel.num_warps_per_block * warp * lane_share;
    const double shared =
        share(traffic.shared_access_bytes,
              traffic.shared_access_bytes + traffic.access_load_bytes + traffic.access_store_bytes);
    const double arithmetic = traffic.float_operations + traffic.integer_operations;
    const double floats = share(traffic.float_operations, arithmetic);
    StageFeatures stage;
    stage.num_active_warps_per_block = kernel.num_warps_per_block;
    stage.fp32_ops_per_thread =
        share(traffic.float_operations - floats * traffic.special_operations, lanes);
    stage.fp32_fused_per_thread = share(traffic.fused_float_operations, lanes);
    stage.int_fused_per_thread = share(traffic.fused_integer_operations, lanes);
    stage.int_ops_per_thread =
        share(traffic.integer_operations - (1 - floats) * traffic.special_operations, lanes);
    stage.special_ops_per_thread = share(traffic.special_operations, lanes);
    stage.global_loads_per_thread = share((1 - shared) * traffic.memory_instructions, lanes);
    stage.shared_loads_per_thread = share(shared * traffic.memory_instructions, lanes);
    stage.local_accesses_per_thread = share(traffic.stack_access_bytes / kBytesPerValue, lanes);
    stage.num_global_mem_loads_per_block = share(traffic.transaction_load_bytes / sector, blocks);
    stage.num_global_mem_stores_per_block = share(traffic.transaction_store_bytes / sector, blocks);
    stage.num_shared_mem_loads_per_block = share(traffic.shared_wavefronts, blocks);
    // Code between barriers is as much a part by itself as an iteration is.
    stage.serial_iterations =
        std::max(share(traffic.serial_iterations, blocks), kernel.barriers_per_block + 1);
    stage.unrolled_points = share(traffic.stored_elements, lanes) / stage.serial_iterations;
    return stage;
}

}  // namespace

FeatureTable counted_features(const KernelTraffic &traffic, const PtxasKernel &code,
                              const GpuModel &model) {
    FeatureTable table;
    KernelFeatures &kernel = table.kernel;
    kernel.num_blocks = product(traffic.blocks);
    kernel.threads_per_block = product(traffic.threads);
    kernel.num_warps_per_block =
        std::ceil(kernel.threads_per_block / static_cast<double>(model.warp_size));
    kernel.barriers_per_block = share(traffic.barriers, traffic.launches * kernel.num_blocks);
    kernel.shared_bytes_per_block = static_cast<double>(traffic.shared_bytes);
    kernel.registers_per_thread = static_cast<double>(code.registers);
    // Each is stored and loaded.
    kernel.spills_per_thread =
        static_cast<double>(code.spill_store_bytes + code.spill_load_bytes) / (2 * kBytesPerValue);
    kernel.dram_bytes_read = share(traffic.footprint_load_bytes, traffic.launches);
    kernel.dram_bytes_written = share(traffic.footprint_store_bytes, traffic.launches);
    // Of all that is asked for, DRAM has to answer what is asked for the first time.
    kernel.global_bytes_read =
        std::max(kernel.dram_bytes_read, share(traffic.transaction_load_bytes, traffic.launches));
    table.stages.push_back(stage_of(traffic, kernel, model));
    return table;
}

double predicted_ms(const KernelTraffic &traffic, const PtxasKernel &code, const GpuModel &model) {
    constexpr double kMsPerNs = 1e-6;
    const FeatureTable table = counted_features(traffic, code, model);
    return traffic.launches * Roofline(model).explain(table).total * kMsPerNs;
}

}  // namespace autoschedule_gpu
