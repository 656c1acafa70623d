#include "scheduler/search/each_kernel.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace autoschedule_gpu {
namespace {

State replaced(const Dag &dag, State state, size_t k, const KernelPtr &kernel, double cost) {
    const Successor successor{dag.stage(kernel->stage).func, Place::root, {{k, kernel}}};
    return materialise(dag, std::move(state), successor, {cost});
}

}  // namespace

State with_kernel(SearchParts &parts, const State &state, size_t k, const KernelPtr &kernel) {
    return with_each(parts, state, k, {&kernel, 1}).front();
}

std::vector<State> with_each(SearchParts &parts, const State &state, size_t k,
                             std::span<const KernelPtr> others) {
    std::vector<double> costs(others.size());
    parts.costs.compute(others, costs);
    std::vector<State> result;
    for (size_t i = 0; i < others.size(); ++i) {
        result.push_back(replaced(parts.space.dag(), state, k, others[i], costs[i]));
    }
    return result;
}

State with_cheapest(SearchParts &parts, State state, size_t k, std::span<const KernelPtr> others) {
    if (others.empty()) return state;
    std::vector<double> costs(others.size());
    parts.costs.compute(others, costs);
    const auto least = std::ranges::min_element(costs);
    if (*least > (1 - kLeastGain) * state.kernel_costs[k]) return state;
    return replaced(parts.space.dag(), std::move(state), k,
                    others[static_cast<size_t>(least - costs.begin())], *least);
}

State improve_kernels(SearchParts &parts, State state, const ImproveKernel &improve) {
    for (size_t k = 0; k < state.nest.kernels.size() && !parts.time_is_up(); ++k) {
        if (state.kernel_costs[k] < kLeastShare * state.cost) continue;
        state = improve(parts, std::move(state), k);
    }
    return state;
}

State improve_kernels(const char *name, const SearchSpace &space, const CostModel &model,
                      SearchContext &context, State state, SearchReport &report,
                      const ImproveKernel &improve) {
    RunningPart part(report, name, state.cost);
    Workbench bench(space, model, context, report);
    state = improve_kernels(bench.parts, std::move(state), improve);
    bench.costs.add_counts(report);
    part.done(state.cost);
    return state;
}

}  // namespace autoschedule_gpu
