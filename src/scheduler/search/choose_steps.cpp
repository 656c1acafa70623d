#include "scheduler/search/choose_steps.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "scheduler/nest/edit.h"
#include "scheduler/search/search_parts.h"

namespace autoschedule_gpu {

namespace {

// Code that is longer for less is not worth it.
constexpr double kLeastGain = 0.01;

// The kernel with each number of steps that the stage may have, but one.
std::vector<KernelPtr> stepped(const Dag &dag, const KernelPtr &kernel, StageId stage) {
    std::vector<KernelPtr> result;
    const std::vector<int64_t> possible = possible_steps(dag, *kernel, stage);
    for (const int64_t steps : std::span(possible).subspan(1)) {
        result.push_back(step_stage(dag, kernel, stage, steps));
    }
    return result;
}

State choose_for_stage(SearchParts &parts, State state, size_t k, StageId stage) {
    const Dag &dag = parts.space.dag();
    const std::vector<KernelPtr> kernels = stepped(dag, state.nest.kernels[k], stage);
    if (kernels.empty()) return state;
    std::vector<double> costs(kernels.size());
    parts.costs.compute(kernels, costs);
    const auto least = std::ranges::min_element(costs);
    if (*least > (1 - kLeastGain) * state.kernel_costs[k]) return state;
    const KernelPtr &best = kernels[static_cast<size_t>(least - costs.begin())];
    const Successor successor{dag.stage(best->stage).func, Place::root, {{k, best}}};
    return materialise(dag, std::move(state), successor, {*least});
}

}  // namespace

State choose_steps(const SearchSpace &space, const CostModel &model, SearchContext &context,
                   State state, SearchReport &report) {
    RunningPart part(report, "choose_steps", state.cost);
    Workbench bench(space, model, context, report);
    for (size_t k = 0; k < state.nest.kernels.size() && !bench.parts.time_is_up(); ++k) {
        const KernelPtr kernel = state.nest.kernels[k];
        for (const Band *threads : thread_bands(*kernel)) {
            for (const Band *inner : innermost_bands(*threads)) {
                state = choose_for_stage(bench.parts, std::move(state), k, inner->stage);
            }
        }
    }
    bench.costs.add_counts(report);
    part.done(state.cost);
    return state;
}

}  // namespace autoschedule_gpu
