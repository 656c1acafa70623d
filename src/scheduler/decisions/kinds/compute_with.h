// In which launch a stage at root is computed (scheduler/nest/launch.h), as the kind compute_with
// of autoschedule_gpu/decision.h: the name of the stage whose launch it is, its own for one of its
// own.
#pragma once

#include <variant>
#include <vector>

#include "scheduler/decisions/kinds/step.h"

namespace autoschedule_gpu {

// Adds the decision about a stage at root, if there is anything to decide.
void read_compute_with(const StepReader &reader, StageId stage, std::vector<Coordinate> &list);

// The state with launches as the list has them. It is complete but for them.
std::variant<State, RefusedStep> after_launches(const ListedSteps &steps, State state);

}  // namespace autoschedule_gpu
