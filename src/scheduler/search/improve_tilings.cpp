#include "scheduler/search/improve_tilings.h"

#include "scheduler/search/best_move.h"
#include "scheduler/search/fitted_tilings.h"

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

int64_t points_per_thread(const Tiling &tiling) {
    int64_t points = 1;
    for (const LoopTile &tile : tiling) points *= tile.serial;
    return points;
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
        fitted_tilings(parts.space.dag(), *state.nest.kernels[kernel], parts.space.gpu().warp_size);
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

State with_fewer_points(SearchParts &parts, State state, size_t kernel) {
    const Kernel &now = *state.nest.kernels[kernel];
    std::vector<Decision> moves;
    for (const Tiling &tiling : parts.space.tilings(now.stage)) {
        if (2 * points_per_thread(tiling) > points_per_thread(now.tiling)) continue;
        moves.push_back(retiling(parts.space, state, kernel, tiling));
    }
    return cheapest_of(parts, state, moves).value_or(state);
}

}  // namespace autoschedule_gpu
