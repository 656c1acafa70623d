#include "plugins/autoscheduler/find_schedule.h"

#include <algorithm>
#include <utility>

#include "plugins/autoscheduler/resolve_parameters.h"
#include "plugins/autoscheduler/search_progress.h"
#include "scheduler/strategies/composition.h"

namespace autoschedule_gpu {

namespace {

// Enough for all that is searched for in pipelines of up to a hundred stages, and not more than
// takes most machines ten seconds, if not what reads what is hopelessly entangled. Who grants more
// time than most wants more.
double most_effort(const Dag &dag, double time_limit_s) {
    const double stages = 3e6 + 1e4 * static_cast<double>(dag.stages.size());
    return stages * std::max(1.0, time_limit_s / SearchLimits().time_limit_s);
}

}  // namespace

Result<ChosenSchedule> find_schedule(const ScheduleTask &task) {
    SearchProgress progress;
    SearchOptions options = search_options_of(task.parameters);
    options.progress = [&](double share) { progress(share); };
    SearchContext context(std::move(options), task.clock);
    context.clock.limit_effort(most_effort(*task.dag, task.parameters.time_limit_s));
    RankingModels models(task.gpu, task.model);
    Acceptance acceptance(task.pipeline, task.as_read, task.target, task.gpu, task.spill_check,
                          context.clock);
    Result<CompositionResult> composed =
        compose({.dag = task.dag,
                 .models = models,
                 .model = task.model,
                 .rules = task.rules,
                 .strategies = task.strategies,
                 .strategy = std::string(task.strategy.info().name)},
                context, acceptance);
    if (!composed) return composed.error();
    auto [schedule, report] = std::move(composed).value();
    if (!schedule) {
        return Error{"Halide refuses even a plain schedule of this pipeline: " +
                     acceptance.refused().back().error};
    }
    return ChosenSchedule{.attempt = std::string(to_string(schedule->attempt)),
                          .accepted = acceptance.accepted(schedule->judgement),
                          .complete = std::move(schedule->complete),
                          .refused = acceptance.refused(),
                          .trials = acceptance.trials(),
                          .search = std::move(report),
                          .model = std::move(models.model)};
}

}  // namespace autoschedule_gpu
