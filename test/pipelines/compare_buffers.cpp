#include "pipelines/compare_buffers.h"

#include <cmath>
#include <sstream>

namespace autoschedule_gpu::testing {

namespace {

constexpr double kTolerance = 1e-4;

template <typename T>
double greatest_magnitude(const Halide::Buffer<T> &image) {
    double greatest = 0;
    image.for_each_value([&](T value) {
        const double magnitude = std::abs(static_cast<double>(value));
        if (std::isfinite(magnitude)) greatest = std::max(greatest, magnitude);
    });
    return greatest;
}

template <typename T>
bool agree(T got, T expected, double scale) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
        if (std::isinf(got) || std::isinf(expected)) return got == expected;
        return std::abs(double(got) - expected) <=
               kTolerance * (std::abs(double(expected)) + std::max(1.0, scale));
    } else {
        return got == expected;
    }
}

// A number as text, also where it is a character or a float of 16 bits.
template <typename T>
auto printed(T value) {
    if constexpr (std::is_arithmetic_v<T>) {
        return +value;
    } else {
        return static_cast<double>(value);
    }
}

template <typename T>
std::string compare(const Halide::Buffer<> &got_image, const Halide::Buffer<> &expected_image) {
    const Halide::Buffer<T> got(got_image), expected(expected_image);
    const double scale = greatest_magnitude(expected);
    int64_t differing = 0;
    std::ostringstream text;
    expected.for_each_element([&](const int *position) {
        if (agree(got(position), expected(position), scale)) return;
        if (differing++ > 0) return;
        text << "at [";
        for (int d = 0; d < expected.dimensions(); ++d) text << (d ? ", " : "") << position[d];
        text << "]: got " << printed(got(position)) << ", expected " << printed(expected(position));
    });
    if (differing == 0) return {};
    text << " (" << differing << " of " << expected.number_of_elements() << " differ)";
    return text.str();
}

}  // namespace

std::string compare_buffers(const Halide::Buffer<> &got, const Halide::Buffer<> &expected) {
    const Halide::Type type = expected.type();
    if (type == Halide::Bool()) return compare<bool>(got, expected);
    if (type == Halide::UInt(8)) return compare<uint8_t>(got, expected);
    if (type == Halide::UInt(16)) return compare<uint16_t>(got, expected);
    if (type == Halide::UInt(32)) return compare<uint32_t>(got, expected);
    if (type == Halide::UInt(64)) return compare<uint64_t>(got, expected);
    if (type == Halide::Int(8)) return compare<int8_t>(got, expected);
    if (type == Halide::Int(16)) return compare<int16_t>(got, expected);
    if (type == Halide::Int(32)) return compare<int32_t>(got, expected);
    if (type == Halide::Int(64)) return compare<int64_t>(got, expected);
    if (type == Halide::Float(16)) return compare<Halide::float16_t>(got, expected);
    if (type == Halide::BFloat(16)) return compare<Halide::bfloat16_t>(got, expected);
    if (type == Halide::Float(32)) return compare<float>(got, expected);
    if (type == Halide::Float(64)) return compare<double>(got, expected);
    return "outputs of this type can't be compared";
}

}  // namespace autoschedule_gpu::testing
