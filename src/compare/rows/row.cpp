#include "compare/rows/row.h"

namespace autoschedule_gpu {

std::string to_string(const RowFailure &failure) {
    return std::string(to_string(failure.kind)) + ": " + failure.sentence;
}

std::optional<RowFailure> parse_row_failure(std::string_view text) {
    for (size_t i = 0; i < kFailureKindNames.size(); i++) {
        const std::string start = std::string(kFailureKindNames[i]) + ": ";
        if (!text.starts_with(start)) continue;
        return RowFailure{static_cast<FailureKind>(i), std::string(text.substr(start.size()))};
    }
    return std::nullopt;
}

std::string_view scheduler_family(std::string_view scheduler) {
    return scheduler.substr(0, scheduler.find(':'));
}

}  // namespace autoschedule_gpu
