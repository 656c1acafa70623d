#include "scheduler/search/improve_members.h"

#include <optional>
#include <utility>
#include <vector>

#include "scheduler/search/best_move.h"
#include "scheduler/search/each_kernel.h"
#include "scheduler/search/improve_tilings.h"

namespace autoschedule_gpu {
namespace {

// To look at all tilings takes long: what takes less of the whole is left alone.
constexpr double kLeastShareOfTilings = 0.1;

// Other tiles of members hardly ever make up for a tiling that makes its kernel so much dearer.
constexpr double kMostDearerTiling = 0.5;

// Descends over tiles of members, one at a time.
State with_better_members(SearchParts &parts, State state, size_t k) {
    RuleCounts rejected{};  // of no step of the search, which counts what its steps reject
    for (int round = 0; round < kMostRounds && !parts.time_is_up(); ++round) {
        std::optional<State> better =
            best_of(parts, state, parts.space.other_tiles(state, k, rejected));
        if (!better) break;
        state = *std::move(better);
    }
    return state;
}

// The best of the kernel's tilings, each with the tiles of members that suit it.
State with_better_tiles(SearchParts &parts, const State &state, size_t k) {
    State best = with_better_members(parts, state, k);
    for (State &other : with_other_tiles(parts, state, k)) {
        const bool is_hopeless =
            other.cost > state.cost + kMostDearerTiling * state.kernel_costs[k];
        if (is_hopeless || parts.time_is_up()) break;  // the cheapest come first
        other = with_better_members(parts, std::move(other), k);
        if (other.cost < best.cost) best = std::move(other);
    }
    return best;
}

State improve(SearchParts &parts, State state, size_t k) {
    const Kernel &kernel = *state.nest.kernels[k];
    const bool is_worth_it = state.kernel_costs[k] >= kLeastShareOfTilings * state.cost;
    if (!is_worth_it || kernel.on_host || kernel.blocks->body.size() == 1) return state;
    for (int round = 0; round < kMostRounds && !parts.time_is_up(); ++round) {
        State better = with_better_tiles(parts, state, k);
        if (better.cost > state.cost - kLeastGain * state.kernel_costs[k]) break;
        state = improve_tiling(parts, std::move(better), k);
    }
    return state;
}

}  // namespace

State improve_members(SearchParts &parts, State state) {
    return improve_kernels(parts, std::move(state), improve);
}

}  // namespace autoschedule_gpu
