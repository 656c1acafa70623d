// From a list of decisions to the state that they lead to.
#pragma once

#include <memory>

#include "dag/dag.h"
#include "decisions/decision_list.h"
#include "gpu/gpu_model.h"
#include "space/rules.h"
#include "space/state.h"
#include "support/error.h"

namespace autoschedule_gpu {

struct Followed {
    std::shared_ptr<const Dag> dag;  // with the wrappers that the list names
    State state;                     // complete; costs are not filled in
};

// Every step of the search space as the list says, nothing searched. `dag`: the pipeline with
// wrapped reductions (space/wrappers.h). The Error names the first decision that fails, by its
// number (the first is 1), and why: the rule that rejects it, for one.
Result<Followed> follow(const DecisionList &list, const Dag &dag, const GpuModel &gpu,
                        const RuleSet &rules);

}  // namespace autoschedule_gpu
