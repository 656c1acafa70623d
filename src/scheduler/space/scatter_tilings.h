// Tilings of a stage that reads what another Func scatters to: grid(x, y, bin(x, y)) += v, read at
// grid(x, y, z). Whichever z a block reads, the whole range of bins is computed for it; so a thread
// has all iterations of the loop over z, and what is scattered to may stay in the block. That is
// for loops of which Halide does not know how long they are: of a constant number of iterations
// other tilings have all in a block as well, and may give each to a thread of its own.
#pragma once

#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/nest/nest.h"
#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu {

// None for a stage that reads no such Func. `counts`: of those that rules reject.
std::vector<Tiling> scatter_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                    StageId stage, RuleCounts &counts);

}  // namespace autoschedule_gpu
