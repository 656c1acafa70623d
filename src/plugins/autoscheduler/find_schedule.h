// From a pipeline as data to a schedule that Halide accepts: parameters are resolved, the
// composition (scheduler/strategies/composition.h) makes its attempts, Halide judges them.
#pragma once

#include <Halide.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "core/support/error.h"
#include "plugins/autoscheduler/acceptance.h"
#include "plugins/autoscheduler/spill_check.h"
#include "plugins/autoscheduler/variant.h"
#include "plugins/parameters/parameters.h"
#include "scheduler/model/cost_model.h"
#include "scheduler/model/model_choice.h"
#include "scheduler/rules/rule_book.h"
#include "scheduler/schedule/stage_kind.h"
#include "scheduler/search/report.h"
#include "scheduler/strategies/registry.h"

namespace autoschedule_gpu {

struct ScheduleTask {
    const Halide::Pipeline &pipeline;
    const Halide::Target &target;
    const Parameters &parameters;
    const GpuModel &gpu;
    const ModelChoice &model;
    const RuleBook &rules;
    const StageKinds &kinds;  // of decisions about single stages
    const SpillCheck &spill_check;
    const StrategyRegistry &strategies;
    const SearchStrategy &strategy;  // one of those
    const Dag &as_read;              // the pipeline
    VariantSource variants;          // of which one is scheduled
    SearchClock clock;               // runs since the pipeline was given
};

struct ChosenSchedule {
    std::string attempt;  // its source: a to_string(Attempt), "trace" or "decisions"
    PipelineVariant variant;                             // what was scheduled
    std::vector<TriedFactorings> tried_factorings = {};  // of those that were compared
    AcceptedSchedule accepted;
    std::optional<CompleteState> complete;   // what it was made of; none: a trace was given
    std::vector<Refusal> refused;            // before it
    TrialRecord trials;                      // of it and of those
    std::optional<SearchReport> search;      // none: nothing was searched for
    std::unique_ptr<const CostModel> model;  // that ranked the states; null: there were none
};

// The best schedule that Halide accepts. An error if it refuses even the last resort.
Result<ChosenSchedule> find_schedule(const ScheduleTask &task);

}  // namespace autoschedule_gpu
