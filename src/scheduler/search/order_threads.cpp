#include "scheduler/search/order_threads.h"

#include <utility>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/thread_order.h"
#include "scheduler/search/each_kernel.h"
#include "scheduler/search/improve_tilings.h"

namespace autoschedule_gpu {
namespace {

State order(SearchParts &parts, State state, size_t k) {
    const KernelPtr &kernel = state.nest.kernels[k];
    if (!may_exchange_threads(*kernel)) return state;
    const KernelPtr across = switched(kernel, &Kernel::along_stores, false);
    const double most = state.cost - kLeastGain * state.kernel_costs[k];
    State other = improve_tiling(parts, with_kernel(parts, state, k, across), k);
    // What is the grid's y now may have more blocks than a device allows along it.
    if (other.cost >= most || parts.space.rejection(*other.nest.kernels[k])) return state;
    return other;
}

}  // namespace

State order_threads(const SearchSpace &space, const CostModel &model, SearchContext &context,
                    State state, SearchReport &report) {
    return improve_kernels("order_threads", space, model, context, std::move(state), report, order);
}

}  // namespace autoschedule_gpu
