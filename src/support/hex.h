// A 64-bit hash as text: 16 lower-case hexadecimal digits.
#pragma once

#include <cstdint>
#include <string>

namespace autoschedule_gpu {

inline std::string to_hex(uint64_t value) {
    std::string digits(16, '0');
    for (size_t i = 16; i-- > 0; value >>= 4) digits[i] = "0123456789abcdef"[value & 15];
    return digits;
}

}  // namespace autoschedule_gpu
