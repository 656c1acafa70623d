#include "difference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace autoschedule_gpu::apps {
namespace {

template <typename T>
double distance(T expected, T found) {
    if (expected == found) return 0;
    if constexpr (std::is_floating_point_v<T>) {
        const double between = std::abs(static_cast<double>(expected) - static_cast<double>(found));
        return std::isnan(between) ? std::numeric_limits<double>::infinity() : between;
    } else {
        // Exact as an unsigned number, whatever the signs of 64-bit integers are.
        const auto high = static_cast<uint64_t>(std::max(expected, found));
        const auto low = static_cast<uint64_t>(std::min(expected, found));
        return static_cast<double>(high - low);
    }
}

template <typename T>
Difference difference_of(const Halide::Runtime::Buffer<> &reference,
                         const Halide::Runtime::Buffer<> &candidate,
                         const AllowedDifference &allowed) {
    const Halide::Runtime::Buffer<const T> expected(reference);
    const Halide::Runtime::Buffer<const T> found(candidate);
    double largest = 0, peak = 0;
    expected.for_each_element([&](const int *position) {
        const T value = expected(position);
        largest = std::max(largest, distance<T>(value, found(position)));
        const double magnitude = std::abs(static_cast<double>(value));
        if (std::isfinite(magnitude)) peak = std::max(peak, magnitude);
    });
    return {largest, std::is_floating_point_v<T> ? allowed.of_floats * peak : allowed.of_integers};
}

}  // namespace

Difference difference(const Halide::Runtime::Buffer<> &reference,
                      const Halide::Runtime::Buffer<> &candidate,
                      const AllowedDifference &allowed) {
    const auto as = [&]<typename T>(T) { return difference_of<T>(reference, candidate, allowed); };
    const halide_type_t type = reference.type();
    if (type == halide_type_of<float>()) return as(float{});
    if (type == halide_type_of<double>()) return as(double{});
    if (type == halide_type_of<bool>()) return as(bool{});
    if (type == halide_type_of<int8_t>()) return as(int8_t{});
    if (type == halide_type_of<int16_t>()) return as(int16_t{});
    if (type == halide_type_of<int32_t>()) return as(int32_t{});
    if (type == halide_type_of<int64_t>()) return as(int64_t{});
    if (type == halide_type_of<uint8_t>()) return as(uint8_t{});
    if (type == halide_type_of<uint16_t>()) return as(uint16_t{});
    if (type == halide_type_of<uint32_t>()) return as(uint32_t{});
    if (type == halide_type_of<uint64_t>()) return as(uint64_t{});
    throw std::runtime_error("outputs of " + std::to_string(type.bits) +
                             " bits of this kind (floats of 16 bits, pointers) can't be compared; "
                             "integers can, and floats of 32 or 64 bits");
}

}  // namespace autoschedule_gpu::apps
