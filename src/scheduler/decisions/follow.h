// From a list of decisions to the state that they lead to.
#pragma once

#include <memory>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "core/support/error.h"
#include "scheduler/decisions/decision_list.h"
#include "scheduler/decisions/kinds/stage_kinds.h"
#include "scheduler/rules/rule_book.h"
#include "scheduler/space/state.h"

namespace autoschedule_gpu {

struct Followed {
    std::shared_ptr<const Dag> dag;  // with the wrappers that the list names
    State state;                     // complete; costs are not filled in
};

// Every step of the search space as the list says, nothing searched. `dag`: the pipeline with
// wrapped reductions (scheduler/space/wrappers.h). The Error names the first decision that fails,
// by its number (the first is 1), and why: the rule that rejects it, for one.
Result<Followed> follow(const DecisionList &list, const Dag &dag, const GpuModel &gpu,
                        const RuleBook &rules, const StageKinds &kinds = stage_kinds());

// For each decision of a list, whether the pipeline, with the wrappers that the list has a place
// for, has something of that name to decide.
std::vector<bool> named(const DecisionList &list, const Dag &dag, const StageKinds &kinds);

}  // namespace autoschedule_gpu
