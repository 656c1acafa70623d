#include "plugins/autoscheduler/find_schedule.h"

#include <utility>

#include "plugins/autoscheduler/choose_factors.h"
#include "plugins/autoscheduler/refusal_warning.h"
#include "plugins/autoscheduler/resolve_parameters.h"
#include "plugins/autoscheduler/search_progress.h"
#include "scheduler/strategies/composition.h"

namespace autoschedule_gpu {

namespace {

Result<ChosenSchedule> find_schedule_of(const ScheduleTask &task, PipelineVariant variant) {
    SearchProgress progress(task.parameters.verbose > 0);
    SearchOptions options = search_options_of(task.parameters);
    options.progress = [&](double share) { progress(share); };
    SearchContext context(std::move(options), task.clock);
    context.clock.limit_effort(most_effort(*variant.dag, task.parameters));
    RankingModels models(task.gpu, task.model);
    Acceptance acceptance(task.pipeline, task.as_read, variant.factors, task.target, task.gpu,
                          task.spill_check, context.clock, task.variants.sizes);
    Result<CompositionResult> composed =
        compose({.dag = variant.dag,
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
                          .variant = std::move(variant),
                          .accepted = acceptance.accepted(schedule->judgement),
                          .complete = std::move(schedule->complete),
                          .refused = acceptance.refused(),
                          .trials = acceptance.trials(),
                          .search = std::move(report),
                          .model = std::move(models.model)};
}

}  // namespace

Result<ChosenSchedule> find_schedule(const ScheduleTask &task) {
    auto [factors, comparisons_end] = choose_factors(task);
    Result<PipelineVariant> variant = task.variants.make(factors.choices);
    if (!variant) return variant.error();
    const bool is_whole = variant->factors.empty();
    Result<ChosenSchedule> found = find_schedule_of(task, std::move(variant).value());
    // Where Halide refuses what was searched for, that may be for what was taken apart.
    std::vector<RefusedAttempt> refused;
    const bool falls_back = !is_whole && (!found || found->attempt != to_string(Attempt::search));
    if (falls_back) {
        if (found) refused = found->refused;
        found = find_schedule_of(task, task.variants.plain());
    }
    if (!found) return found;
    ChosenSchedule chosen = std::move(found).value();
    chosen.tried_factorings = std::move(factors.tried);
    chosen.refused.insert(chosen.refused.begin(), refused.begin(), refused.end());
    if (chosen.search && comparisons_end.kind == StopReason::Kind::time_limit) {
        chosen.search->stop_reason = comparisons_end;
    }
    const Instead instead = falls_back ? Instead::whole_reductions : Instead::nothing;
    if (auto warning = refusal_warning(chosen.refused, chosen.attempt, instead)) {
        chosen.warnings.push_back(*std::move(warning));
    }
    return chosen;
}

}  // namespace autoschedule_gpu
