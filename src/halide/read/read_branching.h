// How wide the expressions of a stage are.
#pragma once

#include "halide/read/read_loads.h"

namespace autoschedule_gpu::reading {

// The Strahler number of the definition (Anderson 2021, Appendix A: expr_branching): the fewest
// values that must be held at once to evaluate it, each subexpression as often as it occurs. A read
// is one value, whatever its address; so is a variable. At least 1.
int branching_of(const StageGraph &graph);

}  // namespace autoschedule_gpu::reading
