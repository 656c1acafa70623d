// Quotients of integers, rounded up and down; `b` is greater than 0.
#pragma once

#include <cstdint>

namespace autoschedule_gpu {

// `a` is 0 or greater.
constexpr int64_t ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

constexpr int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

}  // namespace autoschedule_gpu
