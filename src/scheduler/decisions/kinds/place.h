// Where a Func is computed, and how, as coordinates of a list: the kinds place, member_tile and
// serial, whose values are documented in autoschedule_gpu/decision.h. Places are ordered from the
// inside outwards (nest/place.h): what is computed in threads is kept in registers, what is
// computed in a block in shared memory. With block_loop and block_outer_loop, what a Func's own
// reduction reads may be computed in that reduction's loop, or in the outermost of its loops.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scheduler/decisions/kinds/step.h"

namespace autoschedule_gpu {

// Appends what a complete state has decided for the Func.
void read_place(const StepReader &reader, FuncId func, std::vector<Coordinate> &list);

// Returns the decision that the list makes in this state. It may still be illegal.
std::variant<Decision, RefusedStep> place_decision(const ListedSteps &steps, const State &state,
                                                   FuncId func);

// Return all values of a place, and of a member's tile, in the order of the list.
std::vector<DecisionValue> place_values();
std::vector<DecisionValue> member_tile_values();

// Returns the possible points per thread of a loop of a Func in a block; `threads` is its band.
std::vector<DecisionValue> member_serials(const SearchSpace &space, const Band &threads,
                                          size_t loop, const DecisionValue &own);

}  // namespace autoschedule_gpu
