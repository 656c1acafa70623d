// A walk through a search space along a list of decisions, step by step.
#pragma once

#include <variant>

#include "scheduler/decisions/kinds/step.h"
#include "scheduler/schedule/stage_kind.h"

namespace autoschedule_gpu {

// The state after the step, as the list has it. Costs are not filled in.
std::variant<State, RefusedStep> after_step(const ListedSteps &steps, State state,
                                            const Step &step);

// The state after the last step, with what the list has decided about single stages.
std::variant<State, RefusedStep> after_stage_kinds(const ListedSteps &steps,
                                                   const StageKinds &kinds, State state);

}  // namespace autoschedule_gpu
