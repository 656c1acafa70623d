#include "scheduler/schedule/write/stage_loops.h"

#include <algorithm>

#include "scheduler/nest/full_tiles.h"
#include "scheduler/nest/launch.h"
#include "scheduler/nest/regions.h"
#include "scheduler/nest/sliding.h"
#include "scheduler/schedule/write/loop_names.h"

namespace autoschedule_gpu::writing {

namespace {

StageLoops empty_loops(const Dag &dag, StageId id) {
    const LevelLoops none(dag.stage(id).loops.size());
    return {none, none, none, none, none, none, none};
}

// A loop name is looked for in every stage of a Func that something is computed at. Where the Func
// has several stages, each must therefore have names of its own.
bool needs_own_names(const Dag &dag, StageId id, const Band &band) {
    return dag.func_of(id).stages.size() > 1 && band.body.size() > 1;
}

// Blocks have three dimensions, so further loops are fused. What is computed inside has extents
// that Halide can bound only if the fused loops come from splits, be it by 1.
bool hides_extents(const Dag &dag, const Kernel &kernel) {
    const std::vector<Loop> &loops = dag.stage(kernel.stage).loops;
    int blocks = 0;
    for (size_t i = 0; i < loops.size(); ++i) blocks += has_blocks(loops[i], kernel.tiling[i]);
    return blocks > 3 && (kernel.blocks->body.size() > 1 || root_threads(kernel)->body.size() > 1);
}

// Funcs are computed in the first block loop, which is one that is made in both branches then.
bool has_site_of_one_point(const Dag &dag, const Kernel &kernel) {
    const std::vector<size_t> loops = grid_loops(dag, kernel);
    return !loops.empty() && !is_alone(kernel) && full_tiles(dag, kernel) &&
           kernel.tiling[loops.front()].points() == 1;
}

bool slides_along(const Dag &dag, const Kernel &kernel, StageId id, size_t loop) {
    if (!walked_loop(kernel.tiling)) return false;
    const FuncId func = dag.stage(id).func;
    const ConstantExtents extents = extents_in_block(dag, kernel, func);
    const std::optional<Slide> slide =
        extents ? slide_of(dag, kernel, func, *extents) : std::nullopt;
    return slide && dag.stage(id).loops[loop].dim == static_cast<int>(slide->dim);
}

// How far the loops of a stage in a block run, where Halide knows it.
KnownExtents extents_of_loops(const Dag &dag, const Kernel &kernel, const Band &threads) {
    const Stage &stage = dag.stage(threads.stage);
    const BlockLoop around = loop_around(dag, kernel, stage.func);
    const KnownExtents region =
        extents_in_block(dag, kernel, kernel.tiling, {&stage.func, 1}, around).front();
    KnownExtents result;
    for (const Loop &loop : stage.loops) {
        if (loop.dim >= 0) {
            result.push_back(region[loop.dim]);
        } else {
            result.push_back(loop.constant ? std::optional(loop.range.extent()) : std::nullopt);
        }
    }
    return result;
}

}  // namespace

StageLoops root_loops(const Dag &dag, const Kernel &kernel) {
    const StageId id = kernel.stage;
    StageLoops loops = empty_loops(dag, id);
    const Band &threads = *root_threads(kernel);
    // Halide knows loops that are shared by how they were made, so that all are made alike.
    const bool shares = kernel.with.valid();
    const bool own = needs_own_names(dag, id, *kernel.blocks) ||
                     needs_own_names(dag, id, threads) || hides_extents(dag, kernel) ||
                     has_site_of_one_point(dag, kernel) || shares;
    for (size_t i = 0; i < kernel.tiling.size(); ++i) {
        const LoopTile &tile = kernel.tiling[i];
        const bool in_one_thread = tile.rest == Rest::threads && tile.threads == 1;
        if (in_one_thread || !is_split(dag.stage(id).loops[i], tile)) {
            loops.serial[i] = original(dag, id, i);
            continue;
        }
        if (tile.rest == Rest::threads) {
            loops.thread[i] = made(dag, id, i, "t");
            loops.serial[i] = made(dag, id, i, "s");
            continue;
        }
        const bool whole = tile.block_points() == 1 && !own;
        loops.block[i] = whole ? original(dag, id, i) : made(dag, id, i, "b");
        if (tile.threads > 1) loops.thread[i] = made(dag, id, i, "t");
        if (tile.serial > 1 || (own && tile.points() == 1) || shares) {
            loops.serial[i] = made(dag, id, i, "s");
        }
        if (tile.walk > 1) loops.walk[i] = made(dag, id, i, "w");
        if (tile.walk > 1 && tile.points() == 1) loops.serial[i] = made(dag, id, i, "s");
    }
    return loops;
}

StageLoops block_level_loops(const Dag &dag, const Kernel &kernel, const Band &threads) {
    const StageId id = threads.stage;
    const Band &inner = *threads.body.back();
    StageLoops loops = empty_loops(dag, id);
    const KnownExtents known = extents_of_loops(dag, kernel, threads);
    for (size_t i = 0; i < inner.trips.size(); ++i) {
        const bool axis = std::find(threads.axes.begin(), threads.axes.end(),
                                    static_cast<int>(i)) != threads.axes.end();
        // How often a reduction runs may be known only at run time, its threads may not.
        const Loop &loop = dag.stage(id).loops[i];
        if (is_outside_threads(dag, threads, i)) {
            loops.outside[i] = original(dag, id, i);
        } else if (slides_along(dag, kernel, id, i)) {
            loops.walk[i] = made(dag, id, i, "w");
            loops.serial[i] = made(dag, id, i, "s");
            if (axis) loops.thread[i] = made(dag, id, i, "t");
            continue;
        } else if (!axis) {
            loops.serial[i] = original(dag, id, i);
        } else if (inner.trips[i] > 1 || needs_own_names(dag, id, threads) ||
                   (!loop.parallel && !loop.constant)) {
            loops.thread[i] = made(dag, id, i, "t");
            loops.serial[i] = made(dag, id, i, "s");
        } else {
            loops.thread[i] = original(dag, id, i);
        }
        const bool strides = inner.level == Level::strided || !loop.parallel;
        if (!axis || known[i] || (strides && loops.serial[i])) continue;
        loops.thread[i] = made(dag, id, i, "t");
        loops.again[i] = made(dag, id, i, "r");
    }
    return loops;
}

StageLoops thread_level_loops(const Dag &dag, const Band &inner) {
    StageLoops loops = empty_loops(dag, inner.stage);
    for (size_t i = 0; i < inner.trips.size(); ++i) {
        loops.serial[i] = original(dag, inner.stage, i);
    }
    return loops;
}

std::vector<LoopRef> block_loops(const Dag &dag, const Kernel &kernel, const StageLoops &loops) {
    const std::vector<size_t> grid =
        kernel.with.valid() ? shared_grid(dag, kernel) : grid_loops(dag, kernel);
    std::vector<LoopRef> result;
    for (const size_t i : grid) result.push_back(*loops.block[i]);
    return result;
}

std::vector<LoopRef> thread_loops(const Band &threads, const StageLoops &loops) {
    std::vector<LoopRef> result;
    for (int axis : threads.axes) result.push_back(*loops.thread[axis]);
    return result;
}

std::vector<LoopRef> serial_loops(const Dag &dag, const Band &inner, const StageLoops &loops) {
    std::vector<LoopRef> result;
    for (size_t i : serial_order(dag, inner)) {
        if (loops.steps[i]) {
            // Of sums in global memory, steps are such terms of a point as loops of few iterations.
            const bool sums =
                inner.memory == MemoryKind::global && !dag.stage(inner.stage).store.moves(i);
            result.insert(sums ? result.begin() : result.end(), *loops.steps[i]);
        }
        if (loops.serial[i]) result.push_back(*loops.serial[i]);
    }
    return result;
}

void append(std::vector<LoopRef> &order, const LevelLoops &loops) {
    for (const std::optional<LoopRef> &loop : loops) {
        if (loop) order.push_back(*loop);
    }
}

}  // namespace autoschedule_gpu::writing
