#include "scheduler/search/order_threads.h"

#include <utility>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/thread_order.h"
#include "scheduler/search/improve_tilings.h"
#include "scheduler/search/search_parts.h"

namespace autoschedule_gpu {

namespace {

// Kernels that take less of the whole than this are left alone.
constexpr double kLeastShare = 0.005;
// What gains less than this is not worth to be different.
constexpr double kLeastGain = 0.01;

State exchanged(SearchParts &parts, const State &state, size_t k) {
    const KernelPtr other = switched(state.nest.kernels[k], &Kernel::along_stores, false);
    double cost = 0;
    parts.costs.compute({&other, 1}, {&cost, 1});
    const FuncId root = parts.space.dag().stage(other->stage).func;
    State now = materialise(parts.space.dag(), state, {root, Place::root, {{k, other}}}, {cost});
    return improve_tiling(parts, std::move(now), k);
}

}  // namespace

State order_threads(const SearchSpace &space, const CostModel &model, SearchContext &context,
                    State state, SearchReport &report) {
    RunningPart part(report, "order_threads", state.cost);
    Workbench bench(space, model, context, report);
    for (size_t k = 0; k < state.nest.kernels.size() && !bench.parts.time_is_up(); ++k) {
        if (state.kernel_costs[k] < kLeastShare * state.cost) continue;
        if (!may_exchange_threads(space.dag(), *state.nest.kernels[k])) continue;
        State other = exchanged(bench.parts, state, k);
        const double least = kLeastGain * state.kernel_costs[k];
        if (other.cost < state.cost - least) state = std::move(other);
    }
    bench.costs.add_counts(report);
    part.done(state.cost);
    return state;
}

}  // namespace autoschedule_gpu
