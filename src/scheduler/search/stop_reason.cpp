#include "scheduler/search/stop_reason.h"

#include <cstdio>

namespace autoschedule_gpu {

std::string_view to_string(StopReason::Kind kind) {
    switch (kind) {
        case StopReason::Kind::completed:
            return "completed";
        case StopReason::Kind::time_limit:
            return "time_limit";
    }
    return "";
}

std::string to_text(const StopReason &reason) {
    const std::string text(to_string(reason.kind));
    if (reason.kind != StopReason::Kind::time_limit) return text;
    char values[64];
    std::snprintf(values, sizeof values, ", %.1f s of %g s", reason.measured_s, reason.limit_s);
    return text + values;
}

}  // namespace autoschedule_gpu
