// What could be chosen for each place and tile of a list while all others stay.
#pragma once

#include "core/support/error.h"
#include "scheduler/decisions/decision_list.h"
#include "scheduler/space/space.h"

namespace autoschedule_gpu {

// Fills in the choices. Gives the state that the list leads to; an Error if it leads to none. A
// place is tried with the later decisions for which it makes a difference; in pipelines of many
// hundreds of Funcs, alone.
Result<State> add_choices(const SearchSpace &space, DecisionList &list, const StageKinds &kinds);

}  // namespace autoschedule_gpu
