// A stage may have two schedules: for full tiles, and for all other sizes. What kinds of decisions
// add to a stage comes behind both.
#pragma once

#include <cstdint>
#include <functional>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"
#include "scheduler/schedule/write/directive_list.h"

namespace autoschedule_gpu::writing {

// For which sizes a stage is written. For other sizes than those of full tiles the grid has one
// dimension, of which it holds most, and code is small, for that is seldom.
enum class Tiles : uint8_t { full, any };

// Writes a stage by `write`, twice where tiles need not be full, first for full ones, and its
// settings.
void write_branches(DirectiveList &out, const Kernel &kernel, StageId stage,
                    const std::function<void(Tiles)> &write);

// What kinds of decisions have to add that no field of a band tells.
void write_settings(DirectiveList &out, const Kernel &kernel, StageId stage, Branch branch);

}  // namespace autoschedule_gpu::writing
