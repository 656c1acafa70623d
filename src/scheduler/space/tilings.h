// Tile sizes (Anderson 2021 §4.1 to §4.3).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/nest/nest.h"
#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu {

// Iterations of each loop of a stage over the whole estimated region; at least 1.
std::vector<int64_t> loop_extents(const Dag &dag, StageId stage);

// Whether a loop of `extent` iterations has a tile of that size.
inline bool has_tile(int64_t extent, const LoopTile &tile) {
    return tile.block_points() <= extent;
}
// The same of all loops of a stage. Tilings of the space are such.
inline bool has_tiles(std::span<const int64_t> extents, const Tiling &tiling) {
    return std::ranges::equal(extents, tiling, has_tile);
}

// Of a serial tile along a loop of `extent` iterations: 1, 2, 4, 8, and 3, 5, 7 if that is the
// whole loop, or leaves no rest but whole warps of threads, or a power of two of at least
// `least_threads`.
std::vector<int64_t> serial_candidates(const GpuModel &gpu, int64_t extent, int64_t least_threads);

// The same along a dimension of a Func that is computed in a block, of which there are `extent`
// points; and all of them where an update of the Func walks along the dimension (a scan), for there
// a thread has whole lines anyway. But no more than a thread may have (kMaxSerialPoints). Only all
// of them where parameters decide how many they are (KernelDraft::compute_in_block has no other).
std::vector<int64_t> member_serial_candidates(const Dag &dag, const GpuModel &gpu, FuncId func,
                                              size_t dim, int64_t extent);

// Tilings of a stage computed at root, in a fixed order: serial 1, 2, 4, 8 per loop (3, 5, 7 where
// that makes the thread loop a multiple of the warp, a half or a quarter of it, or covers the whole
// loop); threads 16, 32, 64 along thread x (or 1 if the loop has fewer than 64, or up to 256 if
// that is the whole of a loop of constant extent), elsewhere powers of 2 up to 16 or a whole
// shorter loop; blocks take the rest. Where atomics are allowed, the same with reduction loops
// split as well, at the end of the list. Rules that are wishes give way where they would leave
// nothing; so there is always one, unless a user's rule says no to all. Rejections are added to
// `counts`.
std::vector<Tiling> root_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                 StageId stage, RuleCounts &counts);

// A sensible tiling without any search: serial 1, up to 256 threads.
Tiling default_tiling(const Dag &dag, const GpuModel &gpu, StageId stage);

// Tilings in which each thread has all of some brief loops (at most 8 iterations) and one point of
// the others, in blocks of one warp and of four. What a thread computes for itself is then computed
// once for these loops. They may leave SMs idle.
std::vector<Tiling> whole_loop_tilings(const Dag &dag, const GpuModel &gpu, StageId stage);

// Serial tiles, one per dimension, of a Func computed in a block over `extents` points.
std::vector<std::vector<int64_t>> block_level_serials(const Dag &dag, const GpuModel &gpu,
                                                      const RuleBook &rules, FuncId func,
                                                      const std::vector<int64_t> &extents,
                                                      RuleCounts &counts);

}  // namespace autoschedule_gpu
