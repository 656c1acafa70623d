// What else could have been decided, and what that is predicted to cost: one decision changed, all
// others as they are.
//
//     chosen schedule ─► list of decisions ─► each with another value ─► follow ─► cost model
//
// Nothing is lowered or compiled, so Halide may refuse what has a cost here. Some hundreds of
// choices take a second or two; therefore only who asks for an explanation waits for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "plugins/autoscheduler/find_schedule.h"
#include "scheduler/decisions/decision_list.h"

namespace autoschedule_gpu {

// Either has a cost, in nanoseconds of the whole pipeline, or a reason.
struct PricedChoice {
    DecisionValue value;
    std::optional<double> cost_ns;
    std::string refused;
};

struct PricedDecision {
    std::string name, kind;
    DecisionValue value;               // as it is decided
    std::vector<PricedChoice> others;  // in the order of their meaning; not empty
};

struct Alternatives {
    double cost_ns = 0;                          // of the decisions as they are
    double seconds = 0;                          // that this took
    std::vector<PricedDecision> decisions = {};  // those for which there is a choice
};

// The list of what was decided, or why there is none: a schedule that was given as directives.
Result<DecisionList> chosen_decisions(const ScheduleTask &task, const ChosenSchedule &chosen);

// How a reduction is taken apart is left out: another way makes other Funcs, about which there
// would have to be a search (the report's `reductions` has what was compared).
Result<Alternatives> price_alternatives(const ScheduleTask &task, const ChosenSchedule &chosen);

}  // namespace autoschedule_gpu
