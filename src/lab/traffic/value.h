// The value of an expression for every thread of a block at once.
//
// A value has `lanes` numbers per thread (one, unless the expression is a vector). A uniform value,
// which is the same for all threads, holds them once. Otherwise element (lane l, thread t) is at l
// * threads + t, so that one lane of all threads is contiguous.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

struct Value {
    bool uniform = true;
    // One of the two is used, depending on the kind of the type.
    std::vector<int64_t> integers;
    std::vector<double> reals;
};
using ValueRef = std::shared_ptr<const Value>;

ValueRef uniform_integer(int64_t number);

// Returns the element of lane l and thread t of a value for `threads` threads.
inline int64_t integer_at(const Value &value, int64_t lane, int64_t thread, int64_t threads) {
    return value.integers[value.uniform ? lane : lane * threads + thread];
}

// Applies `expr.op`, which must compute from values alone: not a constant, variable, let, load or
// unknown. `operand_type` is the type of operand 0 (of operand 1 for select and choose). The
// result's type is expr.type.
ValueRef apply_op(const lowered::Expr &expr, const lowered::Type &operand_type,
                  const std::vector<ValueRef> &operands, int64_t threads);

// Makes up a number that is not known from `seed`: the same seed gives the same number. Reals lie
// in [0, 1), integers of up to 16 bits anywhere in their type, and wider ones in [0, 256), because
// they are mostly labels and table indices.
int64_t made_up_integer(const lowered::Type &type, uint64_t seed);
double made_up_real(uint64_t seed);

}  // namespace autoschedule_gpu
