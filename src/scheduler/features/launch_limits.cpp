#include "scheduler/features/launch_limits.h"

#include <algorithm>

#include "scheduler/nest/edit.h"

namespace autoschedule_gpu {
namespace {

std::optional<std::string> beyond(double found, int64_t most, const std::string &what) {
    if (found <= static_cast<double>(most)) return std::nullopt;
    return "they have " + std::to_string(static_cast<int64_t>(found)) + " " + what +
           ", and the device allows " + std::to_string(most);
}

}  // namespace

int64_t threads_together(std::span<const KernelPtr> launch) {
    ThreadExtents most;
    for (const KernelPtr &kernel : launch) {
        const ThreadExtents size = block_size(*kernel);
        most = {std::max(most.x, size.x), std::max(most.y, size.y), std::max(most.z, size.z)};
    }
    return most.total();
}

std::optional<std::string> why_too_large_together(const GpuModel &gpu,
                                                  std::span<const KernelPtr> launch,
                                                  const FeatureTable &table) {
    const auto threads = static_cast<double>(threads_together(launch));
    if (auto why = beyond(threads, gpu.max_threads_per_block, "threads per block")) return why;
    if (auto why = beyond(table.kernel.shared_bytes_per_block, gpu.shared_bytes_per_block,
                          "bytes of shared memory per block")) {
        return why;
    }
    // All blocks are one loop.
    return beyond(table.kernel.num_blocks, gpu.max_blocks_x, "blocks");
}

}  // namespace autoschedule_gpu
