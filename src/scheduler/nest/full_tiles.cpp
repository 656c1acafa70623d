#include "scheduler/nest/full_tiles.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "scheduler/nest/regions.h"
#include "scheduler/nest/sliding.h"

namespace autoschedule_gpu {
namespace {

// Every device allows so many.
constexpr int64_t kThreadsAlongZ = 64;

// Halide knows more of what else is computed in the blocks if these go on along the loops
// themselves.
bool is_varying_reduction(const Dag &dag, const Kernel &kernel, size_t loop) {
    const Loop &of = dag.stage(kernel.stage).loops[loop];
    return of.dim < 0 && !of.constant && is_alone(kernel);
}

class Sizes {
public:
    Sizes(const Dag &dag, const Kernel &kernel)
        : dag_(dag),
          id_(kernel.stage),
          stage_(dag.stage(kernel.stage)),
          func_(dag.func(stage_.func)),
          kernel_(kernel),
          tiling_(kernel.tiling),
          sizes_{std::vector<int64_t>(func_.dims.size()), std::vector<int64_t>(func_.dims.size())} {
    }

    void shift_inwards(size_t loop) {
        const int64_t points = tiling_[loop].block_points();
        if (stage_.loops[loop].dim < 0 || points == 1) return;
        if (is_constant(loop) && extent(loop) >= points) return;
        sizes_.least[dim(loop)] = points;
    }

    // The loops are one dimension of the grid. Those whose extents are constant take their share of
    // it, and the others grow alike.
    void fit_grid(std::span<const size_t> loops) {
        double room = kMostBlocks;
        std::vector<size_t> growing;
        for (const size_t loop : loops) {
            room /= static_cast<double>(blocks(loop));
            if (varies(loop)) growing.push_back(loop);
        }
        const double times =
            std::pow(std::max(1.0, room), 1.0 / static_cast<double>(growing.size()));
        for (const size_t loop : growing) {
            const auto most = static_cast<int64_t>(static_cast<double>(blocks(loop)) * times);
            const int64_t points = most * tiling_[loop].block_points();
            if (stage_.loops[loop].dim < 0) {
                reduction(loop).most = points;
                continue;
            }
            const int64_t ever = func_.dims[dim(loop)].most_extent;
            if (ever == 0 || ever > points) sizes_.most[dim(loop)] = points;
        }
    }

    void need_blocks(size_t loop) {
        if (is_varying_reduction(dag_, kernel_, loop) && stage_.loops[loop].may_be_empty) {
            reduction(loop).least = 1;
        }
    }

    std::optional<FullTiles> take() {
        const auto is_any = [](int64_t extent) { return extent == 0; };
        const bool all = std::ranges::all_of(sizes_.least, is_any) &&
                         std::ranges::all_of(sizes_.most, is_any) && sizes_.reductions.empty();
        return all ? std::nullopt : std::optional(std::move(sizes_));
    }

private:
    bool is_constant(size_t loop) const { return has_constant_extent(dag_, id_, loop); }
    bool varies(size_t loop) const {
        return !is_constant(loop) || is_varying_reduction(dag_, kernel_, loop);
    }
    FullTiles::Reduction &reduction(size_t loop) {
        const auto found = std::ranges::find(sizes_.reductions, loop, &FullTiles::Reduction::loop);
        if (found != sizes_.reductions.end()) return *found;
        return sizes_.reductions.emplace_back(FullTiles::Reduction{loop, 0, 0});
    }
    size_t dim(size_t loop) const { return static_cast<size_t>(stage_.loops[loop].dim); }
    int64_t extent(size_t loop) const {
        return stage_.loops[loop].dim < 0 ? stage_.loops[loop].range.extent()
                                          : func_.dims[dim(loop)].estimate.extent();
    }
    int64_t blocks(size_t loop) const {
        const int64_t points = tiling_[loop].block_points();
        return std::max<int64_t>(1, (extent(loop) + points - 1) / points);
    }

