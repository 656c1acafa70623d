// What one instruction of one warp moves, from the addresses of its lanes. Lane by lane and without
// any law between the addresses, unlike core/gpu/memory_access.h, which the tests compare it with.
#pragma once

#include <cstdint>
#include <span>

#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu {

// The lanes that take part: the first byte that each moves, and how many.
struct WarpLanes {
    std::span<const int64_t> first_bytes;
    int64_t bytes_each = 4;
};

// The units of memory that count; powers of two.
struct MemoryUnits {
    int64_t warp_threads = 32;
    int64_t sector_bytes = 32;
    int64_t banks = 32;
    int64_t bank_bytes = 4;
};
MemoryUnits units_of(const GpuModel &model);

// Distinct aligned sectors that the lanes touch.
int64_t touched_sectors(const WarpLanes &lanes, const MemoryUnits &units);

// Passes through the banks of shared memory: lanes that read the same word share it, two words of
// one bank conflict. Lanes wider than a bank take turns: half a warp at a time for two banks'
// width, a quarter for four.
int64_t wavefronts(const WarpLanes &lanes, const MemoryUnits &units);

}  // namespace autoschedule_gpu
