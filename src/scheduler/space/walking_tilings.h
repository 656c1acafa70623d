// Tilings for blocks that walk (scheduler/nest/sliding.h). This goes beyond the papers.
#pragma once

#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/nest/nest.h"
#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu {

// Those of a stage at root of images and volumes, in a fixed order: along the outermost loop that
// is long enough, 4 to 32 tiles of 1 to 8 points; 32 to 128 threads along the rows; along a loop
// between, so many threads and points of each that a block has up to 512 threads. None that leave
// SMs idle, and none of a stage that does not read other Funcs' stages as a window along that loop.
// Rejections are added to `counts`.
std::vector<Tiling> walking_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                    StageId stage, RuleCounts &counts);

}  // namespace autoschedule_gpu
