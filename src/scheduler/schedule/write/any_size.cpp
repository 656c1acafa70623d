#include "scheduler/schedule/write/any_size.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "core/support/rounding.h"
#include "scheduler/nest/full_tiles.h"
#include "scheduler/schedule/write/loop_names.h"
#include "scheduler/schedule/write/root_splits.h"

namespace autoschedule_gpu::writing {

namespace {

// Of parts of a reduction, those that y of such a grid has, at least; z has the rest of them. Those
// without work are blocks, too, but short ones.
constexpr int64_t kPartsSideBySide = 1024;
// Where a number of blocks that is known at run time only may be none, or more than a launch takes:
// enough for any device, and few enough that those without work cost little.
constexpr int64_t kBlocksForAnyNumber = 4096;

// Where buffers are large, blocks beside each other that are no part of a fused loop: along each of
// the loops that are fused with the first, and of all of these.
constexpr size_t kMostBitsAlongOne = 8, kMostBitsAlongAll = 12;

// Returns the tiling without serial loops where there are threads, and removes these from `loops`.
Tiling one_point_per_thread(Tiling tiling, StageLoops &loops) {
    for (size_t i = 0; i < tiling.size(); ++i) {
        loops.walk[i].reset();
        tiling[i].walk = 1;
        if (!loops.thread[i] || tiling[i].atomic || tiling[i].rest == Rest::threads) continue;
        tiling[i].serial = 1;
        loops.serial[i].reset();
    }
    return tiling;
}

// That of several loops, all of unknown extents, which runs over parts of a reduction.
std::optional<size_t> loop_over_parts(const Dag &dag, StageId id, const std::vector<size_t> &grid) {
    if (grid.size() < 2) return std::nullopt;
    std::optional<size_t> found;
    for (const size_t i : grid) {
        const int dim = dag.stage(id).loops[i].dim;
        if (dim < 0 || has_constant_extent(dag, id, i)) return std::nullopt;
        const int64_t most = dag.func_of(id).dims[static_cast<size_t>(dim)].most_extent;
        if (0 < most) found = i;
    }
    return found;
}

// So many that z has room for the rest.
int64_t parts_side_by_side(const Dag &dag, StageId id, size_t loop) {
    const auto dim = static_cast<size_t>(dag.stage(id).loops[loop].dim);
    const int64_t least = ceil_div(dag.func_of(id).dims[dim].most_extent, kMostBlocks);
    return std::max(kPartsSideBySide, least);
}

// Halide counts the iterations of a fused loop in 32 bits, where buffers may have more elements,
// too (src/halide/README.md). So that these are enough for all that a device has memory for, only
// what a split leaves of each loop but the first is to be fused. Returns the one that the inner
// parts are. Those without work are blocks, too, but short ones.
LoopRef keep_beside(DirectiveList &out, StageId id, StageLoops &loops,
                    std::span<const size_t> after_first) {
    std::vector<LoopRef> inner;
    for (const size_t i : after_first) {
        const size_t bits = std::min(kMostBitsAlongOne, kMostBitsAlongAll / after_first.size());
        const LoopRef rest = made(out.dag(), id, i, "o");
        inner.push_back(made(out.dag(), id, i, "q"));
        out.split(id, *loops.block[i], rest, inner.back(), int64_t{1} << bits,
                  TailStrategy::guard_with_if);
        loops.block[i] = rest;
    }
    while (inner.size() > 1) out.fuse_last_two(id, inner);
    return inner.front();
}

// The loops of those numbers become the site, which is that of the only one if there are no others.
void fuse_to_site(DirectiveList &out, StageId id, const StageLoops &loops,
                  const std::vector<size_t> &varying, const LoopRef &site) {
    std::vector<LoopRef> blocks;
    for (const size_t i : varying) blocks.push_back(*loops.block[i]);
    while (blocks.size() > 2) out.fuse_last_two(id, blocks);
    if (blocks.size() > 1) out.fuse(id, blocks[0], blocks[1], site);
}

// The first block loop has the name that it has where tiles are full, for Funcs are computed in it.
// It takes all loops of unknown extents; in a fused loop Halide would no more know those of the
// others. Nor would it know that the parts of a reduction which such a loop runs over are there
// (src/halide/README.md): beside nothing but other such loops they have blocks of their own.
std::vector<LoopRef> split_around_site(DirectiveList &out, const Kernel &kernel, StageLoops &loops,
                                       const LoopRef &site) {
    const Dag &dag = out.dag();
    const StageId id = kernel.stage;
    const bool shrinks = at_other_sizes(dag, kernel) == OtherSizes::points;
    const std::vector<size_t> grid = grid_loops(dag, kernel);
    const auto varies = [&](size_t i) { return !has_constant_extent(dag, id, i); };
    const std::optional<size_t> parts = loop_over_parts(dag, id, grid);
    const bool fuses = std::ranges::count_if(grid, varies) > (parts ? 2 : 1);
    std::vector<size_t> varying;
    std::vector<LoopRef> constant;
    for (const size_t i : grid) {
        loops.block[i] = varies(i) && !fuses && i != parts ? site : made(dag, id, i, "p");
        if (i != parts && varies(i)) varying.push_back(i);
        if (!varies(i)) constant.push_back(*loops.block[i]);
        if (!loops.thread[i] && !loops.serial[i]) loops.serial[i] = made(dag, id, i, "s");
    }
    Tiling tiling = tiling_at_other_sizes(dag, kernel);
    // Of a fused loop Halide can't tell that a guarded tile of threads needs no more than a whole
    // one.
    if (!shrinks) tiling = one_point_per_thread(std::move(tiling), loops);
    split_root_loops(out, kernel, tiling, loops,
                     shrinks ? TailStrategy::shift_inwards : TailStrategy::guard_with_if);
    std::vector<LoopRef> blocks = {site};
    if (fuses && !parts && dag.large_buffers) {
        blocks.push_back(keep_beside(out, id, loops, std::span(varying).subspan(1)));
    }
    fuse_to_site(out, id, loops, varying, site);
    if (parts) {
        const LoopRef inner = made(dag, id, *parts, "q"), outer = made(dag, id, *parts, "o");
        out.split(id, *loops.block[*parts], outer, inner, parts_side_by_side(dag, id, *parts),
                  TailStrategy::guard_with_if);
        return {site, inner, outer};
    }
    while (blocks.size() + constant.size() > 3) out.fuse_last_two(id, constant);
    blocks.insert(blocks.end(), constant.begin(), constant.end());
    return blocks;
}

// Of a loop that is split, a guard says how far it runs, be it less than no time. One that is not
// runs so often as it is, beside the threads: of two in a fused loop the extents are multiplied,
// and less than none times less than none is some (src/halide/README.md).
void keep_apart(const Dag &dag, const Kernel &kernel, StageLoops &loops,
                std::vector<LoopRef> &blocks) {
    for (const size_t i : grid_loops(dag, kernel)) {
        const bool whole = loops.block[i]->is_original();
        if (!whole || !dag.stage(kernel.stage).loops[i].may_be_empty) continue;
        std::erase(blocks, *loops.block[i]);
        loops.walk[i] = *std::exchange(loops.block[i], std::nullopt);
    }
}

// The blocks, if there are any, become so many as any launch takes, each of which goes on to the
// next.
void stride(DirectiveList &out, const Kernel &kernel, StageLoops &loops,
            std::vector<LoopRef> &blocks) {
    const Dag &dag = out.dag();
    if (blocks.empty()) return;
    const std::vector<size_t> grid = grid_loops(dag, kernel);
    const size_t first = *std::ranges::find_if(grid, [&](size_t i) { return !loops.walk[i]; });
    const LoopRef inner = made(dag, kernel.stage, first, "q");
    loops.walk[first] = made(dag, kernel.stage, first, "w");
    out.split(kernel.stage, blocks.front(), *loops.walk[first], inner, kBlocksForAnyNumber,
              TailStrategy::guard_with_if);
    blocks = {inner};
}

}  // namespace

std::vector<LoopRef> split_for_any_size(DirectiveList &out, const Kernel &kernel, StageLoops &loops,
                                        std::vector<LoopRef> blocks) {
    if (!is_alone(kernel)) return split_around_site(out, kernel, loops, blocks.front());
    split_root_loops(out, kernel, one_point_per_thread(kernel.tiling, loops), loops,
                     TailStrategy::guard_with_if);
    const bool varies = has_varying_reductions(out.dag(), kernel);
    if (varies) keep_apart(out.dag(), kernel, loops, blocks);
    while (blocks.size() > 1) out.fuse_last_two(kernel.stage, blocks);
    if (varies) stride(out, kernel, loops, blocks);
    return blocks;
}

void keep_unguarded(DirectiveList &out, const Kernel &kernel, size_t full_loops,
                    std::vector<LoopRef> &inside, std::vector<LoopRef> &blocks) {
    // In the first block loop of a kernel other Funcs are computed. Such a kernel has serial loops
    // of our making: of more than three block loops at most three have threads.
    LoopRef &loop =
        is_alone(kernel)
            ? blocks.back()
            : *std::ranges::find_if(inside, [](const LoopRef &l) { return !l.is_original(); });
    std::vector<LoopRef> ones;
    while (inside.size() + ones.size() + blocks.size() + 1 < full_loops) {
        const LoopRef outer = LoopRef::made(loop.name + "_n");
        ones.push_back(LoopRef::made(loop.name + "_1"));
        out.split(kernel.stage, loop, outer, ones.back(), 1, TailStrategy::guard_with_if);
        loop = outer;
    }
    inside.insert(inside.begin(), ones.begin(), ones.end());
}

}  // namespace autoschedule_gpu::writing
