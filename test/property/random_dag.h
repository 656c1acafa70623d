// Random pipelines as Dags: the same seed gives the same one everywhere.
#pragma once

#include "core/dag/dag.h"
#include "core/support/random.h"

namespace autoschedule_gpu::example {

// Up to two inputs, one to `most_funcs` Funcs of one to three dimensions, of which the last, and
// now and then another, are outputs. Stencils, down- and upsampling, clamps, gathers, reductions,
// scans, scatters and host stages all occur. Every Func is read by something or is an output.
Dag random_dag(uint64_t seed, int most_funcs);

}  // namespace autoschedule_gpu::example
