#include "plugins/autoscheduler/autoschedule.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compare/explain/explain_page.h"
#include "core/support/file.h"
#include "core/support/stopwatch.h"
#include "halide/apply/apply.h"
#include "halide/read/read.h"
#include "lab/samples/featurization.h"
#include "plugins/autoscheduler/alternatives.h"
#include "plugins/autoscheduler/chosen_kernels.h"
#include "plugins/autoscheduler/find_schedule.h"
#include "plugins/autoscheduler/given_schedule.h"
#include "plugins/autoscheduler/narration.h"
#include "plugins/autoscheduler/price_candidates.h"
#include "plugins/autoscheduler/report.h"
#include "plugins/autoscheduler/resolve_parameters.h"
#include "plugins/autoscheduler/schedule_for_sizes.h"
#include "plugins/autoscheduler/spill_check.h"
#include "plugins/extensions/added_strategy.h"
#include "plugins/parameters/parameters.h"
#include "scheduler/factors/factoring.h"
#include "scheduler/schedule/cpp_source.h"
#include "scheduler/schedule/python_source.h"
#include "scheduler/schedule/trace.h"
#include "scheduler/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

// What a run is made of, from its parameters and its target.
struct RunSettings {
    Extensions extensions;
    Parameters parameters;
    StrategyRegistry strategies;
    std::shared_ptr<const SearchStrategy> strategy;
    ResolvedGpu gpu;
    ModelChoice model;
    RuleBook rules;
    StageKinds kinds;
    SpillCheck spill_check;
};

Result<RunSettings> resolve(const std::map<std::string, std::string> &extra,
                            const Halide::Target &target) {
    Result<Extensions> extensions = loaded_extensions();
    if (!extensions) return extensions.error();
    const Result<AddedNames> added = added_names(*extensions);
    if (!added) return added.error();
    const Result<Parameters> parameters = parse_parameters(extra, *added);
    if (!parameters) return parameters.error();
    if (Status can = check_files(*parameters); !can) return can.error();
    StrategyRegistry strategies;
    for (auto &strategy : added_strategies(extensions->all(), *parameters)) {
        if (Status done = strategies.add(std::move(strategy)); !done) return done.error();
    }
    const auto strategy = strategies.find(strategy_of(*parameters));
    if (!strategy) return strategy.error();
    const StrategyInfo &info = (*strategy)->info();
    Result<ResolvedGpu> gpu = gpu_of(*parameters, target);
    if (!gpu) return gpu.error();
    Result<ModelChoice> model = model_of(*parameters, gpu->model, info, extensions->models());
    if (!model) return model.error();
    const Result<RuleBook> rules = rule_set(*parameters, added->rules);
    if (!rules) return rules.error();
    Result<SpillCheck> spill_check = SpillCheck::create(ptxas_of(*parameters, info), gpu->model);
    if (!spill_check) return spill_check.error();
    StageKinds kinds = kinds_of(*parameters, gpu->model, *extensions);
    return RunSettings{std::move(extensions).value(),
                       *parameters,
                       std::move(strategies),
                       *strategy,
                       std::move(gpu).value(),
                       std::move(model).value(),
                       *rules,
                       std::move(kinds),
                       std::move(spill_check).value()};
}

Result<ChosenSchedule> recorded_or_found(const ScheduleTask &task) {
    Result<RecordedSchedule> records = schedule_of_records(task);
    if (!records) return records.error();
    RecordedSchedule known = std::move(records).value();
    if (auto *recorded = std::get_if<ChosenSchedule>(&known)) return std::move(*recorded);
    Result<ChosenSchedule> found = find_schedule(task);
    if (!found) return found;
    ChosenSchedule chosen = std::move(found).value();
    chosen.warnings.push_back(std::get<NoRecord>(std::move(known)).warning);
    return chosen;
}

Result<ChosenSchedule> given_or_found(const ScheduleTask &task) {
    if (!task.parameters.sizes.empty()) return schedule_for_sizes(task);
    if (!task.parameters.trace.empty()) return schedule_of_trace(task);
    if (!task.parameters.decisions.empty()) return schedule_of_decisions(task);
    if (!task.parameters.records.empty()) return recorded_or_found(task);
    return find_schedule(task);
}

