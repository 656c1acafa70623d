#include "lab/run/compare_output.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace autoschedule_gpu {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Half {
    uint16_t bits;
};
struct Bfloat {
    uint16_t bits;
};

template <typename T>
auto element(const std::byte *memory, int64_t index) {
    T value;
    std::memcpy(&value, memory + static_cast<size_t>(index) * sizeof(T), sizeof(T));
    if constexpr (std::is_same_v<T, Half>) {
        return half_to_float(value.bits);
    } else if constexpr (std::is_same_v<T, Bfloat>) {
        return bfloat_to_float(value.bits);
    } else {
        return value;
    }
}

template <typename T>
double distance(T expected, T found) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isfinite(expected) && std::isfinite(found)) {
            return std::fabs(static_cast<double>(expected) - static_cast<double>(found));
        }
        const bool same = expected == found || (std::isnan(expected) && std::isnan(found));
        return same ? 0 : kInfinite;
    } else {
        // The difference of two 64-bit integers is exact as an unsigned number, whatever their
        // signs.
        const auto high = static_cast<uint64_t>(std::max(expected, found));
        const auto low = static_cast<uint64_t>(std::min(expected, found));
        return static_cast<double>(high - low);
    }
}

template <typename T>
double greatest_magnitude(const std::byte *memory, int64_t elements) {
    double greatest = 0;
    for (int64_t i = 0; i < elements; i++) {
        const auto value = static_cast<double>(element<T>(memory, i));
        if (std::isfinite(value)) greatest = std::max(greatest, std::fabs(value));
    }
    return greatest;
}

std::vector<int64_t> coordinates(int64_t index, const std::vector<Dimension> &dimensions) {
    std::vector<int64_t> at(dimensions.size());
    for (const size_t d : storage_order(dimensions)) {
        at[d] = dimensions[d].min + index % dimensions[d].extent;
        index /= dimensions[d].extent;
    }
    return at;
}

template <typename T>
OutputDifference compare_as(const FilterArgument &argument, const std::byte *expected,
                            const std::byte *found, const Tolerance &tolerance) {
    OutputDifference result{.name = argument.name, .elements = elements_of(argument)};
    result.greatest_magnitude = greatest_magnitude<T>(expected, result.elements);
    result.tolerance = static_cast<double>(tolerance.integer_steps);
    if (argument.type.is_float()) {
        const double scale = result.greatest_magnitude > 0 ? result.greatest_magnitude : 1;
        result.tolerance = relative_limit(argument.type, tolerance) * scale;
    }
    int64_t worst = -1;
    for (int64_t i = 0; i < result.elements; i++) {
        const double difference = distance(element<T>(expected, i), element<T>(found, i));
        if (difference > result.tolerance) result.wrong_elements++;
        if (difference <= result.worst_difference) continue;
        result.worst_difference = difference;
        worst = i;
    }
    if (worst < 0) return result;
    result.worst_at = coordinates(worst, argument.dimensions);
    result.worst_expected = static_cast<double>(element<T>(expected, worst));
    result.worst_found = static_cast<double>(element<T>(found, worst));
    return result;
}

std::string nine_digits(double value) {
    std::array<char, 32> buffer;
    const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                           std::chars_format::general, 9);
    return {buffer.data(), end};
}

}  // namespace

bool is_constant(const FilterArgument &argument, const std::byte *memory) {
    const size_t bytes = bytes_of(argument), element = argument.type.bytes();
    return bytes > element && std::memcmp(memory, memory + element, bytes - element) == 0;
}

double relative_limit(ElementType type, const Tolerance &tolerance) {
    if (tolerance.relative) return *tolerance.relative;
    if (type.kind == ElementKind::bfloat) return 0.04;
    return type.bits == 16 ? 0.005 : type.bits == 32 ? 1e-4 : 1e-9;
}

OutputDifference compare_output(const FilterArgument &argument, const std::byte *expected,
                                const std::byte *found, const Tolerance &tolerance) {
    const auto as = [&]<typename T>() {
        return compare_as<T>(argument, expected, found, tolerance);
    };
    const int bits = argument.type.bits;
    switch (argument.type.kind) {
        case ElementKind::ieee_float:
            if (bits == 16) return as.operator()<Half>();
            return bits == 32 ? as.operator()<float>() : as.operator()<double>();
        case ElementKind::bfloat:
            return as.operator()<Bfloat>();
        case ElementKind::signed_integer:
            if (bits == 8) return as.operator()<int8_t>();
            if (bits == 16) return as.operator()<int16_t>();
            return bits == 32 ? as.operator()<int32_t>() : as.operator()<int64_t>();
        case ElementKind::unsigned_integer:
            if (bits <= 8) return as.operator()<uint8_t>();
            if (bits == 16) return as.operator()<uint16_t>();
            return bits == 32 ? as.operator()<uint32_t>() : as.operator()<uint64_t>();
        case ElementKind::handle:
            break;
    }
    return as.operator()<uint64_t>();
}

std::string describe(const OutputDifference &output) {
    std::string at;
    for (const int64_t coordinate : output.worst_at) {
        at += (at.empty() ? "" : ", ") + std::to_string(coordinate);
    }
    return std::to_string(output.wrong_elements) + " of " + std::to_string(output.elements) +
           " elements of " + output.name + " are wrong; the worst, at (" + at + "), is " +
           nine_digits(output.worst_found) + " and should be " +
           nine_digits(output.worst_expected) + " to within " + nine_digits(output.tolerance);
}

}  // namespace autoschedule_gpu
