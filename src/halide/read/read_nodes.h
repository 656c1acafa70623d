// Measures how long the expressions of a stage are.
#pragma once

#include "halide/read/read_loads.h"

namespace autoschedule_gpu::reading {

// Returns the nodes of the definition's expressions, addresses of reads included: what Halide has to
// rewrite wherever it writes the stage out. What expressions share counts once.
int nodes_of(const StageGraph &graph);

}  // namespace autoschedule_gpu::reading
