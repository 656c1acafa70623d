// Names of another build of the same pipeline, as those of this one. Halide counts the Funcs of a
// process that are called the same, so that a list of one build has "f" where one of the next has
// "f#6".
#pragma once

#include "core/dag/dag.h"
#include "scheduler/decisions/decision_list.h"

namespace autoschedule_gpu {

// The list with the names that `dag`, the pipeline as it is read, has for its Funcs. A name is
// exchanged only where, but for indices, one Func of the pipeline and one of the list have it: it
// can be no other's then. All other names stay, and are refused by who looks for them.
DecisionList with_own_names(DecisionList list, const Dag &dag);

}  // namespace autoschedule_gpu
