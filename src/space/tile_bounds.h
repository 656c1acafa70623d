// Which loops of a stage are tiled, and how large tiles may be (Sioutas et al. 2020 §4.2): few
// enough candidates to evaluate them all for every group of stages that is looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "dag/dag.h"
#include "gpu/gpu_model.h"
#include "nest/nest.h"

namespace autoschedule_gpu {

// Loops with fewer iterations are not tiled, unless all have fewer.
inline constexpr int64_t kLongLoop = 64;

// T_min and T_max of the paper for a loop of `extent` iterations, of `tiled` loops that are tiled:
//
//     T_max = extent / 128 if extent >= 1024 and tiled = 1
//             extent / 32  if extent >= 1024 and tiled > 1
//             extent / 2   otherwise
//     T_min = 8 if extent >= 64, else 2
//
// A loop too short for these is one tile: both are at least 1, and T_min is at most T_max.
struct TileBounds {
    int64_t least = 1, most = 1;
};
TileBounds tile_bounds(int64_t extent, size_t tiled);

// The parallel loops that are tiled, by their indices in the stage: the long ones, at most three of
// them, first in the order in which they are stored. If none is long, the longest, and, unlike in
// the paper, all others that a thread can't have all of: small stages need threads, too. None where
// loops must stay whole (Stage::predicate_reads).
std::vector<size_t> tiled_loops(const Dag &dag, StageId stage);

// Their bounds, with smaller ones for T_min where the least tile has more threads than a block.
std::vector<TileBounds> bounds_of_tiled_loops(const Dag &dag, const GpuModel &gpu, StageId stage);

// A tiling with that many threads for each of tiled_loops. The briefest of the other loops are whole
// in the thread, as far as they can be unrolled; the rest is blocks.
Tiling group_tiling(const Dag &dag, StageId stage, const std::vector<int64_t> &tile);

// All tiles within the bounds whose sizes are powers of two and whose threads fit into a block:
// points of each of tiled_loops. Never empty.
std::vector<std::vector<int64_t>> group_tiles(const Dag &dag, const GpuModel &gpu, StageId stage);

}  // namespace autoschedule_gpu
