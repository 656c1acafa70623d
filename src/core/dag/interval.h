// A closed range of integers, [min, max], as Halide's bounds are. It is empty when max < min.
#pragma once

#include <algorithm>
#include <cstdint>

namespace autoschedule_gpu {

struct Interval {
    int64_t min = 0;
    int64_t max = -1;

    static constexpr Interval from_extent(int64_t min, int64_t extent) {
        return {min, min + extent - 1};
    }

    constexpr bool empty() const { return max < min; }
    constexpr int64_t extent() const { return empty() ? 0 : max - min + 1; }
    constexpr bool contains(const Interval &other) const {
        return other.empty() || (min <= other.min && other.max <= max);
    }
    // Grows this to the smallest interval that contains both.
    constexpr void include(const Interval &other) {
        if (other.empty()) return;
        if (empty()) {
            *this = other;
            return;
        }
        min = std::min(min, other.min);
        max = std::max(max, other.max);
    }
    friend constexpr bool operator==(const Interval &, const Interval &) = default;
};

}  // namespace autoschedule_gpu
