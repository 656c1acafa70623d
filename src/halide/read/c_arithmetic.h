// Arithmetic of which Halide 21 writes something else in C than it means.
#pragma once

#include <Halide.h>

#include "halide/read/read_loads.h"

namespace autoschedule_gpu::reading {

// Returns true if `e` is a remainder of floating-point numbers, which has the divisor's sign in
// Halide and the dividend's in C, unless neither can be negative.
bool is_remainder_of_any_sign(const Halide::Expr &e);

// Returns true if the operation `e`, its operands left aside, is or becomes one with a constant of
// type double that float does not have: 0.1, a division by 3, or a limit that a conversion
// saturates at. (OpenCL C gets constants as float.)
bool needs_constant_beyond_float(const Halide::Expr &e);

// Returns true if the definition divides an unsigned integer by what may be 0 as far as Halide can
// prove. The quotient and the remainder are 0 then in Halide, and anything in C.
bool may_divide_unsigned_by_zero(const StageGraph &graph);

}  // namespace autoschedule_gpu::reading
