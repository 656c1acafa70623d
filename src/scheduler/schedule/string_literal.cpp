#include "scheduler/schedule/string_literal.h"

namespace autoschedule_gpu {
namespace {

// The one escape that is the same in both languages, whatever comes behind it.
std::string octal(char c) {
    const auto byte = static_cast<unsigned char>(c);
    std::string text = "\\";
    for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + (byte >> shift & 7));
    return text;
}

}  // namespace

std::string string_literal(std::string_view text) {
    constexpr char kDelete = 0x7f;
    std::string literal = "\"";
    char before = 0;
    for (const char c : text) {
        const bool is_control = (c >= 0 && c < ' ') || c == kDelete;
        // With another character behind them, two of these are one of C++'s trigraphs.
        const bool is_trigraph = c == '?' && before == '?';
        const bool is_special = c == '"' || c == '\\';
        literal += is_control || is_trigraph || is_special ? octal(c) : std::string(1, c);
        before = c;
    }
    return literal + '"';
}

std::string in_comment(const std::string &name) {
    const std::string literal = string_literal(name);
    return literal.size() == name.size() + 2 ? name : literal;
}

}  // namespace autoschedule_gpu
