// Distances in memory between neighbours along a dimension, in elements.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/dag/region_program.h"

namespace autoschedule_gpu {

// Returns that of the dimension around one of that stride and extent. It ends at kRegionLimit: a
// dimension of which nothing is known is about as long, and two of them pass what int64 holds.
constexpr int64_t outer_stride(int64_t stride, int64_t extent) {
    int64_t outer = 0;
    if (__builtin_mul_overflow(stride, std::max<int64_t>(1, extent), &outer)) return kRegionLimit;
    return std::min(outer, kRegionLimit);
}

}  // namespace autoschedule_gpu
