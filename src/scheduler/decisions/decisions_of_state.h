// The decisions that lead to a state, and what could have been chosen instead.
#pragma once

#include "core/dag/dag.h"
#include "core/support/error.h"
#include "scheduler/decisions/decision_list.h"
#include "scheduler/decisions/kinds/stage_kinds.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// `state`: complete, of a space of that freedom over `dag`: the pipeline with wrapped reductions,
// and perhaps with wrappers of single readers. Where these could be had and are not there, their
// places are among the decisions, too. An Error where the decisions do not lead to the same
// schedule; it says what would be another.
Result<DecisionList> decisions_of_state(const Dag &dag, const State &state, const GpuModel &gpu,
                                        const RuleBook &rules, Freedom freedom,
                                        uint64_t pipeline_hash,
                                        const StageKinds &kinds = stage_kinds());

}  // namespace autoschedule_gpu
