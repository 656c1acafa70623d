// The decision how a stage at root is tiled, as coordinates of a list (decision_list.h):
//
//   reduction    of a loop of an update
//                  serial      in each thread, whole
//                  atomic      shared by blocks and threads
//   serial       of a loop: neighbouring points per thread
//   threads      of a loop: threads per block
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "scheduler/decisions/kinds/step.h"

namespace autoschedule_gpu {

// What a complete state has decided for the stage.
void read_tiling(const StepReader &reader, StageId stage, std::vector<Coordinate> &list);

// The tiling by the list; what it lacks is as in `plain`.
std::variant<Tiling, RefusedStep> listed_tiling(const ListedSteps &steps, StageId stage,
                                                const Tiling &plain);

// The values of a loop's coordinates: both of a reduction; of a size those that the space lists,
// and its own.
std::vector<DecisionValue> reduction_values();
std::vector<DecisionValue> loop_sizes(const SearchSpace &space, StageId stage, size_t loop,
                                      int64_t LoopTile::*member, const DecisionValue &own);

}  // namespace autoschedule_gpu
