#include "lab/build/device_code_hash.h"

#include "core/support/hash.h"

namespace autoschedule_gpu {
namespace {

bool is_comment(std::string_view line) {
    const size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return true;
    line.remove_prefix(first);
    return line.starts_with("//") || (line.starts_with("/*") && line.find("*/") == line.size() - 2);
}

}  // namespace

uint64_t device_code_hash(std::string_view device_code) {
    Hasher hasher;
    for (std::string_view rest = device_code; !rest.empty();) {
        const size_t end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (!is_comment(line)) hasher.add(line);
    }
    return hasher.value();
}

}  // namespace autoschedule_gpu
