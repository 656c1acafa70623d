// Steps through a search space by hand, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "space/space.h"

namespace autoschedule_gpu::example {

inline GpuModel a100() {
    return find_preset("a100").value();
}

inline std::vector<Move> moves_of(const SearchSpace &space, const State &state, size_t step) {
    RuleCounts ignored{};
    return space.moves(state, space.steps()[step], Retile::no, ignored);
}

// The state after the move; every kernel costs nothing.
inline std::optional<State> taken(const SearchSpace &space, const State &state, const Move &move) {
    if (move.kind == Move::Kind::keep) return state;
    auto applied = space.apply(state, move);
    if (!std::holds_alternative<Successor>(applied)) return std::nullopt;
    const Successor &successor = std::get<Successor>(applied);
    const std::vector<double> costs(successor.changes.size(), 0.0);
    return materialise(space.dag(), state, successor, costs);
}

inline std::optional<Rule> rejection(const SearchSpace &space, const State &state,
                                     const Move &move) {
    auto applied = space.apply(state, move);
    if (const Rule *rule = std::get_if<Rule>(&applied)) return *rule;
    return std::nullopt;
}

using Wanted = std::function<bool(const Move &)>;

inline Wanted of_kind(Move::Kind kind) {
    return [kind](const Move &move) { return move.kind == kind; };
}
inline Wanted tiled(Tiling tiling) {
    return [tiling](const Move &move) { return move.tiling && *move.tiling == tiling; };
}
inline Wanted in_block(std::vector<int64_t> serial) {
    return [serial](const Move &move) {
        return move.kind == Move::Kind::compute_in_block && move.serial == serial;
    };
}

inline std::optional<Move> found(const std::vector<Move> &moves, const Wanted &wanted) {
    const auto move = std::find_if(moves.begin(), moves.end(), wanted);
    if (move == moves.end()) return std::nullopt;
    return *move;
}

// From the start, one decision per step.
inline State walk(const SearchSpace &space, const std::vector<Wanted> &decisions) {
    State state = space.initial();
    for (size_t i = 0; i < decisions.size(); ++i) {
        const std::optional<Move> move = found(moves_of(space, state, i), decisions[i]);
        if (!move) {
            ADD_FAILURE() << "no such move at step " << i;
            return state;
        }
        std::optional<State> next = taken(space, state, *move);
        if (!next) {
            ADD_FAILURE() << "the move of step " << i << " is rejected";
            return state;
        }
        state = std::move(*next);
    }
    return state;
}

inline const Wanted kRoot = of_kind(Move::Kind::compute_root);
inline const Wanted kInline = of_kind(Move::Kind::compute_inline);
inline const Wanted kThread = of_kind(Move::Kind::compute_in_thread);
inline const Wanted kBlock = of_kind(Move::Kind::compute_in_block);
inline const Wanted kAny = [](const Move &) { return true; };

}  // namespace autoschedule_gpu::example
