// What could be chosen for each decision of a list while all others stay, but for how far loops are
// unrolled (unroll_choices.h).
#pragma once

#include "decisions/decision_list.h"
#include "space/space.h"
#include "support/error.h"

namespace autoschedule_gpu {

// Fills in the choices. Gives the state that the list leads to; an Error if it leads to none. A
// place is tried with the later decisions for which it makes a difference; in pipelines of many
// hundreds of Funcs, alone.
Result<State> add_choices(const SearchSpace &space, DecisionList &list);

}  // namespace autoschedule_gpu
