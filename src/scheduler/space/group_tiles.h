// The tiles of the stage at the head of a group (Sioutas et al. 2020 §4.2): few enough candidates
// to evaluate them all for every group of stages that is looked at.
//
// Parallel loops are tiled, and reduction loops where atomic operations are allowed and the others
// leave lanes of the device idle, which the paper does without.
#pragma once

#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/nest/nest.h"
#include "scheduler/rules/rule_book.h"
#include "scheduler/space/tile_bounds.h"

namespace autoschedule_gpu {

// The threads and points per thread of each loop that is tiled.
using GroupTile = std::vector<LoopTile>;

// Of all stages of a pipeline. Every function is pure and may be called from any thread.
class GroupTiles {
public:
    // `dag` must outlive it.
    GroupTiles(const Dag &dag, const GpuModel &gpu, const RuleBook &rules);

    // The loops that are tiled, by their indices in the stage: the long ones, at most three of
    // them, first in the order in which they are stored. If none is long, the longest, and, unlike
    // in the paper, all others that a thread can't have all of: small stages need threads, too.
    // None where loops must stay whole (Stage::predicate_reads).
    const std::vector<size_t> &tiled_loops(StageId stage) const;

    // Of threads, for each of these; with smaller ones for T_min where the least tile has more
    // threads than a block.
    const std::vector<TileBounds> &bounds(StageId stage) const;

    // The tiling of all loops. The briefest of the loops that are not tiled are whole in the
    // thread, as far as they can be unrolled; the rest is blocks.
    Tiling tiling(StageId stage, const GroupTile &tile) const;

    // Whether a thread has few enough points, those of brief loops included, and no tile of several
    // points per thread is more than half of its loop.
    bool is_small_enough(StageId stage, const GroupTile &tile) const;

    // One point and one thread in each of the loops.
    GroupTile point(StageId stage) const;

    // `tile` with one of its loops a step larger or smaller: in threads, within the bounds, by up
    // to 8 (the final tiling of §4.2), or twice or half the points per thread.
    std::vector<GroupTile> steps(StageId stage, const GroupTile &tile) const;

    // All tiles of one point per thread within the bounds whose sizes are powers of two and whose
    // threads fit into a block. Never empty.
    std::vector<GroupTile> all(StageId stage) const;

private:
    struct Loops {
        std::vector<int64_t> extents;
        std::vector<size_t> tiled;
        std::vector<size_t> unrolled;
        std::vector<TileBounds> bounds;  // of the tiled ones
    };
    Loops loops_of(StageId stage, const RuleBook &rules) const;

    const Dag &dag_;
    const GpuModel gpu_;
    std::vector<Loops> stages_;
};

}  // namespace autoschedule_gpu
