// Computes what one instruction of one warp moves, from the addresses of its lanes. The addresses
// are arbitrary, unlike in core/gpu/memory_access.h, with which tests compare this.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu {

// The lanes that take part: the first byte that each of them moves, and the number of bytes.
struct WarpLanes {
    std::span<const int64_t> first_bytes;
    int64_t bytes_each = 4;
};

// The units of memory that count, powers of two, and what L2 holds from kernel to kernel.
struct MemoryUnits {
    int64_t warp_threads = 32;
    int64_t sector_bytes = 32;
    int64_t line_bytes = 128;
    int64_t banks = 32;
    int64_t bank_bytes = 4;
    double resident_bytes = 0;  // l2_resident_bytes()
    double filled_bytes = 0;    // l2_filled_bytes()
};
MemoryUnits units_of(const GpuModel &model);

// Returns the distinct aligned sectors that the lanes touch, ascending: byte / sector_bytes.
std::vector<int64_t> touched_sectors(const WarpLanes &lanes, const MemoryUnits &units);

// Returns the number of passes through the banks of shared memory. Lanes that read the same word
// share it, and two words of one bank conflict. Lanes wider than a bank take turns: half a warp at
// a time for twice a bank's width, a quarter for four times. Half as many turns do where the lanes
// i and i^1 of each pair, or all i and i^2, want the same (NVIDIA's forum, thread 77228; counted on
// an H200 where all lanes do: 2.0 passes for 16 bytes).
int64_t wavefronts(const WarpLanes &lanes, const MemoryUnits &units);

// Returns the same of L1, whose data lie in banks like those of shared memory and whose tags answer
// for kL1LinesAtOnce. There pairs that want the same take all turns (measured on an H200: 4 cycles
// for 16 bytes that all lanes share).
double global_wavefronts(const WarpLanes &lanes, const MemoryUnits &units);

}  // namespace autoschedule_gpu
