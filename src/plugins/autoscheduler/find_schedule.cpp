#include "plugins/autoscheduler/find_schedule.h"

#include <algorithm>
#include <utility>

#include "halide/lower/apart.h"
#include "plugins/autoscheduler/resolve_parameters.h"
#include "plugins/autoscheduler/search_progress.h"
#include "scheduler/strategies/composition.h"
#include "scheduler/strategies/quick_search.h"

namespace autoschedule_gpu {

namespace {

// Enough for all that is searched for in pipelines of up to a hundred stages, and not more than
// takes most machines ten seconds, if not what reads what is hopelessly entangled. Who grants more
// time than most wants more.
double most_effort(const Dag &dag, double time_limit_s) {
    const double stages = 3e6 + 1e4 * static_cast<double>(dag.stages.size());
    return stages * std::max(1.0, time_limit_s / SearchLimits().time_limit_s);
}

// Of the time that there is: the search and the trials need some as well.
constexpr double kMostShareForVariants = 0.25;

// Compares variants by what a quick search of each predicts, until that has taken its
// effort, which is as much as the search after it may take: how many are compared must not depend
// on what else the machine does. The time is asked, too, because it is limited.
class VariantComparison {
public:
    VariantComparison(const ScheduleTask &task, double most_s)
        : task_(task),
          models_(task.gpu, task.model),
          clock_(task.clock),
          least_s_(clock_.left_s() - most_s),
          most_effort_(most_effort(task.as_read, task.parameters.time_limit_s)) {}

    ChosenFactorings run() {
        return cheapest_factors(
            task_.variants.reductions,
            [this](const Factorings &choices) { return cost_of(choices); },
            [this] { return effort_ > most_effort_ || clock_.left_s() < least_s_; });
    }

private:
    std::optional<double> cost_of(const Factorings &choices) {
        const Result<PipelineVariant> variant = task_.variants.make(choices);
        if (!variant) return std::nullopt;
        const SearchSpace space(*variant->dag, task_.gpu, task_.rules, Freedom::full);
        const QuickFind found =
            quick_search({space, models_}, task_.strategy, search_options_of(task_.parameters));
        effort_ += found.effort;
        return found.best.cost;
    }

    const ScheduleTask &task_;
    const RankingModels models_;
    SearchClock clock_;
    const double least_s_, most_effort_;
    double effort_ = 0;
};

// Variants are made and compared in a child, so that code that is lowered afterwards is the same,
// name by name, however many there were. Where that can't be, this process does it.
ChosenFactorings choose_factors(const ScheduleTask &task) {
    const size_t reductions = task.variants.reductions.size();
    if (reductions == 0 || task.strategy.info().pace == Pace::none) {
        return {Factorings(reductions), {}};
    }
    SearchClock clock = task.clock;
    const double most_s = std::max(0.0, clock.left_s()) * kMostShareForVariants;
    const auto work = [&]() -> std::string {
        try {
            return to_text(VariantComparison(task, most_s).run());
        } catch (...) {
            return "";  // as if nothing could be compared
        }
    };
    const ApartOutcome outcome = text_from_child(work, 2 * most_s + 1);
    if (const auto *ended = std::get_if<Ended>(&outcome)) {
        return parse_chosen_factorings(ended->text, reductions)
            .value_or(ChosenFactorings{Factorings(reductions), {}});
    }
    if (std::holds_alternative<OutOfTime>(outcome)) return {Factorings(reductions), {}};
    return VariantComparison(task, most_s).run();
}

Result<ChosenSchedule> find_schedule_of(const ScheduleTask &task, PipelineVariant variant) {
    SearchProgress progress;
    SearchOptions options = search_options_of(task.parameters);
    options.progress = [&](double share) { progress(share); };
    SearchContext context(std::move(options), task.clock);
    context.clock.limit_effort(most_effort(*variant.dag, task.parameters.time_limit_s));
    RankingModels models(task.gpu, task.model);
    Acceptance acceptance(task.pipeline, task.as_read, variant.factors, task.target, task.gpu,
                          task.spill_check, context.clock);
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
    ChosenFactorings factors = choose_factors(task);
    Result<PipelineVariant> variant = task.variants.make(factors.choices);
    if (!variant) return variant.error();
    const bool is_whole = variant->factors.empty();
    Result<ChosenSchedule> found = find_schedule_of(task, std::move(variant).value());
    // Where Halide refuses what was searched for, that may be for what was taken apart.
    std::vector<Refusal> refused;
    if (!is_whole && (!found || found->attempt != to_string(Attempt::search))) {
        if (found) refused = found->refused;
        found = find_schedule_of(task, task.variants.plain());
    }
    if (!found) return found;
    ChosenSchedule chosen = std::move(found).value();
    chosen.tried_factorings = std::move(factors.tried);
    chosen.refused.insert(chosen.refused.begin(), refused.begin(), refused.end());
    return chosen;
}

}  // namespace autoschedule_gpu
