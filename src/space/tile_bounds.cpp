#include "space/tile_bounds.h"

#include <algorithm>
#include <bit>

#include "nest/edit.h"
#include "space/tilings.h"

namespace autoschedule_gpu {

namespace {

// Of thread x, y and z.
constexpr size_t kMostTiled = 3;
// Points of the brief loops that a thread has all of: Halide's own passes take as long as their
// code is large.
constexpr int64_t kMostUnrolled = 16;

std::vector<int64_t> powers_of_two(const TileBounds &bounds) {
    std::vector<int64_t> result;
    for (int64_t size = 1; size <= bounds.most; size *= 2) {
        if (size >= bounds.least) result.push_back(size);
    }
    if (result.empty()) result.push_back(bounds.most);
    return result;
}

// What becomes of a loop of a stage at the head of a group.
enum class LoopUse : uint8_t { left, tiled, unrolled };

// The parallel loops of several iterations, the shortest first.
std::vector<size_t> by_extent(const Stage &stage, const std::vector<int64_t> &extents) {
    std::vector<size_t> loops;
    for (size_t i = 0; i < extents.size(); ++i) {
        if (stage.loops[i].parallel && extents[i] > 1) loops.push_back(i);
    }
    std::ranges::stable_sort(loops, {}, [&](size_t loop) { return extents[loop]; });
    return loops;
}

std::vector<LoopUse> loop_uses(const Dag &dag, StageId id) {
    const Stage &stage = dag.stage(id);
    const std::vector<int64_t> extents = loop_extents(dag, id);
    std::vector<LoopUse> uses(extents.size(), LoopUse::left);
    if (stage.predicate_reads) return uses;  // its loops must stay whole
    const std::vector<size_t> loops = by_extent(stage, extents);
    const bool all_brief = loops.empty() || extents[loops.back()] < kLongLoop;
    int64_t unrolled = 1;
    for (size_t loop : loops) {
        const bool is_long = extents[loop] >= kLongLoop;
        const bool at_least_one = all_brief && loop == loops.back();
        if (is_long || at_least_one) {
            uses[loop] = LoopUse::tiled;
        } else if (unrolled * extents[loop] <= kMostUnrolled) {
            uses[loop] = LoopUse::unrolled;
            unrolled *= extents[loop];
        } else if (all_brief) {
            uses[loop] = LoopUse::tiled;
        }
    }
    return uses;
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

}  // namespace

TileBounds tile_bounds(int64_t extent, size_t tiled) {
    TileBounds bounds;
    bounds.most = extent < 1024 ? extent / 2 : extent / (tiled == 1 ? 128 : 32);
    bounds.most = std::max<int64_t>(1, bounds.most);
    bounds.least = std::min<int64_t>(bounds.most, extent >= kLongLoop ? 8 : 2);
    return bounds;
}

std::vector<size_t> tiled_loops(const Dag &dag, StageId id) {
    const std::vector<LoopUse> uses = loop_uses(dag, id);
    std::vector<int64_t> trips = loop_extents(dag, id);
    for (size_t i = 0; i < trips.size(); ++i) {
        if (uses[i] != LoopUse::tiled) trips[i] = 1;
    }
    std::vector<size_t> result;
    for (int axis : choose_axes(dag, id, trips)) result.push_back(static_cast<size_t>(axis));
    if (result.size() > kMostTiled) result.resize(kMostTiled);
    return result;
}

std::vector<TileBounds> bounds_of_tiled_loops(const Dag &dag, const GpuModel &gpu, StageId id) {
    const std::vector<int64_t> extents = loop_extents(dag, id);
    const std::vector<size_t> tiled = tiled_loops(dag, id);
    std::vector<TileBounds> result;
    for (size_t loop : tiled) {
        result.push_back(tile_bounds(extents[loop], tiled.size()));
    }
    fit_least(result, gpu.max_threads_per_block);
    return result;
}

Tiling group_tiling(const Dag &dag, StageId id, const std::vector<int64_t> &tile) {
    const std::vector<size_t> tiled = tiled_loops(dag, id);
    const std::vector<LoopUse> uses = loop_uses(dag, id);
    const std::vector<int64_t> extents = loop_extents(dag, id);
    Tiling tiling(extents.size());
    for (size_t i = 0; i < tiled.size(); ++i) tiling[tiled[i]].threads = tile[i];
    for (size_t i = 0; i < tiling.size(); ++i) {
        if (uses[i] == LoopUse::unrolled) tiling[i].serial = extents[i];
    }
    return tiling;
}

std::vector<std::vector<int64_t>> group_tiles(const Dag &dag, const GpuModel &gpu, StageId id) {
    std::vector<std::vector<int64_t>> result{{}};
    for (const TileBounds &bounds : bounds_of_tiled_loops(dag, gpu, id)) {
        const std::vector<int64_t> sizes = powers_of_two(bounds);
        std::vector<std::vector<int64_t>> longer;
        for (const std::vector<int64_t> &tile : result) {
            int64_t threads = 1;
            for (int64_t size : tile) threads *= size;
            for (int64_t size : sizes) {
                const bool least = size == sizes.front();
                if (threads * size > gpu.max_threads_per_block && !least) continue;
                longer.push_back(tile);
                longer.back().push_back(size);
            }
        }
        result = std::move(longer);
    }
    return result;
}

}  // namespace autoschedule_gpu
