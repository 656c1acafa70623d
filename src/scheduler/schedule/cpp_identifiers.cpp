#include "scheduler/schedule/cpp_identifiers.h"

#include <algorithm>
#include <iterator>

#include "scheduler/schedule/ascii.h"

namespace autoschedule_gpu {
namespace {

// Keywords of C++20, the header's own names, and macros of common headers.
constexpr std::string_view kReserved[] = {
    "Func",
    "Halide",
    "MemoryType",
    "RVar",
    "TailStrategy",
    "Var",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "linux",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "pipeline",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "stderr",
    "stdin",
    "stdout",
    "struct",
    "switch",
    "target",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
};

bool is_reserved(std::string_view name) {
    return std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved);
}

}  // namespace

std::string cpp_identifier(std::string_view name) {
    std::string result;
    for (char c : name) {
        const char kept = is_letter_or_digit(c) ? c : '_';
        // Two underscores in a row are the implementation's.
        if (kept == '_' && !result.empty() && result.back() == '_') continue;
        result += kept;
    }
    if (result.empty() || !is_letter(result.front())) result.insert(0, 1, 'v');
    const bool like_a_macro =
        result.size() > 1 && std::none_of(result.begin(), result.end(), is_lower);
    if (is_reserved(result) || like_a_macro) result += '_';
    return result;
}

std::string without_counter(const std::string &name) {
    const size_t dollar = name.find('$');
    if (dollar == std::string::npos || dollar < 2 || name.front() != 'r') return name;
    if (!std::all_of(name.begin() + 1, name.begin() + static_cast<std::ptrdiff_t>(dollar),
                     is_digit)) {
        return name;
    }
    return "r" + name.substr(dollar);
}

std::string loop_variable(const std::string &stage, int loop) {
    return stage + ".get_schedule().dims()[" + std::to_string(loop) + "].var";
}

}  // namespace autoschedule_gpu
