// The decision where a Func is computed, as coordinates of a list (decision_list.h):
//
//   place        of a Func; from the inside outwards (nest/place.h)
//                  inline      evaluated where it is read
//                  threads     in the threads that read it, in registers
//                  loop        in the block, in the loop of the reduction that reads it
//                  block       in the block of the only kernel that reads it, in shared memory
//                  block_loop  the same, its own reduction outside its threads, so that what that
//                              one reads may be computed in the loop
//                  root        in a kernel of its own
//   member_tile  of a Func in a block that copies another: "split", each thread has neighbouring
//                points, as many as `serial` says; "dealt", the root stage's threads stride over
//                them
//   serial       of a loop of a Func in a block: neighbouring points per thread
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scheduler/decisions/kinds/step.h"

namespace autoschedule_gpu {

// What a complete state has decided for the Func.
void read_place(const StepReader &reader, FuncId func, std::vector<Coordinate> &list);

// The decision that the list makes in this state, which nothing yet says is legal.
std::variant<Decision, RefusedStep> place_decision(const ListedSteps &steps, const State &state,
                                                   FuncId func);

// All values of a place, and of a member's tile, in the order of the list.
std::vector<DecisionValue> place_values();
std::vector<DecisionValue> member_tile_values();

// Points per thread that a loop of the Func in a block might have; `threads`: its band.
std::vector<DecisionValue> member_serials(const SearchSpace &space, const Band &threads,
                                          size_t loop, const DecisionValue &own);

}  // namespace autoschedule_gpu
