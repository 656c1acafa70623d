// A pipeline whose schedule is only tried out need not become the code that would run: what makes
// code large, and lowering slow, without making Halide refuse anything is undone here.
#pragma once

#include <Halide.h>

#include <span>

namespace autoschedule_gpu {

// Halide makes three copies of a loop whose first and last iterations need checks, and as many of
// an unrolled one as it has iterations. Loops of these Funcs are not partitioned any more, and not
// unrolled if their number of iterations is known from the schedule alone. (That of others Halide
// has to find, and it refuses to unroll them where it is no constant.)
void keep_code_small(std::span<const Halide::Func> funcs);

}  // namespace autoschedule_gpu
