// What the plugin tells people on standard error begins with this, a line each. Tools that start
// generators leave such lines out of what they report as errors.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

inline constexpr std::string_view kNarration = "GPU autoscheduler: ";

// The text without lines that are narration, or warnings of the plugin's. An error stays, though it
// names the autoscheduler, too: it begins otherwise.
inline std::string without_narration(std::string_view text) {
    constexpr std::string_view kWarning = "Warning: ";  // Halide's
    std::string rest;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        std::string_view line = text.substr(0, end);
        if (line.starts_with(kWarning)) line.remove_prefix(kWarning.size());
        if (!line.starts_with(kNarration)) rest += text.substr(0, end);
        text.remove_prefix(end);
    }
    return rest;
}

}  // namespace autoschedule_gpu
