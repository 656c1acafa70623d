#include <algorithm>

#include "core/gpu/occupancy.h"
#include "scheduler/features/feature_groups.h"

namespace autoschedule_gpu {

void add_occupancy(const KernelFacts &facts, ExtractionScratch &, FeatureTable &table) {
    KernelFeatures &row = table.kernel;
    const GpuModel &gpu = facts.gpu;
    const int64_t threads = facts.block_size.total();
    const int64_t registers =
        std::min(static_cast<int64_t>(facts.registers_per_thread), gpu.max_registers_per_thread);
    const int64_t shared = static_cast<int64_t>(facts.shared_bytes_per_block);
    const Occupancy resident = occupancy(gpu, threads, registers, shared);
    const double most_blocks = static_cast<double>(gpu.max_blocks_per_sm);
    row.block_occupancy =
        static_cast<double>(threads) / static_cast<double>(gpu.max_threads_per_block);
    row.max_warp_occupancy = resident.warp_occupancy;
    row.max_block_occupancy = static_cast<double>(resident.blocks_per_sm) / most_blocks;
    row.shared_mem_block_limit_factor = 1;
    if (shared == 0) return;
    row.shared_mem_occupancy = facts.shared_bytes_per_block / static_cast<double>(std::max<int64_t>(
                                                                  1, gpu.shared_bytes_per_block));
    const int64_t fit = gpu.shared_bytes_per_sm / (shared + gpu.shared_reserved_bytes_per_block);
    row.shared_mem_block_limit_factor = std::min(1.0, static_cast<double>(fit) / most_blocks);
}

}  // namespace autoschedule_gpu
