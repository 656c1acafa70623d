#include "scheduler/search/freeze.h"

#include <algorithm>
#include <bit>

namespace autoschedule_gpu {

namespace {

// Funcs of the most expensive kernels, those inlined into them included.
std::vector<bool> free_funcs(const Dag &dag, const State &state, size_t decided) {
    std::vector<double> cost(dag.funcs.size(), 0);
    for (size_t k = 0; k < state.nest.kernels.size(); ++k) {
        cost[dag.stage(state.nest.kernels[k]->stage).func.index()] += state.kernel_costs[k];
    }
    std::vector<size_t> order;
    for (size_t i = 0; i < cost.size(); ++i) {
        if (cost[i] > 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return cost[a] > cost[b]; });
    const size_t logarithm = decided < 2 ? decided : std::bit_width(decided - 1);  // rounded up
    order.resize(std::min(order.size(), logarithm));
    std::vector<bool> free(dag.funcs.size(), false);
    for (size_t i : order) free[i] = true;
    for (const KernelPtr &kernel : state.nest.kernels) {
        if (!free[dag.stage(kernel->stage).func.index()]) continue;
        for (FuncId func : kernel->inlined) free[func.index()] = true;
    }
    return free;
}

}  // namespace

Decided frozen_decisions(const SearchSpace &space, const State &state) {
    Decided decisions(space, state);
    const size_t decided = static_cast<size_t>(decisions.funcs());
    const std::vector<bool> free = free_funcs(space.dag(), state, decided);
    for (size_t i = 0; i < free.size(); ++i) {
        if (free[i]) decisions.release(FuncId(i));
    }
    return decisions;
}

}  // namespace autoschedule_gpu
