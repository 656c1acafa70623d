#include "plugins/autoscheduler/alternatives.h"

#include <cmath>
#include <utility>

#include "core/support/parallel.h"
#include "core/support/stopwatch.h"
#include "plugins/autoscheduler/chosen_kernels.h"
#include "scheduler/decisions/decisions_of_state.h"
#include "scheduler/decisions/follow.h"
#include "scheduler/decisions/follower.h"
#include "scheduler/decisions/single_changes.h"

namespace autoschedule_gpu {

namespace {

Result<double> cost_of(const ScheduleTask &task, const ChosenSchedule &chosen, const Dag &dag,
                       const Nest &nest) {
    const std::vector<FeatureTable> tables = features_of(dag, task.gpu, nest);
    std::vector<double> costs_ns(tables.size());
    chosen.model->estimate(tables, costs_ns);
    double sum = 0;
    for (const double cost : costs_ns) sum += cost;
    if (!std::isfinite(sum)) return Error{"the cost model has no cost for it"};
    return sum;
}

// Another order in memory makes another Dag.
Result<double> cost_of(const ScheduleTask &task, const ChosenSchedule &chosen,
                       const Follower &follower, const SingleChange &change) {
    const DecisionList list = changed(follower.list(), change);
    if (list.decisions[change.decision].kind == decision_kind::storage) {
        const Result<Followed> followed =
            follow(list, *chosen.variant.dag, task.gpu, task.rules, task.kinds);
        if (!followed) return followed.error();
        return cost_of(task, chosen, *followed->dag, followed->state.nest);
    }
    const Result<State> state = follower.follow(list);
    if (!state) return state.error();
    return cost_of(task, chosen, *follower.dag(), state->nest);
}

}  // namespace

Result<DecisionList> chosen_decisions(const ScheduleTask &task, const ChosenSchedule &chosen) {
    if (!chosen.complete) {
        return Error{task.parameters.sizes.empty()
                         ? "the schedule was given as a trace."
                         : "the schedule is for several sizes, and at the pipeline's own estimates "
                           "it computes less than a tile somewhere."};
    }
    const auto &[dag, state, freedom] = *chosen.complete;
    return decisions_of_state(*dag, state, task.gpu, task.rules, freedom, task.as_read.hash(),
                              task.kinds);
}

Result<Alternatives> price_alternatives(const ScheduleTask &task, const ChosenSchedule &chosen) {
    const Stopwatch watch;
    const Result<DecisionList> list = chosen_decisions(task, chosen);
    if (!list) return list.error();
    const auto follower =
        Follower::create(*list, *chosen.variant.dag, task.gpu, task.rules, task.kinds);
    if (!follower) return follower.error();
    const Result<double> as_it_is =
        cost_of(task, chosen, *(*follower)->dag(), (*follower)->end().nest);
    if (!as_it_is) return as_it_is.error();
    const std::vector<SingleChange> changes = single_changes(*list);
    std::vector<PricedChoice> priced(changes.size());
    ThreadPool pool(static_cast<int>(task.parameters.threads));
    pool.for_each(changes.size(), [&](size_t i) {
        const Result<double> cost = cost_of(task, chosen, **follower, changes[i]);
        priced[i].value = changes[i].value;
        if (cost) {
            priced[i].cost_ns = *cost;
        } else {
            priced[i].refused = cost.error().message;
        }
    });
    Alternatives result{.cost_ns = *as_it_is};
    for (size_t i = 0; i < changes.size(); ++i) {
        const size_t number = changes[i].decision;
        if (i == 0 || changes[i - 1].decision != number) {
            const Coordinate &decision = list->decisions[number];
            result.decisions.push_back({decision.name, decision.kind, decision.value, {}});
        }
        result.decisions.back().others.push_back(std::move(priced[i]));
    }
    result.seconds = watch.seconds();
    return result;
}

}  // namespace autoschedule_gpu
