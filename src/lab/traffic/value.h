// What an expression is worth for every thread of a block at once.
//
// A value has `lanes` numbers per thread (one, unless the expression is a vector). It is uniform
// when all threads have the same ones, and then holds them once; otherwise element (lane l, thread
// t) is at l * threads + t, so that one lane of all threads lies together.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/lowered/lowered.h"

namespace autoschedule_gpu {

struct Value {
    bool uniform = true;
    // One of the two is in use, after the kind of the type.
    std::vector<int64_t> integers;
    std::vector<double> reals;
};
using ValueRef = std::shared_ptr<const Value>;

ValueRef uniform_integer(int64_t number);

// Element of lane l and thread t of a value for `threads` threads.
inline int64_t integer_at(const Value &value, int64_t lane, int64_t thread, int64_t threads) {
    return value.integers[value.uniform ? lane : lane * threads + thread];
}

// `type` is the result's, `operand_type` that of operand 0 (of operand 1 for select and choose).
// `op` is any that computes from values alone: not a constant, variable, let, load or unknown.
ValueRef apply_op(const lowered::Expr &expr, const lowered::Type &operand_type,
                  const std::vector<ValueRef> &operands, int64_t threads);

// A number that nobody knows, made up from `seed`: the same seed gives the same number. Reals lie
// in [0, 1), integers of up to 16 bits anywhere in their type, and wider ones in [0, 256), for they
// are mostly labels and table indices.
int64_t made_up_integer(const lowered::Type &type, uint64_t seed);
double made_up_real(uint64_t seed);

}  // namespace autoschedule_gpu
