// Candidates without vectors, for what Halide's OpenCL C can't have in vectors: of Booleans it is
// wrong, or no compiler takes it (src/halide/README.md, "Vectors of Booleans in OpenCL").
#pragma once

#include <optional>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Nothing: the nest has none.
std::optional<Nest> without_vectors(const Dag &dag, Nest nest);

}  // namespace autoschedule_gpu
