#include "scheduler/space/stored_anew.h"

#include <algorithm>
#include <utility>

namespace autoschedule_gpu {

std::vector<size_t> kernels_that_touch(const Dag &dag, const State &state, FuncId func) {
    std::vector<size_t> kernels = consumer_kernels(dag, state, func);
    for (const StageId stage : dag.func(func).stages) {
        const int32_t home = state.home[stage.index()];
        if (home >= 0) kernels.push_back(static_cast<size_t>(home));
    }
    std::ranges::sort(kernels);
    kernels.erase(std::ranges::unique(kernels).begin(), kernels.end());
    return kernels;
}

std::optional<State> stored_anew(const SearchSpace &space, const Nest &nest, FuncId func) {
    const Dag &dag = space.dag();
    State state = space.adopt(nest);
    state.kernel_costs.resize(state.nest.kernels.size());
    for (const size_t k : kernels_that_touch(dag, state, func)) {
        const KernelPtr kernel = state.nest.kernels[k];
        if (kernel->on_host) continue;
        const FuncId owner = dag.stage(kernel->stage).func;
        const auto applied = space.apply(state, decide_tiling(owner, k, kernel->tiling));
        if (!std::holds_alternative<Successor>(applied)) return std::nullopt;
        state = with_open_costs(dag, std::move(state), std::get<Successor>(applied));
    }
    return state;
}

}  // namespace autoschedule_gpu
