#include <algorithm>

#include "core/gpu/occupancy.h"
#include "scheduler/features/feature_groups.h"

namespace autoschedule_gpu {

void set_occupancy(const GpuModel &gpu, double threads, double registers, double shared_bytes,
                   KernelFeatures &row) {
    const int64_t shared = static_cast<int64_t>(shared_bytes);
    const Occupancy resident =
        occupancy(gpu, static_cast<int64_t>(threads),
                  std::min(static_cast<int64_t>(registers), gpu.max_registers_per_thread), shared);
    const double most_blocks = static_cast<double>(gpu.max_blocks_per_sm);
    row.block_occupancy = threads / static_cast<double>(gpu.max_threads_per_block);
    row.max_warp_occupancy = resident.warp_occupancy;
    row.max_block_occupancy = static_cast<double>(resident.blocks_per_sm) / most_blocks;
    row.shared_mem_block_limit_factor = 1;
    row.shared_mem_occupancy = 0;
    if (shared == 0) return;
    row.shared_mem_occupancy =
        shared_bytes / static_cast<double>(std::max<int64_t>(1, gpu.shared_bytes_per_block));
    const int64_t fit = gpu.shared_bytes_per_sm / (shared + gpu.shared_reserved_bytes_per_block);
    row.shared_mem_block_limit_factor = std::min(1.0, static_cast<double>(fit) / most_blocks);
}

void add_occupancy(const KernelFacts &facts, ExtractionScratch &, FeatureTable &table) {
    set_occupancy(facts.gpu, static_cast<double>(facts.block_size.total()),
                  facts.registers_per_thread, facts.shared_bytes_per_block, table.kernel);
}

}  // namespace autoschedule_gpu
