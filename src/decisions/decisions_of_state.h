// The decisions that lead to a state, and what could have been chosen instead.
#pragma once

#include "dag/dag.h"
#include "decisions/decision_list.h"
#include "space/space.h"
#include "support/error.h"

namespace autoschedule_gpu {

// `state`: complete, of a space of that freedom over `dag`: the pipeline with wrapped reductions,
// and perhaps with wrappers of single readers. Where these could be had and are not there, their
// places are among the decisions, too. An Error where the decisions do not lead to the same
// schedule; it says what would be another.
Result<DecisionList> decisions_of_state(const Dag &dag, const State &state, const GpuModel &gpu,
                                        const RuleSet &rules, Freedom freedom,
                                        uint64_t pipeline_hash);

}  // namespace autoschedule_gpu
