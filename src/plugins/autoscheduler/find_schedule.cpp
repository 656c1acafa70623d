#include "plugins/autoscheduler/find_schedule.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "plugins/autoscheduler/choose_factors.h"
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

// What a schedule is that was not the search's own; empty for those that were.
std::string_view instead_of_search(std::string_view attempt) {
    if (attempt == to_string(Attempt::no_fusion)) return "computes no Func in another one's kernel";
    if (attempt == to_string(Attempt::plain)) return "has a simple kernel for each Func";
    return attempt == to_string(Attempt::host) ? "runs on the host" : "";
}

std::string refusal_text(std::span<const RefusedAttempt> refused, std::string_view instead) {
    constexpr size_t kMost = 200;  // characters of Halide's reason
    const std::string &error = refused.front().error;
    std::string why = error.substr(0, std::min(kMost, error.find('\n')));
    if (why.size() < error.size()) why += " [...]";
    return "none of the best schedules can be used (" + std::to_string(refused.size()) +
           " were refused). The one that is taken instead " + std::string(instead) +
           ", and may be several times slower. The first was refused because: " + why +
           " (autoscheduler.report=FILE has all reasons.)";
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
    std::string_view instead = instead_of_search(chosen.attempt);
    if (instead.empty() && falls_back) instead = "has whole reductions only";
    if (!instead.empty() && !chosen.refused.empty()) {
        chosen.warnings.push_back(refusal_text(chosen.refused, instead));
    }
    return chosen;
}

}  // namespace autoschedule_gpu
