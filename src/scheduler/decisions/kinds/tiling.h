// How a stage at root is tiled, as coordinates of a list: the kinds reduction, serial and threads,
// whose values are documented in autoschedule_gpu/decision.h.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "scheduler/decisions/kinds/step.h"

namespace autoschedule_gpu {

// Appends what a complete state has decided for the stage.
void read_tiling(const StepReader &reader, StageId stage, std::vector<Coordinate> &list);

// Returns the tiling that the list asks for. What the list lacks is taken from `plain`.
std::variant<Tiling, RefusedStep> listed_tiling(const ListedSteps &steps, StageId stage,
                                                const Tiling &plain);

// Return the values of a loop's coordinates: both of a reduction and of a row; of a size, those
// that the space lists and its own.
std::vector<DecisionValue> reduction_values();
std::vector<DecisionValue> rows_values();
std::vector<DecisionValue> loop_sizes(const SearchSpace &space, StageId stage, size_t loop,
                                      int64_t LoopTile::*member, const DecisionValue &own);

}  // namespace autoschedule_gpu
