// Features of the group "occupancy": how much of an SM its resident blocks use.
#include <algorithm>

#include "features/feature_extractor.h"
#include "gpu/occupancy.h"

namespace autoschedule_gpu {

// Needs the kernel's threads, shared memory and registers.
void FeatureExtractor::add_occupancy(KernelFeatures &row) const {
    const int64_t registers =
        std::min(static_cast<int64_t>(row.registers_per_thread), gpu_.max_registers_per_thread);
    const int64_t shared = static_cast<int64_t>(row.shared_bytes_per_block);
    const Occupancy resident =
        occupancy(gpu_, static_cast<int64_t>(row.threads_per_block), registers, shared);
    const double most_blocks = static_cast<double>(gpu_.max_blocks_per_sm);
    row.block_occupancy = row.threads_per_block / static_cast<double>(gpu_.max_threads_per_block);
    row.max_warp_occupancy = resident.warp_occupancy;
    row.max_block_occupancy = static_cast<double>(resident.blocks_per_sm) / most_blocks;
    row.shared_mem_block_limit_factor = 1;
    if (shared == 0) return;
    row.shared_mem_occupancy = row.shared_bytes_per_block / static_cast<double>(std::max<int64_t>(
                                                                1, gpu_.shared_bytes_per_block));
    const int64_t fit = gpu_.shared_bytes_per_sm / (shared + gpu_.shared_reserved_bytes_per_block);
    row.shared_mem_block_limit_factor = std::min(1.0, static_cast<double>(fit) / most_blocks);
}

}  // namespace autoschedule_gpu
