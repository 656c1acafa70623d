#include "lab/run/element_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace autoschedule_gpu {

namespace {

struct KindName {
    ElementKind kind;
    std::string_view name;
};

constexpr std::array<KindName, 5> kKindNames = {{{ElementKind::signed_integer, "int"},
                                                 {ElementKind::unsigned_integer, "uint"},
                                                 {ElementKind::ieee_float, "float"},
                                                 {ElementKind::bfloat, "bfloat"},
                                                 {ElementKind::handle, "handle"}}};

bool is_known(ElementType type) {
    const int bits = type.bits;
    switch (type.kind) {
        case ElementKind::signed_integer:
            return bits == 8 || bits == 16 || bits == 32 || bits == 64;
        case ElementKind::unsigned_integer:
            return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
        case ElementKind::ieee_float:
            return bits == 16 || bits == 32 || bits == 64;
        case ElementKind::bfloat:
            return bits == 16;
        case ElementKind::handle:
            return bits == 64;
    }
    return false;
}

}  // namespace

std::string to_string(ElementType type) {
    if (type == ElementType{ElementKind::unsigned_integer, 1}) return "bool";
    for (const KindName &kind : kKindNames) {
        if (kind.kind == type.kind) return std::string(kind.name) + std::to_string(type.bits);
    }
    return {};
}

Result<ElementType> parse_element_type(std::string_view text) {
    if (text == "bool") return ElementType{ElementKind::unsigned_integer, 1};
    for (const KindName &kind : kKindNames) {
        if (!text.starts_with(kind.name)) continue;
        ElementType type{kind.kind, 0};
        const char *last = text.data() + text.size();
        const auto [end, code] = std::from_chars(text.data() + kind.name.size(), last, type.bits);
        if (code == std::errc() && end == last && is_known(type)) return type;
    }
    return Error{"expected an element type such as float32, found '" + std::string(text) + "'"};
}

float half_to_float(uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const int fraction = bits & 1023;
    float value = 0;
    if (exponent == 31) {
        value = fraction == 0 ? INFINITY : NAN;
    } else if (exponent == 0) {
        value = std::ldexp(static_cast<float>(fraction), -24);
    } else {
        value = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    }
    return (bits & 0x8000) != 0 ? -value : value;
}

uint16_t float_to_half(float value) {
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value)) return sign | 0x7e00;
    const float magnitude = std::fabs(value);
    if (std::isinf(value)) return sign | 0x7c00;
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    // The halves near the value are multiples of 2^unit; below 2^-14 they are evenly spaced.
    const int unit = std::max(exponent - 11, -24);
    const float units = std::nearbyint(std::ldexp(magnitude, -unit));
    const float rounded = std::ldexp(units, unit);
    if (rounded >= 65536.0f) return sign | 0x7c00;
    if (rounded < 0x1p-14f) {
        return sign | static_cast<uint16_t>(std::ldexp(rounded, 24));
    }
    std::frexp(rounded, &exponent);
    const auto fraction = static_cast<uint16_t>(std::ldexp(rounded, 11 - exponent)) & 1023;
    return static_cast<uint16_t>(sign | ((exponent + 14) << 10) | fraction);
}

float bfloat_to_float(uint16_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t float_to_bfloat(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    if (std::isnan(value)) return static_cast<uint16_t>((bits >> 16) | 0x40);
    const uint32_t odd = (bits >> 16) & 1;
    return static_cast<uint16_t>((bits + 0x7fff + odd) >> 16);
}

void store_number(ElementType type, double number, std::byte *to) {
    const auto put = [&](auto element) { std::memcpy(to, &element, sizeof element); };
    switch (type.kind) {
        case ElementKind::ieee_float:
            if (type.bits == 16) return put(float_to_half(static_cast<float>(number)));
            if (type.bits == 32) return put(static_cast<float>(number));
            return put(number);
        case ElementKind::bfloat:
            return put(float_to_bfloat(static_cast<float>(number)));
        case ElementKind::signed_integer:
            if (type.bits == 8) return put(static_cast<int8_t>(number));
            if (type.bits == 16) return put(static_cast<int16_t>(number));
            if (type.bits == 32) return put(static_cast<int32_t>(number));
            return put(static_cast<int64_t>(number));
        case ElementKind::unsigned_integer:
            if (type.bits <= 8) return put(static_cast<uint8_t>(number));
            if (type.bits == 16) return put(static_cast<uint16_t>(number));
            if (type.bits == 32) return put(static_cast<uint32_t>(number));
            return put(static_cast<uint64_t>(number));
        case ElementKind::handle:
            return put(uint64_t{0});
    }
}

double load_number(ElementType type, const std::byte *from) {
    const auto get = [&](auto element) {
        std::memcpy(&element, from, sizeof element);
        return element;
    };
    const auto number = [](auto element) { return static_cast<double>(element); };
    switch (type.kind) {
        case ElementKind::ieee_float:
            if (type.bits == 16) return number(half_to_float(get(uint16_t{})));
            return type.bits == 32 ? number(get(float{})) : get(double{});
        case ElementKind::bfloat:
            return number(bfloat_to_float(get(uint16_t{})));
        case ElementKind::signed_integer:
            if (type.bits == 8) return number(get(int8_t{}));
            if (type.bits == 16) return number(get(int16_t{}));
            return type.bits == 32 ? number(get(int32_t{})) : number(get(int64_t{}));
        case ElementKind::unsigned_integer:
            if (type.bits <= 8) return number(get(uint8_t{}));
            if (type.bits == 16) return number(get(uint16_t{}));
            return type.bits == 32 ? number(get(uint32_t{})) : number(get(uint64_t{}));
        case ElementKind::handle:
            break;
    }
    return 0;
}

}  // namespace autoschedule_gpu