// Ends the run whatever comes of it, for nothing is scheduled. The file is written as a whole, or
// not at all.
Error with_prices_alone(const ScheduleTask &task, const Extensions &extensions) {
    const Result<std::string> prices = price_candidates(task);
    if (!prices) return prices.error();
    if (const auto complaint = extensions.complaint()) return Error{*complaint};
    const std::string &path = task.parameters.candidates_out;
    if (Status written = write_file(path, *prices); !written) return written.error();
    return Error{
        "nothing is scheduled, for autoscheduler.candidates asks for prices alone. They are in " +
        path + "."};
}

// The list of what was decided, with how reductions are taken apart, or why there is none.
Result<std::string> decisions_json(const ScheduleTask &task, const ChosenSchedule &chosen) {
    Result<DecisionList> listed = chosen_decisions(task, chosen);
    if (!listed) return listed.error();
    DecisionList list = std::move(listed).value();
    const std::vector<Coordinate> &first = chosen.variant.decisions;
    list.decisions.insert(list.decisions.begin(), first.begin(), first.end());
    return to_json(list);
}

// A list that leads elsewhere is worse than none.
Status write_decisions(const ScheduleTask &task, const ChosenSchedule &chosen,
                       std::vector<std::string> &warnings) {
    const std::string &path = task.parameters.decisions_out;
    if (path.empty()) return Ok{};
    const Result<std::string> json = decisions_json(task, chosen);
    if (json) return write_file(path, *json);
    remove_file(path);
    warnings.push_back("there is no list of decisions: " + json.error().message);
    return Ok{};
}

// None where it was not asked for, or there are no decisions; then a warning says why.
std::optional<Alternatives> alternatives_of(const ScheduleTask &task, const ChosenSchedule &chosen,
                                            std::vector<std::string> &warnings) {
    if (task.parameters.explain.empty() || !chosen.complete) return std::nullopt;
    Result<Alternatives> found = price_alternatives(task, chosen);
    if (found) return std::move(found).value();
    warnings.push_back("the explanation has no second choices: " + found.error().message);
    return std::nullopt;
}

// The report, and the page that is made of it.
Status write_reports(const Parameters &parameters, const ReportInput &input) {
    if (parameters.report.empty() && parameters.explain.empty()) return Ok{};
    const std::string report = report_json(input);
    if (!parameters.report.empty()) {
        if (Status done = write_file(parameters.report, report); !done) return done;
    }
    if (parameters.explain.empty()) return Ok{};
    const Result<std::string> page = explain_page(report);
    if (!page) return Error{"autoscheduler.explain: " + page.error().message};
    return write_file(parameters.explain, *page);
}

// What a schedule was made for: the pipeline as it was read then, of each section.
std::vector<std::shared_ptr<const Dag>> reads_of(const ChosenSchedule &chosen) {
    if (!chosen.section_reads.empty()) return chosen.section_reads;
    return {chosen.variant.read};
}

// As directives, and as Python.
Status write_schedule(const ScheduleTask &task, const ChosenSchedule &chosen) {
    const Parameters &parameters = task.parameters;
    const Schedule &schedule = chosen.accepted.schedule;
    if (!parameters.trace_out.empty()) {
        const std::string trace = to_json(schedule, task.as_read.hash());
        if (Status done = write_file(parameters.trace_out, trace); !done) return done;
    }
    if (parameters.python_out.empty()) return Ok{};
    const std::string python = python_source(schedule, task.as_read, reads_of(chosen));
    return write_file(parameters.python_out, python);
}

std::vector<std::string> warnings_of(const ScheduleTask &task, const ChosenSchedule &chosen) {
    std::vector<std::string> warnings = task.as_read.assumed;
    std::ranges::move(absurd_estimates(task.as_read), std::back_inserter(warnings));
    std::ranges::move(missing_parts(task.as_read, chosen.accepted.schedule),
                      std::back_inserter(warnings));
    std::ranges::copy(chosen.warnings, std::back_inserter(warnings));
    if (!chosen.accepted.lowered) {
        warnings.push_back(
            "the schedule was not tried: Halide had not lowered it when time_limit_s was over. "
            "Raise autoscheduler.time_limit_s to have it tried.");
    }
    return warnings;
}

