#include "scheduler/search/slide_windows.h"

#include <algorithm>

#include "scheduler/nest/sliding.h"
#include "scheduler/search/pass.h"
#include "scheduler/search/reconsider_places.h"

namespace autoschedule_gpu {

namespace {

bool walks(const KernelPtr &kernel) {
    return !kernel->on_host && walked_loop(kernel->tiling);
}

}  // namespace

std::optional<State> slide_windows(const SearchSpace &space, const CostModel &model,
                                   const SearchContext &context, const State &state,
                                   SearchReport &report) {
    const PhaseTimer timer(report.times.stage);
    RunningPart part(report, "slide_windows", state.cost);
    const SearchSpace walking = space.with_walks(state);
    SearchContext own(context.options, context.clock, context.threads);
    Workbench bench(walking, model, own, report);
    State after = join_windows(bench.parts, state);
    bench.costs.add_counts(report);
    part.done(after.cost);
    if (!std::ranges::any_of(after.nest.kernels, walks)) return std::nullopt;
    return after;
}

}  // namespace autoschedule_gpu
