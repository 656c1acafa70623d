#include "scheduler/space/group_tiles.h"

#include <algorithm>

#include "scheduler/nest/edit.h"
#include "scheduler/space/atomics.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

// Of thread x, y and z.
constexpr size_t kMostTiled = 3;
// Points of a thread: Halide's own passes take as long as their code is large.
constexpr int64_t kMostUnrolled = 16;
constexpr int64_t kThreadSteps[] = {-8, -4, -2, 2, 4, 8};

std::vector<int64_t> powers_of_two(const TileBounds &bounds) {
    std::vector<int64_t> result;
    for (int64_t size = 1; size <= bounds.most; size *= 2) {
        if (size >= bounds.least) result.push_back(size);
    }
    if (result.empty()) result.push_back(bounds.most);
    return result;
}

// Three loops of 8 are more than a block of 256 threads: the outermost of the longest gives way.
void fit_least(std::vector<TileBounds> &bounds, int64_t most_threads) {
    const auto threads = [&] {
        int64_t product = 1;
        for (const TileBounds &one : bounds) product *= one.least;
        return product;
    };
    while (threads() > most_threads) {
        const auto longest = std::max_element(
            bounds.rbegin(), bounds.rend(),
            [](const TileBounds &a, const TileBounds &b) { return a.least < b.least; });
        longest->least = std::max<int64_t>(1, longest->least / 2);
    }
}

// The loops of several iterations that blocks and threads may share, the shortest first.
std::vector<size_t> by_extent(const Stage &stage, const std::vector<int64_t> &extents,
                              bool atomics) {
    std::vector<size_t> loops;
    for (size_t i = 0; i < extents.size(); ++i) {
        const bool shared = stage.loops[i].parallel || (atomics && may_be_shared(stage.loops[i]));
        if (shared && extents[i] > 1) loops.push_back(i);
    }
    std::ranges::stable_sort(loops, {}, [&](size_t loop) { return extents[loop]; });
    return loops;
}

// As many as become thread loops, in their order.
std::vector<size_t> as_axes(const Dag &dag, StageId stage, std::vector<int64_t> extents,
                            const std::vector<size_t> &tiled) {
    for (size_t i = 0; i < extents.size(); ++i) {
        if (std::ranges::find(tiled, i) == tiled.end()) extents[i] = 1;
    }
    std::vector<size_t> result;
    for (int axis : choose_axes(dag, stage, extents)) result.push_back(static_cast<size_t>(axis));
    if (result.size() > kMostTiled) result.resize(kMostTiled);
    return result;
}

}  // namespace

GroupTiles::GroupTiles(const Dag &dag, const GpuModel &gpu, const RuleBook &rules)
    : dag_(dag), gpu_(gpu) {
    for (size_t i = 0; i < dag.stages.size(); ++i) stages_.push_back(loops_of(StageId(i), rules));
}

GroupTiles::Loops GroupTiles::loops_of(StageId id, const RuleBook &rules) const {
    const Stage &stage = dag_.stage(id);
    Loops result;
    result.extents = loop_extents(dag_, id);
    if (stage.predicate_reads) return result;  // its loops must stay whole
    RuleCounts unused{};
    const bool atomics = allows_atomics_at_root(dag_, gpu_, rules, id, unused);
    const std::vector<size_t> loops = by_extent(stage, result.extents, atomics);
    const bool all_brief = loops.empty() || result.extents[loops.back()] < kLongLoop;
    int64_t unrolled = 1;
    for (size_t loop : loops) {
        const int64_t extent = result.extents[loop];
        const bool at_least_one = all_brief && loop == loops.back();
        const bool in_thread = extent < kLongLoop && !at_least_one && stage.loops[loop].parallel &&
                               unrolled * extent <= kMostUnrolled;
        if (in_thread) {
            result.unrolled.push_back(loop);
            unrolled *= extent;
        } else if (extent >= kLongLoop || all_brief) {
            result.tiled.push_back(loop);
        }
    }
    result.tiled = as_axes(dag_, id, result.extents, result.tiled);
    for (size_t loop : result.tiled) {
        result.bounds.push_back(tile_bounds(result.extents[loop], result.tiled.size()));
    }
    fit_least(result.bounds, gpu_.max_threads_per_block);
    return result;
}

const std::vector<size_t> &GroupTiles::tiled_loops(StageId stage) const {
    return stages_[stage.index()].tiled;
}

const std::vector<TileBounds> &GroupTiles::bounds(StageId stage) const {
    return stages_[stage.index()].bounds;
}

Tiling GroupTiles::tiling(StageId stage, const GroupTile &tile) const {
    const Loops &loops = stages_[stage.index()];
    Tiling tiling(loops.extents.size());
    for (size_t i = 0; i < loops.tiled.size(); ++i) tiling[loops.tiled[i]] = tile[i];
    for (size_t loop : loops.unrolled) tiling[loop].serial = loops.extents[loop];
    return tiling;
}

bool GroupTiles::is_small_enough(StageId stage, const GroupTile &tile) const {
    const Loops &loops = stages_[stage.index()];
    for (size_t i = 0; i < loops.tiled.size(); ++i) {
        const int64_t extent = loops.extents[loops.tiled[i]];
        if (tile[i].serial > 1 && 2 * tile[i].points() > extent) return false;
    }
    int64_t points = 1;
    for (const LoopTile &loop : tiling(stage, tile)) points *= loop.serial;
    return points <= kMostUnrolled;
}

GroupTile GroupTiles::point(StageId stage) const {
    GroupTile tile;
    for (size_t loop : tiled_loops(stage)) {
        tile.push_back({.atomic = !dag_.stage(stage).loops[loop].parallel});
    }
    return tile;
}

std::vector<GroupTile> GroupTiles::steps(StageId stage, const GroupTile &tile) const {
    std::vector<GroupTile> result;
    for (size_t loop = 0; loop < tile.size(); ++loop) {
        const auto [least, most] = bounds(stage)[loop];
        const auto add = [&, most = most](int64_t serial, int64_t threads) {
            if (serial < 1 || threads < 1 || threads > most) return;
            GroupTile other = tile;
            other[loop].serial = serial;
            other[loop].threads = threads;
            if (is_small_enough(stage, other)) result.push_back(std::move(other));
        };
        const int64_t serial = tile[loop].serial, threads = tile[loop].threads;
        for (int64_t step : kThreadSteps) {
            if (threads + step >= least) add(serial, threads + step);
        }
        add(2 * serial, threads);
        add(2 * serial, threads / 2);
        if (serial > 1) add(serial / 2, threads);
        if (serial > 1) add(serial / 2, 2 * threads);
    }
    return result;
}

std::vector<GroupTile> GroupTiles::all(StageId stage) const {
    std::vector<GroupTile> result{point(stage)};
    for (size_t i = 0; i < bounds(stage).size(); ++i) {
        const std::vector<int64_t> sizes = powers_of_two(bounds(stage)[i]);
        std::vector<GroupTile> longer;
        for (const GroupTile &tile : result) {
            int64_t threads = 1;
            for (size_t j = 0; j < i; ++j) threads *= tile[j].threads;
            for (int64_t size : sizes) {
                const bool least = size == sizes.front();
                if (threads * size > gpu_.max_threads_per_block && !least) continue;
                longer.push_back(tile);
                longer.back()[i].threads = size;
            }
        }
        result = std::move(longer);
    }
    return result;
}

}  // namespace autoschedule_gpu
