// What one load or store of one warp moves: sectors, lines and wavefronts of global memory, and
// transactions of shared memory. Pure integer arithmetic over at most one warp of lanes, without
// allocation: the search calls it for every load of every candidate.
//
// Lanes are numbered x first, then y, then z, from the block's first thread. Lane (x, y, z) reads
// the element at
//     first + element_bytes * floor((x * stride_x + y * stride_y + z * stride_z) / element_bytes),
// so that a stride of half an element (an access to x / 2) makes neighbours share elements.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu {

// The stride along a dimension in which addresses follow no known law: an index read from memory.
inline constexpr double kUnknownStride = std::numeric_limits<double>::quiet_NaN();

// Data of at most so many bytes that one kernel produces and the next reads never go to DRAM and
// back.
double l2_resident_bytes(const GpuModel &model);
// What a kernel reads and writes may fill so many bytes before lines that were written go to DRAM
// (by the counters of an H200: the median of twelve kernels that write 16 to 134 MB).
double l2_filled_bytes(const GpuModel &model);

struct WarpAccess {
    // 1, 2, 4, 8 or 16: what one lane moves at once, a whole vector if it loads a vector.
    int64_t element_bytes = 4;
    // The warp's first lanes that take part; more than there are threads means all of them.
    int64_t active_lanes = 32;
    std::array<int64_t, 3> threads = {32, 1, 1};  // that take part
    // The block that they are the first of, in each dimension, where its rows straddle its warps
    // (rows_straddle): then the result is the mean over its warps, whatever `active_lanes` says.
    std::optional<std::array<int64_t, 3>> block = {};
    std::array<double, 3> stride_bytes = {4.0, 0, 0};  // fractional, negative or kUnknownStride
    // `first` is a multiple of this power of two, otherwise anywhere. Shared memory ignores it.
    int64_t alignment_bytes = 128;
};

// True if a warp of such a block, whose lanes are numbered x first, may have parts of several rows,
// and another warp other parts: rows of 35 threads, not rows of 16 or 64.
bool rows_straddle(const std::array<int64_t, 3> &block, int64_t warp_size);

// L1's tags answer for so many lines in a pass. Measured on an H200, of loads that hit: 32 lanes in
// 32 lines whose words lie in 32 banks take 8 cycles; in one bank, 32.
inline constexpr double kL1LinesAtOnce = 4;

struct GlobalAccess {
    // Averages over the places that `first` may have, hence not whole when the alignment is less
    // than a sector (or a line). A lane of unknown address is in a sector and a line of its own.
    double sectors = 0;
    double lines = 0;
    // Passes through the data banks of L1, which are those of shared memory: lanes whose words lie
    // in one bank, or in more lines than its tags answer at a time, take turns.
    double wavefronts = 0;
    int64_t used_bytes = 0;  // of distinct elements: lanes that share one count once
    double efficiency = 0;   // used bytes / bytes of the sectors: 0 to 1
};

// Sector and line sizes, bank count and width are the model's.
GlobalAccess global_access(const GpuModel &model, const WarpAccess &access);

// Whether the lanes i and i^1 of each pair, or all i and i^2, begin at the same place: of shared
// memory a wide load then takes half its turns (NVIDIA's forum, thread 77228; counted on an H200
// where all lanes want the same 16 bytes: 2.0 passes). L1 takes all (measured there: 4 cycles).
bool pairs_agree(std::span<const int64_t> lanes);

struct SharedAccess {
    // Passes through the banks. Lanes that read the same word share it; two words of one bank
    // conflict. An element wider than a bank splits the warp: half warps for 8 bytes and quarters
    // for 16, so that 2 and 4 passes are the least a full warp needs, or half of these where its
    // pairs agree.
    // An unknown stride gives the mean for random words, about 3.5 for 32 lanes and 32 banks.
    double transactions = 0;
    int64_t used_bytes = 0;
    double efficiency = 0;  // used bytes / (transactions * bytes of all banks)
};

// Bank count and width are the model's. The tile is taken to start at the first bank.
SharedAccess shared_access(const GpuModel &model, const WarpAccess &access);

}  // namespace autoschedule_gpu
