#include "scheduler/search/choose_steps.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/step_vectors.h"
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

State replaced(const Dag &dag, State state, size_t k, const KernelPtr &kernel, double cost) {
    const Successor successor{dag.stage(kernel->stage).func, Place::root, {{k, kernel}}};
    return materialise(dag, std::move(state), successor, {cost});
}

// The cheapest of other kernels in the place of one, if it is worth it.
State choose(SearchParts &parts, State state, size_t k, std::span<const KernelPtr> kernels) {
    std::vector<double> costs(kernels.size());
    parts.costs.compute(kernels, costs);
    const auto least = std::ranges::min_element(costs);
    if (*least > (1 - kLeastGain) * state.kernel_costs[k]) return state;
    return replaced(parts.space.dag(), std::move(state), k,
                    kernels[static_cast<size_t>(least - costs.begin())], *least);
}

// Vectors of steps take registers.
State choose_step_vectors(SearchParts &parts, State state, size_t k) {
    const KernelPtr &kernel = state.nest.kernels[k];
    if (!may_have_step_vectors(parts.space.dag(), *kernel)) return state;
    const KernelPtr other = switched(kernel, &Kernel::step_vectors, !kernel->step_vectors);
    return choose(parts, std::move(state), k, {&other, 1});
}

State choose_for_stage(SearchParts &parts, State state, size_t k, StageId stage) {
    const Dag &dag = parts.space.dag();
    const std::vector<KernelPtr> kernels = stepped(dag, state.nest.kernels[k], stage);
    return kernels.empty() ? state : choose(parts, std::move(state), k, kernels);
}

}  // namespace

State choose_steps(const SearchSpace &space, const CostModel &model, SearchContext &context,
                   State state, SearchReport &report) {
    RunningPart part(report, "choose_steps", state.cost);
    Workbench bench(space, model, context, report);
    for (size_t k = 0; k < state.nest.kernels.size() && !bench.parts.time_is_up(); ++k) {
        state = choose_step_vectors(bench.parts, std::move(state), k);
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

std::vector<State> with_fewer_steps(SearchParts &parts, const State &state, size_t k) {
    const Dag &dag = parts.space.dag();
    const KernelPtr &kernel = state.nest.kernels[k];
    std::vector<KernelPtr> others;
    for (const Band *threads : thread_bands(*kernel)) {
        for (const Band *inner : innermost_bands(*threads)) {
            if (inner->steps == 1) continue;
            others.push_back(step_stage(dag, kernel, inner->stage, inner->steps / 2));
        }
    }
    std::vector<double> costs(others.size());
    parts.costs.compute(others, costs);
    std::vector<State> result;
    for (size_t i = 0; i < others.size(); ++i) {
        result.push_back(replaced(dag, state, k, others[i], costs[i]));
    }
    std::ranges::stable_sort(result, {}, &State::cost);
    return result;
}

State without_steps(SearchParts &parts, State state, size_t k) {
    const Dag &dag = parts.space.dag();
    KernelPtr kernel = state.nest.kernels[k];
    for (const Band *threads : thread_bands(*state.nest.kernels[k])) {
        for (const Band *inner : innermost_bands(*threads)) {
            if (inner->steps > 1) kernel = step_stage(dag, kernel, inner->stage, 1);
        }
    }
    if (kernel == state.nest.kernels[k]) return state;
    double cost = 0;
    parts.costs.compute({&kernel, 1}, {&cost, 1});
    return replaced(dag, std::move(state), k, kernel, cost);
}

}  // namespace autoschedule_gpu
