#include "scheduler/search/choose_steps.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/loads_ahead.h"
#include "scheduler/nest/regions.h"
#include "scheduler/nest/step_vectors.h"
#include "scheduler/search/each_kernel.h"
#include "scheduler/search/improve_tilings.h"

namespace autoschedule_gpu {

namespace {

// The kernel with each number of steps that the stage may have, but one.
std::vector<KernelPtr> stepped(const Dag &dag, const KernelPtr &kernel, StageId stage) {
    std::vector<KernelPtr> result;
    const std::vector<int64_t> possible = possible_steps(dag, *kernel, stage);
    for (const int64_t steps : std::span(possible).subspan(1)) {
        result.push_back(step_stage(dag, kernel, stage, steps));
    }
    return result;
}

// Vectors of steps take registers.
State choose_step_vectors(SearchParts &parts, State state, size_t k) {
    const KernelPtr &kernel = state.nest.kernels[k];
    if (!may_have_step_vectors(parts.space.dag(), *kernel)) return state;
    const KernelPtr other = switched(kernel, &Kernel::step_vectors, !kernel->step_vectors);
    return with_cheapest(parts, std::move(state), k, {&other, 1});
}

State choose_for_stage(SearchParts &parts, State state, size_t k, StageId stage) {
    const std::vector<KernelPtr> others = stepped(parts.space.dag(), state.nest.kernels[k], stage);
    return with_cheapest(parts, std::move(state), k, others);
}

// Loads ahead take registers, too, and code for steps that are left over. Where compilers see by
// themselves what may go ahead, there are none.
State choose_loads_ahead(SearchParts &parts, State state, size_t k) {
    const KernelPtr kernel = state.nest.kernels[k];
    if (!kernel->loads_ahead || !may_load_ahead(parts.space.dag(), *kernel)) return state;
    const KernelPtr other = switched(kernel, &Kernel::loads_ahead, false);
    State without = choose_for_stage(parts, with_kernel(parts, state, k, other), k, kernel->stage);
    return without.cost <= state.cost ? without : state;
}

// Steps have guards of their own in tiles that are cut: with tiles that are not they may pay.
State choose_whole_tiles(SearchParts &parts, State state, size_t k) {
    const KernelPtr kernel = state.nest.kernels[k];
    if (!has_cut_tiles(parts.space.dag(), *kernel)) return state;
    if (possible_steps(parts.space.dag(), *kernel, kernel->stage).size() == 1) return state;
    for (State &other : with_whole_tiles(parts, state, k)) {
        other = choose_for_stage(parts, std::move(other), k, kernel->stage);
        if (other.cost < state.cost) state = std::move(other);
    }
    return state;
}

// With each stage of a kernel in other steps, where it may have them. `others`: by how many there
// are.
template <typename Others>
std::vector<State> with_each_stepped(SearchParts &parts, const State &state, size_t k,
                                     const Others &others) {
    if (!parts.options.decides("steps")) return {};
    const Dag &dag = parts.space.dag();
    const KernelPtr &kernel = state.nest.kernels[k];
    std::vector<KernelPtr> kernels;
    for (const Band *threads : thread_bands(*kernel)) {
        for (const Band *inner : innermost_bands(*threads)) {
            const int64_t steps = others(inner->steps);
            const std::vector<int64_t> possible = possible_steps(dag, *kernel, inner->stage);
            if (std::ranges::find(possible, steps) == possible.end()) continue;
            kernels.push_back(step_stage(dag, kernel, inner->stage, steps));
        }
    }
    std::vector<State> result = with_each(parts, state, k, kernels);
    std::ranges::stable_sort(result, {}, &State::cost);
    return result;
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
        state = choose_loads_ahead(bench.parts, std::move(state), k);
        state = choose_whole_tiles(bench.parts, std::move(state), k);
    }
    bench.costs.add_counts(report);
    part.done(state.cost);
    return state;
}

std::vector<State> with_fewer_steps(SearchParts &parts, const State &state, size_t k) {
    return with_each_stepped(parts, state, k, [](int64_t steps) { return steps / 2; });
}

std::vector<State> with_more_steps(SearchParts &parts, const State &state, size_t k) {
    return with_each_stepped(parts, state, k, [](int64_t steps) { return steps * 2; });
}

State with_reductions_as_loops(SearchParts &parts, State state, size_t k) {
    const Dag &dag = parts.space.dag();
    const bool may_loop = parts.options.decides("unroll");
    KernelPtr kernel = state.nest.kernels[k];
    for (const Band *threads : thread_bands(*state.nest.kernels[k])) {
        for (const Band *inner : innermost_bands(*threads)) {
            if (inner->steps > 1) kernel = step_stage(dag, kernel, inner->stage, 1);
            if (may_loop && inner->unroll == Unroll::all && !inner->reads_arrays) {
                kernel = unroll_stage(dag, kernel, inner->stage, Unroll::tile);
            }
        }
    }
    return kernel == state.nest.kernels[k] ? state : with_kernel(parts, state, k, kernel);
}

}  // namespace autoschedule_gpu
