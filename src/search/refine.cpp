#include "search/refine.h"

#include "search/best_move.h"

namespace autoschedule_gpu {

namespace {

// Descents that go on for longer gain next to nothing.
constexpr int kMostRounds = 6;
// So many tilings are tried all at once.
constexpr size_t kFewTilings = 64;

bool are_neighbours(const Tiling &a, const Tiling &b) {
    int different = 0;
    for (size_t i = 0; i < a.size(); ++i) different += a[i] != b[i];
    return different == 1;
}

std::vector<Move> retilings(const SearchSpace &space, const State &state, size_t kernel) {
    const Kernel &now = *state.nest.kernels[kernel];
    std::vector<Move> moves;
    const std::vector<Tiling> &all = space.tilings(now.stage);
    for (const Tiling &tiling : all) {
        if (tiling == now.tiling) continue;
        if (all.size() > kFewTilings && !are_neighbours(tiling, now.tiling)) continue;
        Move &move = moves.emplace_back();
        move.kind = Move::Kind::tile_root;
        move.func = space.dag().stage(now.stage).func;
        move.kernel = kernel;
        move.tiling = &tiling;
    }
    return moves;
}

}  // namespace

State refine_tilings(SearchParts &parts, State state) {
    const PhaseTimer timer(parts.report.times.refine);
    for (size_t kernel = 0; kernel < state.nest.kernels.size(); ++kernel) {
        if (state.nest.kernels[kernel]->on_host) continue;
        for (int round = 0; round < kMostRounds && !parts.time_is_up(); ++round) {
            const std::vector<Move> moves = retilings(parts.space, state, kernel);
            std::optional<State> better = best_of(parts, state, moves);
            if (!better) break;
            state = std::move(*better);
        }
    }
    return state;
}

}  // namespace autoschedule_gpu
