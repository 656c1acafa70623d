#include "halide/lower/cuda_defects.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace autoschedule_gpu {
namespace {

using Words = std::vector<std::string_view>;

std::vector<Words> instructions(std::string_view kernel) {
    std::vector<Words> result;
    constexpr std::string_view kBetween = " \t,;";
    for (size_t first = 0; first < kernel.size();) {
        const size_t end = std::min(kernel.find('\n', first), kernel.size());
        const std::string_view line = kernel.substr(first, end - first);
        first = end + 1;
        Words words;
        for (size_t at = 0; (at = line.find_first_not_of(kBetween, at)) != line.npos;) {
            const size_t last = std::min(line.find_first_of(kBetween, at), line.size());
            words.push_back(line.substr(at, last - at));
            at = last;
        }
        result.push_back(std::move(words));
    }
    return result;
}

// Decimal or hexadecimal, with or without a U at its end.
std::optional<uint32_t> number(std::string_view text) {
    if (text.ends_with('U')) text.remove_suffix(1);
    const bool is_hex = text.starts_with("0x");
    if (is_hex) text.remove_prefix(2);
    uint32_t value = 0;
    const char *end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value, is_hex ? 16 : 10);
    return error == std::errc() && last == end ? std::optional(value) : std::nullopt;
}

// `prmt.b32 TO, FROM, 0, SELECTOR`: of the selector's digits, the lowest first, each says where a
// byte of TO comes from: 0 to 3 are those of FROM, 4 to 7 those of 0; 8 more is a sign.
bool takes_byte_without_sign(const Words &words) {
    if (words.size() != 5 || words[0] != "prmt.b32" || words[3] != "0") return false;
    const std::optional<uint32_t> selector = number(words[4]);
    return selector && (*selector & 0xcccc) == 0x4440;
}

// Of signed numbers.
bool is_ordering(const Words &words) {
    constexpr std::array<std::string_view, 4> kOrders = {"setp.lt.s32", "setp.le.s32",
                                                         "setp.gt.s32", "setp.ge.s32"};
    return words.size() == 4 && std::ranges::find(kOrders, words[0]) != kOrders.end();
}

// A byte without a sign beside a number of another kind may well be an unsigned one, or be right in
// another way: LLVM forgets the signs of two bytes at once. Two unsigned ones it compares as
// unsigned numbers. What is compared may stand in another block of code, further down.
bool forgets_signs(const std::vector<Words> &kernel) {
    std::unordered_set<std::string_view> bytes;  // registers
    for (const Words &words : kernel) {
        if (takes_byte_without_sign(words)) bytes.insert(words[1]);
    }
    return std::ranges::any_of(kernel, [&](const Words &words) {
        return is_ordering(words) && bytes.contains(words[2]) && bytes.contains(words[3]);
    });
}

}  // namespace

std::optional<std::string_view> defect_of_ptx(std::string_view ptx) {
    constexpr std::string_view kKernel = ".entry";
    for (size_t first = ptx.find(kKernel); first < ptx.size();) {  // each has registers of its own
        const size_t next = std::min(ptx.find(kKernel, first + kKernel.size()), ptx.size());
        if (forgets_signs(instructions(ptx.substr(first, next - first)))) {
            return "LLVM would compare signed bytes as if they had no signs";
        }
        first = next;
    }
    return std::nullopt;
}

}  // namespace autoschedule_gpu
