// What could be chosen for each decision of a list while all others stay, but for how far loops are
// unrolled (unroll_choices.h).
#pragma once

#include "decisions/decision_list.h"
#include "space/space.h"
#include "support/error.h"

namespace autoschedule_gpu {

// Fills in the choices. Gives the state that the list leads to; an Error if it leads to none. In
// pipelines of very many Funcs, places are among the choices that producers further on may not
// bear.
Result<State> add_choices(const SearchSpace &space, DecisionList &list);

}  // namespace autoschedule_gpu
