#include "scheduler/strategies/common_launches.h"

#include <utility>

#include "core/support/parallel.h"
#include "scheduler/nest/launch.h"
#include "scheduler/search/kernel_costs.h"
#include "scheduler/search/share_launches.h"

namespace autoschedule_gpu {

void CommonLaunches::set_true_costs(CompleteState &found) const {
    const SearchSpace space(*found.dag, of_.models.gpu, of_.rules, found.freedom);
    PartThreads threads(context_);
    ModelCosts costs(*found.dag, of_.models.gpu, *of_.models.model, threads.pool());
    found.state = with_costs(costs, space.adopt(with_launches_apart(found.state.nest)));
}

CompleteState CommonLaunches::apart(CompleteState complete) const {
    if (shares_launches(complete.state.nest)) set_true_costs(complete);
    return complete;
}

CompleteState CommonLaunches::together_as(const CompleteState &other,
                                          CompleteState complete) const {
    if (!shares_launches(other.state.nest)) return complete;
    const SearchSpace space(*complete.dag, of_.models.gpu, of_.rules, complete.freedom);
    complete.state =
        share_launches(space, *of_.models.model, context_, std::move(complete.state), report_);
    return complete;
}

}  // namespace autoschedule_gpu
