// The arithmetic of lowered code, statement by statement: what a thread computes anew when it
// executes the statement itself, without the statements inside.
//
// An operation yields a new number: addition, subtraction, multiplication, division, remainder,
// minimum, maximum, absolute value, rounding, root, exponential, logarithm, power, sine, cosine,
// and the bitwise ones and shifts. Each counts as one, a fused multiplication and addition as two,
// a vector as many as it has lanes. Comparisons, selections and conversions are none: they choose
// or rewrite a number that is there. Counted are
//
//   - all operations on floating-point numbers;
//   - those on integers that depend on something loaded. The others serve loops and addresses: the
//     schedule's own cost, not the pipeline's work.
//
// What the thread has at hand already is not computed again, as for loads (kept_values.h): equal
// expressions are one value, until something may have been stored to what they load (addresses that
// differ by a constant are told apart) or threads meet; what a branch or an iteration computed is
// forgotten behind it.
#pragma once

#include <vector>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

struct Operations {
    double floats = 0;
    double integers = 0;
    double special = 0;  // of both: divisions by what is no constant, roots, transcendentals
    // Multiplications that an addition takes up.
    double fused_floats = 0;
    double fused_integers = 0;
};

// By statement. Of statements outside `kernels`, none.
std::vector<Operations> operations_by_statement(const lowered::Code &code,
                                                const std::vector<lowered::StatementId> &kernels);

}  // namespace autoschedule_gpu
