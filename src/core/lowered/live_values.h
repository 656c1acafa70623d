// How many values a thread of a kernel has at hand at once, in the order in which lowered code
// computes them. Registers are what a compiler makes of that; it may choose another order.
#pragma once

#include <cstdint>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

struct LiveValues {
    int64_t most_words = 0;  // of 32 bits, at the worst place
    int64_t values = 0;      // different ones in all
};

// `kernel` is a statement of `code`, such as one of CodeFacts::kernels.
//
// A value is computed once and kept from then to its last use (global value numbering), for nothing
// if its only use is at once, in the expression or store that it is computed for. Equal
// expressions are one value, loads of one address too until something may have been stored there.
// Elements of a thread's own arrays are values if their indices are constants. What is used in a
// loop, and was computed before it, is kept to the loop's end. Constants, and sums with one, are no
// values of their own; an address takes two words.
LiveValues live_values(const lowered::Code &code, lowered::StatementId kernel);

}  // namespace autoschedule_gpu
