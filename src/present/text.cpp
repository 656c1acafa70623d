#include "present/text.h"

#include <algorithm>
#include <cstdint>

namespace autoschedule_gpu {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Returns the number of bytes of the code point at the start of `text`; 0 if XML may not hold it.
size_t code_point_bytes(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80) return 1;
    const size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return 0;
    uint32_t code = byte(0) & (0x7F >> size);
    for (size_t i = 1; i < size; i++) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3F);
    }
    constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    const bool no_character = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return code < kLeast[size] || surrogate || no_character ? 0 : size;
}

// Returns true for control characters: those of one byte, and the C1 controls, which have two.
bool is_control(std::string_view code_point) {
    const unsigned char first = static_cast<unsigned char>(code_point[0]);
    if (code_point.size() == 1) return first < 0x20 || first == 0x7F;
    return first == 0xC2 && static_cast<unsigned char>(code_point[1]) < 0xA0;
}

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool begins_code_point(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

// Returns how many bytes of a word that is too long for one line go onto this one.
size_t bytes_that_fit(std::string_view word, size_t width) {
    size_t bytes = 0, after_punctuation = 0;
    for (size_t points = 0; bytes < word.size(); bytes++) {
        if (begins_code_point(word[bytes]) && ++points > width) break;
        if (std::string_view(":,;=/_-.").find(word[bytes]) != std::string_view::npos) {
            after_punctuation = bytes + 1;
        }
    }
    return after_punctuation > 0 ? after_punctuation : bytes;
}

}  // namespace

std::string clean_text(std::string_view text) {
    std::string clean;
    while (!text.empty()) {
        const size_t size = code_point_bytes(text);
        const std::string_view shown = size == 0 ? kReplacement : text.substr(0, size);
        text.remove_prefix(size == 0 ? 1 : size);
        if (is_space(shown[0])) {
            clean += ' ';
        } else if (!is_control(shown)) {
            clean += shown;
        }
    }
    return clean;
}

size_t text_width(std::string_view text) {
    size_t width = 0;
    for (const char c : text) width += begins_code_point(c);
    return width;
}

std::vector<std::string> wrapped(std::string_view text, size_t width) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word.empty()) continue;
        if (!lines.empty() && text_width(lines.back()) + 1 + text_width(word) <= width) {
            lines.back() += " " + std::string(word);
            continue;
        }
        while (text_width(word) > width) {
            const size_t piece = bytes_that_fit(word, width);
            lines.emplace_back(word.substr(0, piece));
            word.remove_prefix(piece);
        }
        lines.emplace_back(word);
    }
    return lines;
}

}  // namespace autoschedule_gpu
