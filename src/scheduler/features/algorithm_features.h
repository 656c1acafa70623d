// Features of the group "algorithm": what a stage computes with the Funcs that are inlined into it,
// whatever its schedule.
#pragma once

#include "scheduler/features/flat_stage.h"

namespace autoschedule_gpu {

// Returns them per evaluation of the stage. Uses all of `flat` but its features.
AlgorithmFeatures algorithm_features(const Dag &dag, const FlatStage &flat);

// Returns the Strahler number of the stage with what is inlined, from those of its parts: the least
// that it can be, because which operand a call is, is not known.
int flat_branching(const Dag &dag, const FlatStage &flat);

}  // namespace autoschedule_gpu
