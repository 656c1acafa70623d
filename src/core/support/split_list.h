// "a,b,c" as its parts. Empty parts are left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace autoschedule_gpu {

inline std::vector<std::string> split_list(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const size_t end = std::min(text.find(separator), text.size());
        if (end > 0) parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

}  // namespace autoschedule_gpu
