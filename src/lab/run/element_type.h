// The element types of Halide's arguments as values. This library converts, fills and compares
// elements by them, without a template at every caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

// `handle` is a pointer: pipelines pass it on, and nothing here looks at what it points to.
enum class ElementKind : uint8_t { signed_integer, unsigned_integer, ieee_float, bfloat, handle };

struct ElementType {
    ElementKind kind = ElementKind::ieee_float;
    int bits = 32;

    size_t bytes() const { return static_cast<size_t>(bits + 7) / 8; }
    bool is_float() const { return kind == ElementKind::ieee_float || kind == ElementKind::bfloat; }

    friend bool operator==(const ElementType &, const ElementType &) = default;
};

// Names a type: "float32", "uint8", "bool" for one unsigned bit, "bfloat16", "handle64".
std::string to_string(ElementType type);
Result<ElementType> parse_element_type(std::string_view text);

// Converts floats of 16 bits. Rounding is to nearest, ties to even; what is too large becomes
// infinite.
float half_to_float(uint16_t bits);
uint16_t float_to_half(float value);
float bfloat_to_float(uint16_t bits);
uint16_t float_to_bfloat(float value);

// Stores a number that the type has, and loads one; integers of 64 bits as far as a double tells
// them from their neighbours. Handles are 0.
void store_number(ElementType type, double number, std::byte *to);
double load_number(ElementType type, const std::byte *from);

}  // namespace autoschedule_gpu
