// Features of the group "algorithm": what a stage computes with the Funcs that are inlined into it,
// whatever its schedule.
#pragma once

#include "features/flat_stage.h"

namespace autoschedule_gpu {

// Per evaluation of the stage. Uses all of `flat` but its features.
AlgorithmFeatures algorithm_features(const Dag &dag, const FlatStage &flat);

// The Strahler number of the stage with what is inlined, from those of its parts. At least: which
// operand a call is, is not known.
int flat_branching(const Dag &dag, const FlatStage &flat);

}  // namespace autoschedule_gpu