    const Dag &dag_;
    const StageId id_;
    const Stage &stage_;
    const Func &func_;
    const Kernel &kernel_;
    const Tiling &tiling_;
    FullTiles sizes_;
};

// Of a stage in the block, the threads that it has along each of its axes if each of its points has
// one; nothing where they are dealt to flat threads. A stage that holds others in its threads keeps
// those that it has.
KnownExtents threads_of_all_points(const Dag &dag, const Kernel &kernel, const Tiling &tiling,
                                   const Band &threads) {
    if (threads.flat) return {std::nullopt};
    KnownExtents result;
    const Stage &stage = dag.stage(threads.stage);
    const KnownExtents needed = extents_in_block(dag, kernel, tiling, {&stage.func, 1},
                                                 loop_around(dag, kernel, stage.func))
                                    .front();
    for (const int axis : threads.axes) {
        const auto i = static_cast<size_t>(axis);
        if (threads.stage == kernel.stage) {
            result.emplace_back(tiling[i].threads);
        } else if (stage.loops[i].dim < 0) {
            result.emplace_back(threads.trips[i]);
        } else {
            std::optional<int64_t> points = needed[static_cast<size_t>(stage.loops[i].dim)];
            if (points && threads.body.size() > 1) points = std::max(*points, threads.trips[i]);
            result.push_back(points);
        }
    }
    return result;
}

bool is_in_threads(const Band &threads, StageId stage) {
    return std::ranges::any_of(threads.body,
                               [&](const BandPtr &inner) { return inner->stage == stage; });
}

}  // namespace

bool has_constant_extent(const Dag &dag, StageId stage, size_t loop) {
    const int dim = dag.stage(stage).loops[loop].dim;
    return dim < 0 || dag.func_of(stage).dims[static_cast<size_t>(dim)].constant;
}

bool has_varying_reductions(const Dag &dag, const Kernel &kernel) {
    return std::ranges::any_of(grid_loops(dag, kernel), [&](size_t loop) {
        return is_varying_reduction(dag, kernel, loop);
    });
}

std::vector<size_t> grid_loops(const Dag &dag, const Kernel &kernel) {
    const std::vector<int> &axes = root_threads(kernel)->axes;
    std::vector<size_t> loops;
    loops.reserve(kernel.tiling.size());
    loops.assign(axes.begin(), axes.end());
    for (size_t i = 0; i < kernel.tiling.size(); ++i) {
        if (std::ranges::find(axes, static_cast<int>(i)) == axes.end()) loops.push_back(i);
    }
    std::erase_if(loops, [&](size_t i) {
        return !has_blocks(dag.stage(kernel.stage).loops[i], kernel.tiling[i]);
    });
    // Of loops that are fused, the outermost is a quotient whose range Halide doesn't bound, be it
    // of one block. As an inner one it is a remainder of 1, so that what is computed in the block
    // has the constant extents that we know.
    if (loops.size() > 3) {
        auto next = loops.begin() + 2;
        for (auto loop = next; loop != loops.end(); ++loop) {
            if (kernel.blocks->trips[*loop] != 1) continue;
            if (has_constant_extent(dag, kernel.stage, *loop)) std::rotate(next++, loop, loop + 1);
        }
    }
    return loops;
}

OtherSizes at_other_sizes(const Dag &dag, const Kernel &kernel) {
    const bool same = is_alone(kernel) || is_guarded(dag, kernel);
    return same ? OtherSizes::guarded_tiles : OtherSizes::points;
}

Tiling tiling_at_other_sizes(const Dag &dag, const Kernel &kernel) {
    Tiling tiling = kernel.tiling;
    if (at_other_sizes(dag, kernel) != OtherSizes::points) return tiling;
    const FullTiles sizes = *full_tiles(dag, kernel);
    for (const size_t i : grid_loops(dag, kernel)) {
        const int dim = dag.stage(kernel.stage).loops[i].dim;
        const bool shifts = dim >= 0 && sizes.least[static_cast<size_t>(dim)] > 0;
        // Of a part of a fused loop Halide can't tell that a guarded tile needs no more than was
        // promised; of a point it can.
        const bool is_promised =
            is_aligned(dag, kernel, i) && dag.func_of(kernel.stage).is_output();
        if (shifts || is_promised) tiling[i] = LoopTile();
    }
    return tiling;
}

bool has_threads_for_all_points(const Dag &dag, const Kernel &kernel) {
    if (walked_loop(kernel.tiling)) return false;
    if (at_other_sizes(dag, kernel) != OtherSizes::points) return false;
    const Tiling tiling = tiling_at_other_sizes(dag, kernel);
    ThreadExtents most;
    for (const Band *threads : thread_bands(kernel)) {
        const KnownExtents points = threads_of_all_points(dag, kernel, tiling, *threads);
        int64_t *const axes[] = {&most.x, &most.y, &most.z};
        for (size_t axis = 0; axis < points.size(); ++axis) {
            if (!points[axis]) return false;
            *axes[axis] = std::max(*axes[axis], *points[axis]);
        }
    }
    return most.z <= kThreadsAlongZ && most.total() <= block_size(kernel).total();
}

std::optional<FullTiles> full_tiles_around(const Dag &dag, const Kernel &kernel, StageId stage) {
    if (!full_tiles(dag, kernel)) return std::nullopt;
    if (at_other_sizes(dag, kernel) == OtherSizes::guarded_tiles) return std::nullopt;
    const Stage &root = dag.stage(kernel.stage);
    const bool in_thread = is_in_threads(*root_threads(kernel), stage);
    std::vector<int64_t> least(dag.func(root.func).dims.size());
    for (const size_t loop : grid_loops(dag, kernel)) {
        const LoopTile &tile = kernel.tiling[loop];
        const int64_t points = in_thread ? tile.serial : tile.points();
        if (points > 1 && !is_aligned(dag, kernel, loop))
            least[static_cast<size_t>(root.loops[loop].dim)] = points;
    }
    if (std::ranges::all_of(least, [](int64_t extent) { return extent == 0; })) return std::nullopt;
    std::vector<int64_t> any(least.size());
    return FullTiles{std::move(least), std::move(any)};
}

std::optional<FullTiles> full_tiles(const Dag &dag, const Kernel &kernel) {
    if (kernel.on_host || kernel.with.valid()) return std::nullopt;
    Sizes sizes(dag, kernel);
    const std::vector<size_t> loops = grid_loops(dag, kernel);
    if (!is_guarded(dag, kernel)) {
        for (const size_t loop : loops) {
            if (!is_aligned(dag, kernel, loop)) sizes.shift_inwards(loop);
        }
    }
    for (const size_t loop : loops) sizes.need_blocks(loop);
    if (loops.size() > 1) sizes.fit_grid({&loops[1], 1});
    if (loops.size() > 2) sizes.fit_grid(std::span(loops).subspan(2));
    return sizes.take();
}

}  // namespace autoschedule_gpu
