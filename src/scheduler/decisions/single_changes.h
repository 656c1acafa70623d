// What could be decided otherwise while all else stays.
#pragma once

#include <vector>

#include "scheduler/decisions/decision_list.h"

namespace autoschedule_gpu {

// Another choice of one decision of a list.
struct SingleChange {
    size_t decision;
    DecisionValue value;
};

// All that there are, in the order of the list; but how a reduction is taken apart: another way
// makes other Funcs, about which there would have to be a search.
std::vector<SingleChange> single_changes(const DecisionList &list);

DecisionList changed(DecisionList list, const SingleChange &change);

}  // namespace autoschedule_gpu
