// Counts the arithmetic of lowered code, statement by statement: what a thread computes anew when
// it executes the statement itself, without the statements inside.
//
// An operation yields a new number: addition, subtraction, multiplication, division, remainder,
// minimum, maximum, absolute value, rounding, root, exponential, logarithm, power, sine, cosine,
// bitwise operations and shifts. Each counts as one, a fused multiplication and addition as two,
// and a vector operation as many as it has lanes. Counted are
//
//   - all operations on floating-point numbers;
//   - those on integers that depend on something loaded;
//   - as `other`, all else: those on integers that serve loops and addresses, which are the
//     schedule's own cost, not the pipeline's work, and comparisons, selections and conversions,
//     which choose or rewrite an existing number. A constant that is added to an address is part
//     of the instruction that loads or stores.
//
// What the thread already has is not computed again, as for loads (kept_values.h). Equal
// expressions are one value, until something may have been stored to what they load (addresses that
// differ by a constant are different) or threads meet. What a branch or an iteration computed is
// forgotten after it.
#pragma once

#include <vector>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

struct Operations {
    double floats = 0;
    double integers = 0;
    // Floating-point and integer: divisions by what is not constant, roots, transcendentals.
    double special = 0;
    // Those multiplications that are fused with additions, however many, and not done by
    // themselves.
    double fused_floats = 0;  // but for doubles
    double fused_integers = 0;
    // Of the floating-point operations, those on doubles that are not special.
    double doubles = 0;
    // What the units for doubles execute: these, a fused multiplication with its addition as one,
    // and what is inside special operations.
    double double_instructions = 0;
    // What loops and addresses need, comparisons, selections, conversions, and what else is inside
    // transcendental functions and divisions of integers, by constants and of 64 bits.
    double other = 0;
};

// Returns the operations by statement. Statements outside `kernels` have none.
std::vector<Operations> operations_by_statement(const lowered::Code &code,
                                                const std::vector<lowered::StatementId> &kernels);

}  // namespace autoschedule_gpu
