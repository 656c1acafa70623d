// Candidates without vectors. Halide's OpenCL C can't have all that it has in vectors: of Booleans
// and tests for NaN it makes code that is wrong, or none at all (src/halide/README.md).
#pragma once

#include <optional>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Nothing: the nest has none.
std::optional<Nest> without_vectors(const Dag &dag, Nest nest);

}  // namespace autoschedule_gpu
