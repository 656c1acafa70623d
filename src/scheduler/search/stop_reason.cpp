#include "scheduler/search/stop_reason.h"

#include <cstdio>

namespace autoschedule_gpu {

std::string_view to_string(StopReason::Kind kind) {
    switch (kind) {
        case StopReason::Kind::completed:
            return "completed";
        case StopReason::Kind::time_limit:
            return "time_limit";
        case StopReason::Kind::effort_limit:
            return "effort_limit";
    }
    return "";
}

std::string to_text(const StopReason &reason) {
    const std::string text(to_string(reason.kind));
    if (reason.kind == StopReason::Kind::completed) return text;
    const bool is_time = reason.kind == StopReason::Kind::time_limit;
    char values[64];
    std::snprintf(values, sizeof values, is_time ? ", %.1f s of %g s" : ", %.2g of %.2g stages",
                  reason.measured, reason.limit);
    return text + values;
}

}  // namespace autoschedule_gpu