// None where there is no loop nest.
std::vector<FeatureTable> tables_of(const ScheduleTask &task, const ChosenSchedule &chosen) {
    if (!chosen.complete) return {};
    return features_of(*chosen.complete->dag, task.gpu, chosen.complete->state.nest);
}

// Empty, with a warning, where there is none; of a schedule that was given the last line says it.
std::string featurization_of(const ChosenSchedule &chosen, const std::vector<FeatureTable> &tables,
                             std::vector<std::string> &warnings) {
    Result<std::string> bytes =
        Error{"there is no loop nest of this schedule, and features are those of one."};
    if (chosen.complete) bytes = featurization_bytes(tables);
    if (bytes) return std::move(bytes).value();
    if (chosen.search) {
        warnings.push_back("there is no featurization: " + bytes.error().message);
    }
    return "";
}

// Writes all files that were asked for, and then changes the pipeline. `extra`: the parameters as
// they were given.
Result<Autoscheduled> write_and_apply(const ScheduleTask &task, const RunSettings &settings,
                                      const ChosenSchedule &chosen,
                                      const std::map<std::string, std::string> &extra,
                                      const Stopwatch &watch) {
    const Schedule &schedule = chosen.accepted.schedule;
    if (Status done = write_schedule(task, chosen); !done) return done.error();
    std::vector<std::string> warnings = warnings_of(task, chosen);
    if (Status done = write_decisions(task, chosen, warnings); !done) return done.error();
    const std::vector<FeatureTable> tables = tables_of(task, chosen);
    const std::optional<Alternatives> alternatives = alternatives_of(task, chosen, warnings);
    const Status reported = write_reports(task.parameters, {.pipeline = task.as_read,
                                                            .gpu = task.gpu,
                                                            .weights = task.model.weights.get(),
                                                            .target = task.target.to_string(),
                                                            .parameters = extra,
                                                            .chosen = chosen,
                                                            .tables = tables,
                                                            .rules = task.rules,
                                                            .spill_check = task.spill_check,
                                                            .extensions = settings.extensions,
                                                            .alternatives = alternatives,
                                                            .total_s = watch.seconds()});
    if (!reported) return reported.error();
    if (Status done = apply_schedule(schedule, task.pipeline); !done) return done.error();
    std::string featurization = featurization_of(chosen, tables, warnings);
    if (task.parameters.verbose == 0) warnings.clear();
    return Autoscheduled{cpp_source(schedule, task.as_read, reads_of(chosen)),
                         std::move(featurization), std::move(warnings),
                         narrate(task, origin_text(settings.gpu), chosen, watch.seconds())};
}

}  // namespace

Result<Autoscheduled> autoschedule(const Halide::Pipeline &pipeline, const Halide::Target &target,
                                   const std::map<std::string, std::string> &extra) {
    const Stopwatch watch;
    const Result<RunSettings> resolved = resolve(extra, target);
    if (!resolved) return resolved.error();
    const auto &[extensions, parameters, strategies, strategy, device, model, rules, kinds,
                 spill_check] = *resolved;
    const GpuModel &gpu = device.model;
    const Respect respect = parameters.respect == "refuse" ? Respect::refuse : Respect::keep;
    const Result<Dag> read = read_dag(pipeline, target, respect, parameters, {});
    if (!read) return read.error();
    const ScheduleTask task{
        .pipeline = pipeline,
        .target = target,
        .parameters = parameters,
        .gpu = gpu,
        .model = model,
        .rules = rules,
        .kinds = kinds,
        .spill_check = spill_check,
        .strategies = strategies,
        .strategy = *strategy,
        .as_read = *read,
        .variants = {.pipeline = pipeline,
                     .target = target,
                     .respect = respect,
                     .as_read = *read,
                     .parameters = parameters,
                     .reductions = reductions_of(*read, gpu, parameters)},
        .clock = SearchClock(parameters.time_limit_s, [watch] { return watch.seconds(); })};
    if (!parameters.candidates.empty()) return with_prices_alone(task, extensions);
    const Result<ChosenSchedule> chosen = given_or_found(task);
    if (!chosen) return chosen.error();
    if (const auto complaint = extensions.complaint()) return Error{*complaint};

    return write_and_apply(task, *resolved, *chosen, extra, watch);
}

}  // namespace autoschedule_gpu
