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

// What a schedule for several sizes is worth at one of them, in nanoseconds.
struct AtSize {
    std::string name;
    double weight = 1;
    std::string made_for;             // the size that what is used there was made for
    std::optional<double> predicted;  // none: nothing can be said of it
    double alone = 0;                 // of a schedule made for that size alone
};

struct ChosenSchedule {
    std::string attempt;      // its source: a to_string(Attempt), "trace" or "decisions"
    PipelineVariant variant;  // what was scheduled
    std::vector<TriedFactorings> tried_factorings = {};  // of those that were compared
    AcceptedSchedule accepted;
    std::optional<CompleteState> complete;   // what it was made of; none: a trace was given
    std::vector<RefusedAttempt> refused;     // before it
    TrialRecord trials;                      // of it and of those
    std::optional<SearchReport> search;      // none: nothing was searched for
    std::unique_ptr<const CostModel> model;  // that ranked the states; null: there were none
    std::vector<AtSize> sizes = {};          // if it is for several
    int schedules_for_sizes = 0;             // of which it is made
    // Of several schedules, each for its sizes: the pipeline after what each takes apart.
    std::vector<std::shared_ptr<const Dag>> section_reads = {};
    std::vector<std::string> warnings = {};
};

// The best schedule that Halide accepts. An error if it refuses even the last resort.
Result<ChosenSchedule> find_schedule(const ScheduleTask &task);

}  // namespace autoschedule_gpu
