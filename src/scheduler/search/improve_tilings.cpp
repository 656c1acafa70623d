#include "scheduler/search/improve_tilings.h"

#include "scheduler/search/best_move.h"

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

// Borders make a block wider than the root stage's threads, and its rows straddle warps. So many
// threads fewer, along one axis or several, and the block is as wide as the root stage was.
std::vector<Tiling> narrowed(const Kernel &kernel) {
    const Band &root = *root_threads(kernel);
    const ThreadExtents own = thread_extents(root), block = block_size(kernel);
    const int64_t fewer[] = {block.x - own.x, block.y - own.y, block.z - own.z};
    std::vector<Tiling> result{kernel.tiling};
    for (size_t a = 0; a < root.axes.size(); ++a) {
        const size_t loop = static_cast<size_t>(root.axes[a]);
        if (fewer[a] == 0 || kernel.tiling[loop].threads <= fewer[a]) continue;
        for (size_t i = 0, count = result.size(); i < count; ++i) {
            Tiling tiling = result[i];
            tiling[loop].threads -= fewer[a];
            result.push_back(std::move(tiling));
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
    const std::vector<Tiling> tilings = narrowed(*state.nest.kernels[kernel]);
    std::vector<Decision> moves;
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
