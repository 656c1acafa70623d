// Pipelines of any given size, as Dags: what the benchmarks are measured on. All pass dag::check().
// `stages` counts definitions, input images apart, and is met exactly.
#pragma once

#include <cstdint>

#include "core/dag/dag.h"

namespace autoschedule_gpu::example {

// Stencils of 3x3 points, each on the one before.
Dag chain(int stages);

// Local Laplacian filters on pyramids of up to eight levels, each on the result of the one before,
// and 3x3 stencils for what is left. A pyramid of n levels has 9 n - 8 stages: along each dimension
// of its own it is made smaller and larger again, the Laplacian one in eight copies, from which the
// output's levels are gathered.
Dag pyramids(int stages);

// Small images: of the last one eight stencils that do not depend on each other, and what reads all
// of them, again and again; 3x3 stencils for what is left.
Dag siblings(int stages);

// Each Func reads one or two of the latest: points, stencils, clamped and gathered ones; some are
// sums along x. The same seed gives the same pipeline everywhere.
Dag random_pipeline(uint64_t seed, int stages);

}  // namespace autoschedule_gpu::example
