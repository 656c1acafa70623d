#include "lab/build/generator_names.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>

#include "core/process/subprocess.h"

namespace autoschedule_gpu {

std::vector<std::string> parse_generator_names(const std::string &output) {
    constexpr std::string_view kBefore = "available Generators are:";
    std::vector<std::string> names;
    const size_t at = output.find(kBefore);
    if (at == std::string::npos) return names;
    std::istringstream lines(output.substr(at + kBefore.size()));
    std::string line;
    std::getline(lines, line);
    // They are indented, up to an empty line.
    while (std::getline(lines, line)) {
        const size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos || first == 0) break;
        names.push_back(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first));
    }
    return names;
}

Result<std::string> generator_meant(const std::string &program) {
    const std::string own = std::filesystem::path(program).stem().string();
    const Result<ProcessResult> said = run_process({program}, std::chrono::seconds{60});
    if (!said) return said.error();
    const std::vector<std::string> names = parse_generator_names(said->err + said->out);
    const bool has_own = std::ranges::find(names, own) != names.end();
    if (names.empty() || has_own) return own;
    if (names.size() == 1) return names.front();
    std::string list;
    for (const std::string &name : names) list += (list.empty() ? "" : ", ") + name;
    return Error{"expected the name of one of the program's generators, found none; there are: " +
                 list};
}

}  // namespace autoschedule_gpu
