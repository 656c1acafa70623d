#include "scheduler/search/fitted_tilings.h"

#include <algorithm>

#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

// Borders make a block wider than the root stage's tile, and its rows straddle warps. Other tiles
// along one of its axes: of so many points fewer that the block is as wide as the tile was, and,
// along the first, of as many as make it a whole number of warps wide. None has more points than
// the loop has iterations, `extent`. Threads that go on along rows keep theirs.
std::vector<LoopTile> fitting(const LoopTile &tile, int64_t extent, int64_t block, size_t axis,
                              int64_t warp_size) {
    const int64_t border = block - tile.points();
    if (border <= 0 || tile.rest != Rest::blocks) return {};
    std::vector<int64_t> points{tile.points() - border};
    for (int64_t warps : {block / warp_size, block / warp_size + 1}) {
        if (axis == 0) points.push_back(warps * warp_size - border);
    }
    std::vector<LoopTile> result;
    for (int64_t many : points) {
        for (int64_t serial = 1; serial <= tile.serial; ++serial) {
            if (many <= border || many % serial != 0) continue;
            LoopTile other = tile;
            other.serial = serial;
            other.threads = many / serial;
            if (!has_tile(extent, other)) continue;
            if (std::ranges::find(result, other) == result.end()) result.push_back(other);
        }
    }
    return result;
}

}  // namespace

std::vector<Tiling> fitted_tilings(const Dag &dag, const Kernel &kernel, int64_t warp_size) {
    const Band &root = *root_threads(kernel);
    const ThreadExtents block = block_size(kernel);
    const int64_t widths[] = {block.x, block.y, block.z};
    const std::vector<int64_t> extents = loop_extents(dag, kernel.stage);
    std::vector<Tiling> result{kernel.tiling};
    for (size_t a = 0; a < root.axes.size(); ++a) {
        const size_t loop = static_cast<size_t>(root.axes[a]);
        const std::vector<LoopTile> tiles =
            fitting(kernel.tiling[loop], extents[loop], widths[a], a, warp_size);
        for (size_t i = 0, count = result.size(); i < count; ++i) {
            for (const LoopTile &tile : tiles) {
                Tiling tiling = result[i];
                tiling[loop] = tile;
                result.push_back(std::move(tiling));
            }
        }
    }
    result.erase(result.begin());
    return result;
}

}  // namespace autoschedule_gpu
