#include "scheduler/search/pad_rows.h"

#include <utility>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/padding.h"
#include "scheduler/search/search_parts.h"

namespace autoschedule_gpu {

namespace {

// Kernels that take less of the whole than this are left alone.
constexpr double kLeastShare = 0.005;
// Memory for less than this is not worth it.
constexpr double kLeastGain = 0.01;

State pad(SearchParts &parts, State state, size_t k, StageId stage) {
    const SearchSpace &space = parts.space;
    const KernelPtr &kernel = state.nest.kernels[k];
    const std::optional<int64_t> row = padded_row(space.dag(), *kernel, stage);
    if (!row) return state;
    const KernelPtr padded = store_rows(kernel, stage, *row);
    if (space.rejection(*padded)) return state;
    double cost = 0;
    parts.costs.compute({&padded, 1}, {&cost, 1});
    if (cost > (1 - kLeastGain) * state.kernel_costs[k]) return state;
    const FuncId root = space.dag().stage(kernel->stage).func;
    return materialise(space.dag(), std::move(state), {root, Place::root, {{k, padded}}}, {cost});
}

}  // namespace

State pad_rows(const SearchSpace &space, const CostModel &model, SearchContext &context,
               State state, SearchReport &report) {
    RunningPart part(report, "pad_rows", state.cost);
    Workbench bench(space, model, context, report);
    for (size_t k = 0; k < state.nest.kernels.size() && !bench.parts.time_is_up(); ++k) {
        if (state.kernel_costs[k] < kLeastShare * state.cost) continue;
        const KernelPtr kernel = state.nest.kernels[k];
        for (const Band *threads : thread_bands(*kernel)) {
            state = pad(bench.parts, std::move(state), k, threads->stage);
        }
    }
    bench.costs.add_counts(report);
    part.done(state.cost);
    return state;
}

}  // namespace autoschedule_gpu
