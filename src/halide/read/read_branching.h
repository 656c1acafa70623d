// Measures how wide the expressions of a stage are.
#pragma once

#include "halide/read/read_loads.h"

namespace autoschedule_gpu::reading {

// Returns the Strahler number of the definition (Anderson et al. 2021, Appendix A: expr_branching):
// the fewest values that must be held at once to evaluate it, each subexpression as often as it
// occurs. A variable counts as one value, and so does a read, whatever its address. At least 1.
int branching_of(const StageGraph &graph);

}  // namespace autoschedule_gpu::reading
