// Tile sizes (Anderson 2021 §4.1 to §4.3).
#pragma once

#include <vector>

#include "dag/dag.h"
#include "gpu/gpu_model.h"
#include "nest/nest.h"
#include "space/rules.h"

namespace autoschedule_gpu {

// Most points of a serial tile: it is to be unrolled, and its accumulators are to stay in
// registers.
inline constexpr int64_t kMaxSerialPoints = 32;

// Iterations of each loop of a stage over the whole estimated region; at least 1.
std::vector<int64_t> loop_extents(const Dag &dag, StageId stage);

// Of a serial tile along a loop of `extent` iterations: 1, 2, 4, 8, and 3, 5, 7 as below.
std::vector<int64_t> serial_candidates(const GpuModel &gpu, int64_t extent);

// Tilings of a stage computed at root, in a fixed order: serial 1, 2, 4, 8 per loop (3, 5, 7 where
// that makes the thread loop a multiple of the warp, or covers the whole loop); threads 16, 32, 64
// along thread x (or 1 if the loop has fewer than 64, or up to 256 if that is the whole of a loop
// of constant extent), elsewhere powers of 2 up to 16 or a whole shorter loop; blocks take the
// rest. Where atomics are allowed, the same with reduction loops split as well, at the end of the
// list. Never empty: where the optional rules would leave nothing, they give way. Rejections are
// added to `counts`.
std::vector<Tiling> root_tilings(const Dag &dag, const GpuModel &gpu, const RuleSet &rules,
                                 StageId stage, RuleCounts &counts);

// A sensible tiling without any search: serial 1, up to 256 threads.
Tiling default_tiling(const Dag &dag, const GpuModel &gpu, StageId stage);

// Tilings in which each thread has all of some brief loops (at most 8 iterations) and one point of
// the others, in blocks of one warp and of four. What a thread computes for itself is then computed
// once for these loops. They may leave SMs idle.
std::vector<Tiling> whole_loop_tilings(const Dag &dag, const GpuModel &gpu, StageId stage);

// Serial tiles, one per dimension, of a Func computed in a block over `extents` points.
std::vector<std::vector<int64_t>> block_level_serials(const GpuModel &gpu, const RuleSet &rules,
                                                      const std::vector<int64_t> &extents,
                                                      RuleCounts &counts);

}  // namespace autoschedule_gpu
