#include "plugins/autoscheduler/given_schedule.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/support/file.h"
#include "core/support/hex.h"
#include "core/support/parallel.h"
#include "lab/records/best_records.h"
#include "plugins/autoscheduler/adapted_decisions.h"
#include "plugins/autoscheduler/records_warning.h"
#include "scheduler/decisions/own_names.h"
#include "scheduler/model/make_cost_model.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/factors.h"
#include "scheduler/schedule/size_sections.h"
#include "scheduler/schedule/trace.h"
#include "scheduler/search/kernel_costs.h"
#include "scheduler/search/launch_costs.h"

namespace autoschedule_gpu {
namespace {

// `what`: "trace".
Status check_pipeline(const std::string &what, uint64_t hash, const Dag &dag) {
    if (hash == dag.hash()) return Ok{};
    return Error{"the " + what + " is of another pipeline: expected the hash " +
                 to_hex(dag.hash()) + ", found " + to_hex(hash) +
                 ". A pipeline of other sizes is another one."};
}

// Both parts make sense, the latter for the pipeline after the former. Of a single schedule.
Result<PipelineVariant> variant_of_section(const ScheduleTask &task, const Schedule &schedule) {
    const auto [factors, rest] = split_off_factors(schedule);
    if (Status fits = check_against(factors, task.as_read); !fits) return fits.error();
    Result<PipelineVariant> variant = variant_of_schedule(task.variants, schedule);
    if (!variant) return variant;
    if (Status fits = check_against(rest, *variant->read); !fits) return fits.error();
    return variant;
}

// Of all schedules that a trace has for its sizes.
Result<std::vector<PipelineVariant>> variants_of_trace(const ScheduleTask &task,
                                                       const Schedule &schedule) {
    if (Status fit = check_sections(schedule, task.as_read); !fit) return fit.error();
    std::vector<PipelineVariant> variants;
    for (const SizeSection &section : split_by_sizes(schedule)) {
        Result<PipelineVariant> variant = variant_of_section(task, section.schedule);
        if (!variant) return variant.error();
        variants.push_back(std::move(variant).value());
    }
    return variants;
}

Result<ChosenSchedule> from_trace(const ScheduleTask &task, const std::string &json) {
    const Result<Trace> trace = parse_trace(json);
    if (!trace) return trace.error();
    const Status same = check_pipeline("trace", trace->pipeline_hash, task.as_read);
    if (!same) return same.error();
    const Result<std::vector<PipelineVariant>> variants = variants_of_trace(task, trace->schedule);
    if (!variants) return variants.error();
    SearchClock clock = task.clock;
    Acceptance acceptance(task.pipeline, task.as_read, variants->back().factors, task.target,
                          task.gpu, task.spill_check, clock);
    Result<AcceptedSchedule> accepted = acceptance.accept(trace->schedule);
    if (!accepted) return accepted.error();
    std::vector<std::shared_ptr<const Dag>> reads;
    for (const PipelineVariant &variant : *variants) reads.push_back(variant.read);
    return ChosenSchedule{.attempt = "trace",
                          .variant = variants->back(),
                          .accepted = std::move(accepted).value(),
                          .complete = std::nullopt,
                          .refused = {},
                          .trials = acceptance.trials(),
                          .search = std::nullopt,
                          .model = nullptr,
                          .section_reads = std::move(reads)};
}

// What there are measured schedules for. A row that is damaged ends the list: it is for a warning.
std::set<RecordedFor> all_recorded(RecordStore &store) {
    std::set<RecordedFor> found;
    const Status visited =
        store.visit({.outcome = RecordOutcome::measured}, [&](const TuningRecord &record) {
            const auto &[name, size, hash] = record.pipeline;
            if (!record.trace.empty()) found.insert({hash, name, size, record.environment.gpu});
            return Status(Ok{});
        });
    return visited ? found : std::set<RecordedFor>();
}

State with_costs(const ScheduleTask &task, const CostModel &model, Followed followed) {
    ThreadPool pool(static_cast<int>(task.parameters.threads));
    ModelCosts costs(*followed.dag, task.gpu, model, pool);
    State state = autoschedule_gpu::with_costs(costs, std::move(followed.state));
    return with_costs_of_launches(*followed.dag, task.gpu, model, std::move(state));
}

Result<ChosenSchedule> from_decisions(const ScheduleTask &task) {
    const Result<std::string> json = read_file(task.parameters.decisions);
    if (!json) return json.error();
    const Result<DecisionList> list = given_list(task, *json);
    if (!list) return list.error();
    const Result<Factorings> choices = task.variants.choices_of(*list);
    if (!choices) return choices.error();
    Result<PipelineVariant> variant = task.variants.make(*choices);
    if (!variant) return variant.error();
    Result<Followed> followed = VariantFollower(task, *variant).follow(*list);
    if (!followed) return followed.error();
    std::unique_ptr<const CostModel> model = make_cost_model(task.model, task.gpu);
    CompleteState given{followed->dag, with_costs(task, *model, *followed), list->freedom};
    SearchClock clock = task.clock;
    Acceptance acceptance(task.pipeline, task.as_read, variant->factors, task.target, task.gpu,
                          task.spill_check, clock);
    const std::optional<Judgement> judgement = acceptance.judge(given, Attempt::search);
    if (!judgement) return Error{acceptance.refused().back().error};
    return ChosenSchedule{.attempt = "decisions",
                          .variant = std::move(variant).value(),
                          .accepted = acceptance.accepted(*judgement),
                          .complete = std::move(given),
                          .refused = {},
                          .trials = acceptance.trials(),
                          .search = std::nullopt,
                          .model = std::move(model)};
}

// What a measured schedule was made of, with its cost, if its record says so and the same
// directives come of it.
void add_nest_of_record(const ScheduleTask &task, const TuningRecord &record,
                        ChosenSchedule &chosen) {
    if (record.decisions.empty()) return;
    const Result<DecisionList> list = given_list(task, record.decisions);
    if (!list) return;
    Result<Followed> followed = VariantFollower(task, chosen.variant).follow(*list);
    const Result<Factorings> choices = task.variants.choices_of(*list);
    if (!followed || !choices) return;
    Schedule schedule = chosen.variant.factors;
    const Schedule own = directives(*followed->dag, followed->state.nest);
    schedule.insert(schedule.end(), own.begin(), own.end());
    if (schedule != chosen.accepted.schedule) return;
    chosen.variant.decisions = task.variants.decisions(*choices);
    chosen.model = make_cost_model(task.model, task.gpu);
    const std::shared_ptr<const Dag> dag = followed->dag;
    State state = with_costs(task, *chosen.model, std::move(followed).value());
    chosen.complete = CompleteState{dag, std::move(state), list->freedom};
}

// Measured schedules of the pipeline for the device are tried, the winner first.
Result<RecordedSchedule> from_records(const ScheduleTask &task) {
    const std::string &path = task.parameters.records;
    Result<RecordStore> opened = RecordStore::open(path, StoreAccess::read_only);
    if (!opened) return opened.error();
    RecordStore store = std::move(opened).value();
    const RecordedFor wanted{.pipeline_hash = task.as_read.hash(), .gpu = task.gpu.name};
    const Result<std::vector<TuningRecord>> records =
        ranked_records(store, {.pipeline_hash = wanted.pipeline_hash, .gpu = wanted.gpu});
    if (!records) return records.error();
    if (records->empty()) {
        return RecordedSchedule(NoRecord{no_record_warning(path, wanted, all_recorded(store))});
    }
    std::string why_last;
    for (const TuningRecord &record : *records) {
        Result<ChosenSchedule> found = from_trace(task, record.trace);
        if (found) {
            ChosenSchedule chosen = std::move(found).value();
            add_nest_of_record(task, record, chosen);
            return RecordedSchedule(std::move(chosen));
        }
        why_last = found.error().message;
    }
    return RecordedSchedule(NoRecord{unusable_records_warning(path, records->size(), why_last)});
}

Result<ChosenSchedule> named(const std::string &parameter, Result<ChosenSchedule> found) {
    if (found) return found;
    return Error{"autoscheduler." + parameter + ": " + found.error().message};
}

}  // namespace

Result<DecisionList> given_list(const ScheduleTask &task, const std::string &json) {
    Result<DecisionList> list = parse_decisions(json, task.kinds);
    if (!list) return list;
    const Status same = check_pipeline("list of decisions", list->pipeline_hash, task.as_read);
    if (!same) return same.error();
    return with_own_names(std::move(list).value(), task.as_read);
}

Result<ChosenSchedule> schedule_of_trace(const ScheduleTask &task) {
    const Result<std::string> json = read_file(task.parameters.trace);
    if (!json) return named("trace=" + task.parameters.trace, json.error());
    return named("trace=" + task.parameters.trace, from_trace(task, *json));
}

Result<RecordedSchedule> schedule_of_records(const ScheduleTask &task) {
    Result<RecordedSchedule> found = from_records(task);
    if (!found) return Error{"autoscheduler.records: " + found.error().message};
    return found;
}

Result<ChosenSchedule> schedule_of_decisions(const ScheduleTask &task) {
    return named("decisions=" + task.parameters.decisions, from_decisions(task));
}

}  // namespace autoschedule_gpu
