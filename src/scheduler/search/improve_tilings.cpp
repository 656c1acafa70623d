#include "scheduler/search/improve_tilings.h"

#include "scheduler/search/best_move.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

// Descents that go on for longer gain next to nothing.
constexpr int kMostRounds = 6;
// So many tilings are tried all at once.
constexpr size_t kFewTilings = 64;

// One loop is tiled otherwise; or two, with the same points per thread and threads in all.
bool are_neighbours(const Tiling &a, const Tiling &b) {
    int different = 0;
    int64_t serial[] = {1, 1}, threads[] = {1, 1};
    for (size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i]) continue;
        if (++different > 2) return false;
        serial[0] *= a[i].serial;
        serial[1] *= b[i].serial;
        threads[0] *= a[i].threads;
        threads[1] *= b[i].threads;
    }
    if (different == 2) return serial[0] == serial[1] && threads[0] == threads[1];
    return different == 1;
}

Decision retiling(const SearchSpace &space, const State &state, size_t kernel,
                  const Tiling &tiling) {
    const FuncId func = space.dag().stage(state.nest.kernels[kernel]->stage).func;
    return decide_tiling(func, kernel, tiling);
}

// Borders make a block wider than the root stage's tile, and its rows straddle warps. Other tiles
// along one of its axes: of so many points fewer that the block is as wide as the tile was, and,
// along the first, of as many as make it a whole number of warps wide.
// No tile is larger than `extent`, of the loop.
std::vector<LoopTile> fitting(const LoopTile &tile, int64_t extent, int64_t block, size_t axis,
                              int64_t warp_size) {
    const int64_t border = block - tile.points();
    if (border <= 0) return {};
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

// The tilings in which one or several axes have such tiles.
std::vector<Tiling> fitted(const Dag &dag, const Kernel &kernel, int64_t warp_size) {
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

std::vector<Decision> retilings(const SearchSpace &space, const State &state, size_t kernel) {
    const Kernel &now = *state.nest.kernels[kernel];
    std::vector<Decision> moves;
    const std::vector<Tiling> &all = space.tilings(now.stage);
    for (const Tiling &tiling : all) {
        if (tiling == now.tiling) continue;
        if (all.size() > kFewTilings && !are_neighbours(tiling, now.tiling)) continue;
        moves.push_back(retiling(space, state, kernel, tiling));
    }
    for (const Tiling &tiling : space.row_tilings(now.stage)) {
        if (tiling != now.tiling) moves.push_back(retiling(space, state, kernel, tiling));
    }
    return moves;
}

}  // namespace

State improve_tiling(SearchParts &parts, State state, size_t kernel) {
    const PhaseTimer timer(parts.report.times.refine);
    for (int round = 0; round < kMostRounds && !parts.time_is_up(); ++round) {
        const std::vector<Decision> moves = retilings(parts.space, state, kernel);
        std::optional<State> better = best_of(parts, state, moves);
        if (!better) break;
        state = std::move(*better);
    }
    const std::vector<Tiling> tilings =
        fitted(parts.space.dag(), *state.nest.kernels[kernel], parts.space.gpu().warp_size);
    std::vector<Decision> moves;  // which refer to the tilings
    for (const Tiling &tiling : tilings) {
        moves.push_back(retiling(parts.space, state, kernel, tiling));
    }
    if (std::optional<State> better = best_of(parts, state, moves)) state = std::move(*better);
    return state;
}

State improve_tilings(SearchParts &parts, State state) {
    for (size_t kernel = 0; kernel < state.nest.kernels.size(); ++kernel) {
        if (state.nest.kernels[kernel]->on_host) continue;
        state = improve_tiling(parts, std::move(state), kernel);
    }
    return state;
}

}  // namespace autoschedule_gpu
