// Tilings for blocks that have whole rows: what is found of a row (its sum, its greatest value) is
// computed by all threads of the block that uses it. The stage either strides through the row as
// well, of any length, or has few points in the block, a row each. This goes beyond the papers,
// whose blocks have tiles of a stage with a warp of threads at least.
#pragma once

#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/nest/nest.h"
#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu {

// Those of a stage at root, in a fixed order. Through rows: along the loop that would be thread x,
// 32 to 512 threads that have at least two iterations each; along the next, up to 8; of the others
// one iteration a block; only if all iterations along the row read the same outcome of a reduction.
// Of few points: up to 8 along that loop, if the stage reads such an outcome at all. None that
// leave SMs idle, but that of all points, if these are no more than a block's threads. Rejections
// are added to `counts`.
std::vector<Tiling> whole_row_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                      StageId stage, RuleCounts &counts);

}  // namespace autoschedule_gpu
