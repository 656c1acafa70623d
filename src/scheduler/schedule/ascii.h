// Letters and digits of ASCII, whatever the locale: names and texts must be the same everywhere.
#pragma once

namespace autoschedule_gpu {

constexpr bool is_lower(char c) {
    return 'a' <= c && c <= 'z';
}
constexpr bool is_letter(char c) {
    return is_lower(c) || ('A' <= c && c <= 'Z');
}
constexpr bool is_digit(char c) {
    return '0' <= c && c <= '9';
}
constexpr bool is_letter_or_digit(char c) {
    return is_letter(c) || is_digit(c);
}

}  // namespace autoschedule_gpu
