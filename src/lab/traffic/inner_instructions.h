// Instructions inside operations that machines have no single one for: quotients, roots, functions.
#pragma once

#include <cstdint>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

bool is_double(const lowered::Type &type);

// What a special operation takes more than a quotient of floats.
struct InnerInstructions {
    double other = 0;
    double doubles = 0;  // those of the units for doubles
};

// Of a special operation (Operations::special).
InnerInstructions inner_instructions(const lowered::Expr &special);

// Returns how many instructions the quotient of integers by a constant takes more than the one that
// it counts as, in the machine code of sm_90: a power of two takes a shift.
double inner_instructions_by_constant(const lowered::Type &type, int64_t constant);

}  // namespace autoschedule_gpu
