#include "space/tile_bounds.h"

#include <algorithm>
#include <bit>

#include "nest/edit.h"
#include "space/tilings.h"

namespace autoschedule_gpu {

namespace {

// Of thread x, y and z.
constexpr size_t kMostTiled = 3;

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

}  // namespace

TileBounds tile_bounds(int64_t extent, size_t tiled) {
    TileBounds bounds;
    bounds.most = extent < 1024 ? extent / 2 : extent / (tiled == 1 ? 128 : 32);
    bounds.most = std::max<int64_t>(1, bounds.most);
    bounds.least = std::min<int64_t>(bounds.most, extent >= kLongLoop ? 8 : 2);
    return bounds;
}

std::vector<size_t> tiled_loops(const Dag &dag, StageId id) {
    const Stage &stage = dag.stage(id);
    const std::vector<int64_t> extents = loop_extents(dag, id);
    std::vector<int64_t> trips;
    size_t longest = stage.loops.size();
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const int64_t extent = stage.loops[i].parallel ? extents[i] : int64_t{1};
        if (extent > 1 && (longest == stage.loops.size() || extent > trips[longest])) longest = i;
        trips.push_back(extent);
    }
    std::vector<int64_t> long_trips = trips;
    for (int64_t &trip : long_trips) {
        if (trip < kLongLoop) trip = 1;
    }
    std::vector<size_t> result;
    for (int axis : choose_axes(dag, id, long_trips)) result.push_back(static_cast<size_t>(axis));
    if (result.size() > kMostTiled) result.resize(kMostTiled);
    if (result.empty() && longest < stage.loops.size()) result.push_back(longest);
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
    const Stage &stage = dag.stage(id);
    const std::vector<size_t> tiled = tiled_loops(dag, id);
    const std::vector<int64_t> extents = loop_extents(dag, id);
    Tiling tiling(stage.loops.size());
    for (size_t i = 0; i < tiled.size(); ++i) tiling[tiled[i]].threads = tile[i];
    int64_t unrolled = 1;
    for (size_t i = 0; i < tiling.size(); ++i) {
        if (!stage.loops[i].parallel) continue;
        if (std::find(tiled.begin(), tiled.end(), i) != tiled.end()) continue;
        if (extents[i] >= kLongLoop || unrolled * extents[i] > kMaxSerialPoints) continue;
        tiling[i].serial = extents[i];
        unrolled *= extents[i];
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
