// Steps through a search space by hand, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/space/space.h"
#include "unit/scheduler/rules/by_name.h"

namespace autoschedule_gpu::example {

inline GpuModel a100() {
    return find_preset("a100").value();
}

inline const GpuModel kGpu = a100();

inline std::vector<Decision> moves_of(const SearchSpace &space, const State &state, size_t step) {
    RuleCounts ignored{};
    return space.decisions(state, space.steps()[step], Retile::no, ignored);
}

// The state after the move; every kernel costs nothing.
inline std::optional<State> taken(const SearchSpace &space, const State &state,
                                  const Decision &decision) {
    if (is_nothing(decision)) return state;
    auto applied = space.apply(state, decision);
    if (!std::holds_alternative<Successor>(applied)) return std::nullopt;
    const Successor &successor = std::get<Successor>(applied);
    const std::vector<double> costs(successor.changes.size(), 0.0);
    return materialise(space.dag(), state, successor, costs);
}

// The name of the rule that rejects the move.
inline std::optional<std::string> rejection(const SearchSpace &space, const State &state,
                                            const Decision &decision) {
    auto applied = space.apply(state, decision);
    const Rejection *no = std::get_if<Rejection>(&applied);
    if (no == nullptr) return std::nullopt;
    return space.rules()[no->rule].name;
}

using Wanted = std::function<bool(const Decision &)>;

inline Wanted of_place(Place place) {
    return [place](const Decision &decision) { return decision.place == place; };
}
inline Wanted tiled(Tiling tiling) {
    return [tiling](const Decision &decision) {
        return decision.tiling && *decision.tiling == tiling;
    };
}
inline Wanted in_block(std::vector<int64_t> serial) {
    return [serial](const Decision &decision) {
        return is_in_block(decision.place) && decision.serial == serial;
    };
}

inline std::optional<Decision> found(const std::vector<Decision> &moves, const Wanted &wanted) {
    const auto decision = std::find_if(moves.begin(), moves.end(), wanted);
    if (decision == moves.end()) return std::nullopt;
    return *decision;
}

// From the start, one decision per step.
inline State walk(const SearchSpace &space, const std::vector<Wanted> &decisions) {
    State state = space.initial();
    for (size_t i = 0; i < decisions.size(); ++i) {
        const std::optional<Decision> decision = found(moves_of(space, state, i), decisions[i]);
        if (!decision) {
            ADD_FAILURE() << "no such move at step " << i;
            return state;
        }
        std::optional<State> next = taken(space, state, *decision);
        if (!next) {
            ADD_FAILURE() << "the move of step " << i << " is rejected";
            return state;
        }
        state = std::move(*next);
    }
    return state;
}

inline const Wanted kRoot = of_place(Place::root);
inline const Wanted kInline = of_place(Place::inlined);
inline const Wanted kThread = of_place(Place::threads);
inline const Wanted kBlock = of_place(Place::block);
inline const Wanted kAny = [](const Decision &) { return true; };

}  // namespace autoschedule_gpu::example
