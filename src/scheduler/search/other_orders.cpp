#include "scheduler/search/other_orders.h"

#include <algorithm>
#include <utility>

#include "core/dag/storage_order.h"
#include "scheduler/search/each_kernel.h"
#include "scheduler/search/kernel_costs.h"

namespace autoschedule_gpu {
OtherOrders::OtherOrders(const SearchSpace &space, const CostModel &model, SearchContext &context,
                         SearchReport &report, const State &state, Place place, size_t most_trials)
    : space_(space),
      model_(model),
      context_(context),
      report_(report),
      best_{std::make_shared<const Dag>(space.dag()), state},
      place_(place),
      most_trials_(most_trials) {}

std::optional<ReorderedStorage> OtherOrders::run(const char *name) {
    const double before = best_.state.cost;
    RunningPart part(report_, name, before);
    try_all();
    part.done(best_.state.cost);
    if (best_.state.cost == before) return std::nullopt;
    return std::move(best_);
}

void OtherOrders::try_all() {
    size_t trials = 0;
    for (const Candidate &candidate : candidates()) {
        if (trials == most_trials_ || context_.clock.is_up()) break;
        ++trials;
        // Another of its orders may have been taken.
        if (best_.state.nest.place(candidate.func) != place_) continue;
        std::optional<ReorderedStorage> other = tried(candidate);
        if (other && other->state.cost < (1 - kLeastGain) * best_.state.cost) {
            best_ = *std::move(other);
        }
    }
}

std::vector<OtherOrders::Candidate> OtherOrders::candidates() const {
    std::vector<Candidate> result;
    PartThreads threads(context_);
    const Dag &dag = space_.dag();
    for (size_t f = 0; f < dag.funcs.size() && !context_.clock.is_up(); ++f) {
        const FuncId func(f);
        if (best_.state.nest.place(func) == place_ && may_reorder_storage(dag, func)) {
            add_candidates(func, threads.pool(), result);
        }
    }
    std::ranges::stable_sort(result, [](const Candidate &a, const Candidate &b) { return a < b; });
    return result;
}

std::shared_ptr<const Dag> OtherOrders::dag_of(const Candidate &candidate) const {
    return std::make_shared<const Dag>(
        with_innermost(*best_.dag, candidate.func, candidate.innermost));
}

double OtherOrders::cost_over(const Dag &dag, std::span<const KernelPtr> kernels,
                              ThreadPool &pool) const {
    ModelCosts costs(dag, space_.gpu(), model_, pool);
    return total_cost(costs, kernels);
}

}  // namespace autoschedule_gpu
