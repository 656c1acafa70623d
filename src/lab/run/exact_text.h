// Numbers as text for commands and files that are read again.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace autoschedule_gpu {

// Returns the shortest text that parses to the same number.
inline std::string exact_text(double value) {
    std::array<char, 32> buffer;
    const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end};
}

}  // namespace autoschedule_gpu
