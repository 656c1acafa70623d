#include "lab/ptxas/ptx.h"

#include <charconv>

namespace autoschedule_gpu {

namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view without_indent(std::string_view line) {
    const size_t first = line.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

// What follows `directive` in a line that holds it as a word of its own, without the blanks.
// Empty if it does not, and in comments.
std::string_view argument_of(std::string_view line, std::string_view directive) {
    const size_t at = line.substr(0, line.find("//")).find(directive);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = line.substr(at + directive.size());
    if (rest.empty() || kBlanks.find(rest[0]) == std::string_view::npos) return {};
    return without_indent(rest);
}

std::string_view next_line(std::string_view &rest) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

void read_line(std::string_view line, PtxModule &module) {
    constexpr std::string_view kArchitecture = "sm_";
    const std::string_view target = argument_of(line, ".target");
    if (module.target == 0 && target.starts_with(kArchitecture)) {
        const std::string_view number = target.substr(kArchitecture.size());
        std::from_chars(number.data(), number.data() + number.size(), module.target);
    }
    const std::string_view entry = argument_of(line, ".entry");
    const std::string_view name = entry.substr(0, entry.find_first_of(" \t\r("));
    if (!name.empty()) module.kernels.emplace_back(name);
}

}  // namespace

Result<std::vector<PtxModule>> split_ptx(std::string_view text) {
    std::vector<PtxModule> modules;
    for (std::string_view rest = text; !rest.empty();) {
        std::string_view line = next_line(rest);
        // The runtime's copy of a module ends in a zero byte.
        line = line.substr(0, line.find('\0'));
        if (!argument_of(line, ".version").empty()) modules.emplace_back();
        if (modules.empty()) continue;
        modules.back().text.append(line).append("\n");
        read_line(line, modules.back());
    }
    if (modules.empty()) {
        const bool is_opencl = text.find("__kernel") != std::string_view::npos;
        return Error{std::string("expected PTX, found ") +
                     (is_opencl ? "OpenCL C" : "no .version directive")};
    }
    for (const PtxModule &module : modules) {
        if (module.target == 0) return Error{"expected PTX, found no .target sm_XX directive"};
    }
    return modules;
}

}  // namespace autoschedule_gpu
