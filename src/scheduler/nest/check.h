// The invariants of a nest, each with a name. A nest without violations is a schedule that Halide
// accepts and that computes the right thing (src/halide/README.md, 'Where a
// Func may be computed').
#pragma once

#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// One sentence per violation. `complete`: every Func must have been decided.
enum class Completeness : uint8_t { partial, complete };
std::vector<std::string> check(const Dag &dag, const Nest &nest, Completeness completeness);

}  // namespace autoschedule_gpu
