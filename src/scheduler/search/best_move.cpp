#include "scheduler/search/best_move.h"

#include <algorithm>

namespace autoschedule_gpu {

std::optional<State> cheapest_of(SearchParts &parts, const State &state,
                                 const std::vector<Decision> &moves) {
    if (moves.empty()) return std::nullopt;
    std::vector<std::optional<Successor>> made(moves.size());
    parts.pool.for_each(moves.size(), [&](size_t i) {
        auto applied = parts.space.apply(state, moves[i]);
        if (std::holds_alternative<Successor>(applied)) {
            made[i] = std::get<Successor>(std::move(applied));
        }
    });
    std::vector<const Successor *> successors;
    std::vector<KernelPtr> kernels;
    for (const std::optional<Successor> &successor : made) {
        if (!successor) continue;
        successors.push_back(&*successor);
        kernels.push_back(successor->changes.front().kernel);
    }
    std::vector<double> costs(kernels.size());
    parts.costs.compute(kernels, costs);
    const auto best = std::min_element(costs.begin(), costs.end());
    if (best == costs.end()) return std::nullopt;
    return materialise(parts.space.dag(), state,
                       *successors[static_cast<size_t>(best - costs.begin())], {*best});
}

std::optional<State> best_of(SearchParts &parts, const State &state,
                             const std::vector<Decision> &moves) {
    std::optional<State> cheapest = cheapest_of(parts, state, moves);
    if (cheapest && cheapest->cost >= state.cost) return std::nullopt;
    return cheapest;
}

}  // namespace autoschedule_gpu
