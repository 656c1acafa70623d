// A 64-bit hash as text: 16 lower-case hexadecimal digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

inline std::string to_hex(uint64_t value) {
    std::string digits(16, '0');
    for (size_t i = 16; i-- > 0; value >>= 4) digits[i] = "0123456789abcdef"[value & 15];
    return digits;
}

// Nothing for text that is none.
inline std::optional<uint64_t> from_hex(std::string_view digits) {
    if (digits.size() != 16) return std::nullopt;
    uint64_t value = 0;
    for (char c : digits) {
        const size_t digit = std::string_view("0123456789abcdef").find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        value = value << 4 | digit;
    }
    return value;
}

}  // namespace autoschedule_gpu
