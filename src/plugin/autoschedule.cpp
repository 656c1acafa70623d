#include "plugin/autoschedule.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bridge/apply.h"
#include "bridge/read.h"
#include "decisions/decisions_of_state.h"
#include "plugin/chosen_kernels.h"
#include "plugin/find_schedule.h"
#include "plugin/given_schedule.h"
#include "plugin/parameters.h"
#include "plugin/report.h"
#include "plugin/settle.h"
#include "plugin/spill_check.h"
#include "samples/featurization.h"
#include "schedule/cpp_source.h"
#include "schedule/trace.h"
#include "support/file.h"
#include "support/stopwatch.h"

namespace autoschedule_gpu {
namespace {

// What a run is made of, from its parameters and its target.
struct Settled {
    Parameters parameters;
    GpuModel gpu;
    ModelChoice model;
    RuleSet rules;
    SpillCheck spill_check;
};

Result<Settled> settle(const std::map<std::string, std::string> &extra,
                       const Halide::Target &target) {
    const Result<Parameters> parameters = parse_parameters(extra);
    if (!parameters) return parameters.error();
    Result<GpuModel> gpu = settle_gpu(*parameters, target);
    if (!gpu) return gpu.error();
    Result<ModelChoice> model = settle_model(*parameters, *gpu);
    if (!model) return model.error();
    const Result<RuleSet> rules = rule_set(*parameters);
    if (!rules) return rules.error();
    Result<SpillCheck> spill_check = SpillCheck::create(settle_ptxas(*parameters), *gpu);
    if (!spill_check) return spill_check.error();
    return Settled{*parameters, std::move(gpu).value(), std::move(model).value(), *rules,
                   std::move(spill_check).value()};
}

Result<FoundSchedule> given_or_found(const ScheduleTask &task) {
    if (!task.parameters.trace.empty()) return schedule_of_trace(task);
    if (!task.parameters.decisions.empty()) return schedule_of_decisions(task);
    if (!task.parameters.records.empty()) {
        Result<std::optional<FoundSchedule>> known = schedule_of_records(task);
        if (!known) return known.error();
        if (*known) return *std::move(known).value();
    }
    return find_schedule(task);
}

// The list of what was decided, or why there is none.
Result<std::string> decisions_json(const ScheduleTask &task, const FoundSchedule &found) {
    if (!found.found) return Error{"the schedule was given as a trace."};
    const auto &[dag, state, freedom] = *found.found;
    const Result<DecisionList> list =
        decisions_of_state(*dag, state, task.gpu, task.rules, freedom, task.dag.hash());
    if (!list) return list.error();
    return to_json(*list);
}

// A list that leads elsewhere is worse than none.
Status write_decisions(const ScheduleTask &task, const FoundSchedule &found,
                       std::vector<std::string> &warnings) {
    const std::string &path = task.parameters.decisions_out;
    if (path.empty()) return Ok{};
    const Result<std::string> json = decisions_json(task, found);
    if (json) return write_file(path, *json);
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    warnings.push_back("there is no list of decisions: " + json.error().message);
    return Ok{};
}

}  // namespace

Result<Autoscheduled> autoschedule(const Halide::Pipeline &pipeline, const Halide::Target &target,
                                   const std::map<std::string, std::string> &extra) {
    const Stopwatch watch;
    const Result<Settled> settled = settle(extra, target);
    if (!settled) return settled.error();
    const auto &[parameters, gpu, model, rules, spill_check] = *settled;
    const Result<Dag> read = read_pipeline(pipeline, target);
    if (!read) return read.error();
    const ScheduleTask task{pipeline, target, parameters, gpu, model, rules, spill_check, *read};
    const Result<FoundSchedule> found = given_or_found(task);
    if (!found) return found.error();

    const Schedule &schedule = found->accepted.schedule;
    if (!parameters.trace_out.empty()) {
        const std::string trace = to_json(schedule, read->hash());
        if (Status status = write_file(parameters.trace_out, trace); !status) return status.error();
    }
    Autoscheduled done{cpp_source(schedule, *read), "", {}};
    if (Status status = write_decisions(task, *found, done.warnings); !status) {
        return status.error();
    }
    std::vector<FeatureTable> tables;
    if (const auto &state = found->found) tables = features_of(*state->dag, gpu, state->state.nest);
    if (!parameters.report.empty()) {
        const std::string report = report_json({.pipeline = *read,
                                                .gpu = gpu,
                                                .weights = model.weights.get(),
                                                .target = target.to_string(),
                                                .parameters = extra,
                                                .found = *found,
                                                .tables = tables,
                                                .spill_check = spill_check,
                                                .total_s = watch.seconds()});
        if (Status status = write_file(parameters.report, report); !status) return status.error();
    }
    if (Status status = apply_schedule(schedule, pipeline); !status) {
        return status.error();
    }
    Result<std::string> features =
        found->found ? featurization_bytes(tables)
                     : Error{"a trace has no loop nest, and features are those of one."};
    if (features) {
        done.featurization = std::move(features).value();
    } else {
        done.warnings.push_back("there is no featurization: " + features.error().message);
    }
    return done;
}

}  // namespace autoschedule_gpu
