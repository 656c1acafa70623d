#include "core/gpu/occupancy.h"

#include <limits>

namespace autoschedule_gpu {

namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

int64_t round_up(int64_t value, int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

int64_t blocks_by_registers(const GpuModel &model, int64_t num_warps_per_block,
                            int64_t registers_per_thread) {
    if (registers_per_thread == 0) return kNoLimit;
    if (registers_per_thread < 0 || registers_per_thread > model.registers_per_sm) return 0;
    const int64_t registers_per_warp =
        round_up(registers_per_thread * model.warp_size, model.register_unit_per_warp);
    const int64_t warps = model.registers_per_sm / registers_per_warp;
    return warps / model.warp_allocation_unit * model.warp_allocation_unit / num_warps_per_block;
}

int64_t blocks_by_shared(const GpuModel &model, int64_t bytes_per_block) {
    if (bytes_per_block < 0 || bytes_per_block > model.shared_bytes_per_block) return 0;
    const int64_t bytes =
        round_up(bytes_per_block + model.shared_reserved_bytes_per_block, model.shared_unit_bytes);
    return bytes == 0 ? kNoLimit : model.shared_bytes_per_sm / bytes;
}

}  // namespace

std::string_view to_string(OccupancyLimit limit) {
    switch (limit) {
        case OccupancyLimit::warps:
            return "warps";
        case OccupancyLimit::blocks:
            return "blocks";
        case OccupancyLimit::registers:
            return "registers";
        case OccupancyLimit::shared_memory:
            return "shared memory";
    }
    return "?";
}

Occupancy occupancy(const GpuModel &model, int64_t threads_per_block, int64_t registers_per_thread,
                    int64_t shared_bytes_per_block) {
    if (threads_per_block < 1 || threads_per_block > model.max_threads_per_block) return {};
    const int64_t num_warps_per_block = (threads_per_block + model.warp_size - 1) / model.warp_size;

    Occupancy result;
    result.blocks_per_sm = model.max_warps_per_sm / num_warps_per_block;
    const auto restrict_to = [&](int64_t blocks, OccupancyLimit limit) {
        if (blocks >= result.blocks_per_sm) return;
        result.blocks_per_sm = blocks;
        result.limit = limit;
    };
    restrict_to(model.max_blocks_per_sm, OccupancyLimit::blocks);
    restrict_to(blocks_by_registers(model, num_warps_per_block, registers_per_thread),
                OccupancyLimit::registers);
    restrict_to(blocks_by_shared(model, shared_bytes_per_block), OccupancyLimit::shared_memory);

    result.active_warps_per_sm = result.blocks_per_sm * num_warps_per_block;
    result.warp_occupancy = static_cast<double>(result.active_warps_per_sm) /
                            static_cast<double>(model.max_warps_per_sm);
    return result;
}

}  // namespace autoschedule_gpu
