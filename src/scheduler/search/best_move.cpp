#include "scheduler/search/best_move.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>

namespace autoschedule_gpu {

namespace {

struct Scored {
    std::vector<Successor> successors;  // of the moves that no rule rejects, in their order
    std::vector<double> costs;          // of the kernels that they change
};

Scored scored(SearchParts &parts, const State &state, const std::vector<Decision> &moves) {
    std::vector<std::optional<Successor>> made(moves.size());
    parts.pool.for_each(moves.size(), [&](size_t i) {
        auto applied = parts.space.apply(state, moves[i]);
        if (std::holds_alternative<Successor>(applied)) {
            made[i] = std::get<Successor>(std::move(applied));
        }
    });
    Scored result;
    std::vector<KernelPtr> kernels;
    for (std::optional<Successor> &successor : made) {
        if (!successor) continue;
        kernels.push_back(successor->changes.front().kernel);
        result.successors.push_back(*std::move(successor));
    }
    result.costs.resize(kernels.size());
    parts.costs.compute(kernels, result.costs);
    return result;
}

State taken(const SearchParts &parts, const State &state, const Scored &moves, size_t move) {
    return materialise(parts.space.dag(), state, moves.successors[move], {moves.costs[move]});
}

}  // namespace

std::optional<State> cheapest_of(SearchParts &parts, const State &state,
                                 const std::vector<Decision> &moves) {
    if (moves.empty()) return std::nullopt;
    const Scored all = scored(parts, state, moves);
    const auto best = std::ranges::min_element(all.costs);
    if (best == all.costs.end()) return std::nullopt;
    return taken(parts, state, all, static_cast<size_t>(best - all.costs.begin()));
}

std::vector<State> cheapest_first(SearchParts &parts, const State &state,
                                  const std::vector<Decision> &moves, size_t most) {
    const Scored all = scored(parts, state, moves);
    std::vector<size_t> order(all.costs.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [&](size_t move) { return all.costs[move]; });
    std::set<uint64_t> ids{state.id};
    std::vector<State> result;
    for (const size_t move : order) {
        if (result.size() == most) break;
        State next = taken(parts, state, all, move);
        if (ids.insert(next.id).second) result.push_back(std::move(next));
    }
    return result;
}

std::optional<State> best_of(SearchParts &parts, const State &state,
                             const std::vector<Decision> &moves) {
    std::optional<State> cheapest = cheapest_of(parts, state, moves);
    if (cheapest && cheapest->cost >= state.cost) return std::nullopt;
    return cheapest;
}

}  // namespace autoschedule_gpu
