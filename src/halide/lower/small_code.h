// Keeps trial code small. A schedule that is only tried out need not become the code that would
// run, so directives that make code large and lowering slow, but that Halide never refuses, are
// undone.
#pragma once

#include <Halide.h>

#include <span>

namespace autoschedule_gpu {

// Stops Halide from partitioning the loops of these Funcs, and from unrolling them where the number
// of iterations follows from the schedule alone. Partitioning triples a loop whose first and last
// iterations need checks, and unrolling copies it once per iteration. Other unrolled loops stay:
// Halide has to find their number of iterations and refuses the schedule if it is not constant.
// Branches, which are schedules for other sizes, are kept as small. Funcs may be undefined.
void keep_code_small(std::span<const Halide::Func> funcs);

// Leaves of each stage the schedule that is taken where no condition holds. Branches that read
// other Funcs stay.
void forget_branches(std::span<const Halide::Func> funcs);

}  // namespace autoschedule_gpu
