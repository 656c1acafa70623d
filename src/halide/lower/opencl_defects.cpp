#include "halide/lower/opencl_defects.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <utility>
#include <vector>

namespace autoschedule_gpu {
namespace {

bool has_endless_atomics(std::string_view source) {
    return source.find("while(atomic_cmpxchg((volatile __local") != std::string_view::npos;
}

// What stands between the blanks, brackets, commas, and semicolons of a line.
std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> result;
    constexpr std::string_view kBetween = " (),;";
    for (size_t first = 0; (first = line.find_first_not_of(kBetween, first)) != line.npos;) {
        const size_t last = std::min(line.find_first_of(kBetween, first), line.size());
        result.push_back(line.substr(first, last - first));
        first = last;
    }
    return result;
}

// The digits at a type's end: none for scalars.
std::string_view width_of(std::string_view type) {
    size_t first = type.size();
    while (first > 0 && std::isdigit(static_cast<unsigned char>(type[first - 1]))) --first;
    return type.substr(first);
}

// Looks at `TYPE NAME = LEFT OPERATOR RIGHT` and `TYPE NAME = min(LEFT, RIGHT)`, in which Halide
// names both operands.
bool joins_vectors_of_unequal_widths(std::string_view source) {
    std::unordered_map<std::string_view, std::string_view> widths;  // by name, in this kernel
    for (size_t first = 0; first < source.size();) {
        const size_t last = std::min(source.find('\n', first), source.size());
        const std::vector<std::string_view> words = words_of(source.substr(first, last - first));
        first = last + 1;
        if (words.empty()) continue;
        if (words[0] == "__kernel") widths.clear();
        if (words.size() < 4 || words[2] != "=") continue;
        widths[words[1]] = width_of(words[0]);
        if (words.size() != 6) continue;
        const auto left = widths.find(words[3] == "min" || words[3] == "max" ? words[4] : words[3]);
        const auto right = widths.find(words[5]);
        if (left == widths.end() || right == widths.end()) continue;
        if (left->second.empty() || right->second.empty()) continue;
        if (left->second != right->second) return true;
    }
    return false;
}

}  // namespace

bool has_guarded_barrier(std::string_view source, BarrierGuards which) {
    enum class Block : uint8_t { plain, loop, guarded };
    std::vector<Block> open;  // blocks of code
    Block next = Block::plain;
    for (size_t first = 0; first < source.size();) {
        const size_t last = std::min(source.find('\n', first), source.size());
        std::string_view line = source.substr(first, last - first);
        first = last + 1;
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.starts_with("if ") || line.starts_with("else")) next = Block::guarded;
        if (line.starts_with("for ")) next = Block::loop;
        if (line.starts_with("}") && !open.empty()) open.pop_back();
        if (line.starts_with("{")) open.push_back(std::exchange(next, Block::plain));
        if (!line.starts_with("barrier(")) continue;
        const auto guard = std::ranges::find(open, Block::guarded);
        if (guard == open.end()) continue;
        const bool in_loop = std::find(open.begin(), guard, Block::loop) != guard;
        if (which == BarrierGuards::any || !in_loop) return true;
    }
    return false;
}

std::optional<std::string_view> defect_of_opencl(std::string_view source) {
    if (has_endless_atomics(source)) {
        return "an atomic sum in shared memory would be a loop that never ends";
    }
    if (joins_vectors_of_unequal_widths(source)) {
        return "an operation would join vectors of unequal widths";
    }
    return std::nullopt;
}

}  // namespace autoschedule_gpu
