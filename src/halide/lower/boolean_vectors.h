// Vectors of Booleans in lowered code, of which Halide 21 makes wrong OpenCL C.
#pragma once

#include <Halide.h>

namespace autoschedule_gpu {

// Returns true if the code reckons with vectors of Booleans as with numbers, as it does where two
// comparisons are cast and added, their maximum is taken, or one is asked to be less than the
// other. In OpenCL C true is -1 in a vector: Halide's text takes the smaller one for the maximum,
// true for less than false, and no compiler takes its sums. A cast alone, a choice, logic and
// equality are right.
bool reckons_with_boolean_vectors(const Halide::Internal::Stmt &stmt);

}  // namespace autoschedule_gpu
