// Estimates how many values a thread of a kernel keeps at once, in the order in which lowered code
// computes them. The number of registers is up to the compiler, which may choose another order.
#pragma once

#include <cstdint>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

struct LiveValues {
    int64_t most_words = 0;  // the peak, in words of 32 bits
    int64_t values = 0;      // number of different values
};

// Walks `kernel`, a statement of `code` such as one of CodeFacts::kernels.
//
// A value is computed once and kept until its last use (global value numbering). It costs nothing
// if its only use is immediate, in the expression or store that it is computed for. Equal
// expressions are one value, and so are loads of one address until something may have been stored
// there. Elements of a thread's own arrays are values if their indices are constants. A value that
// was computed before a loop and is used inside is kept to the loop's end. Constants, and sums with
// one, are not values of their own; an address takes two words.
LiveValues live_values(const lowered::Code &code, lowered::StatementId kernel);

}  // namespace autoschedule_gpu
