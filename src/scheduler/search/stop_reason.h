// Why a search ended, with the value that ended it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

struct StopReason {
    enum class Kind : uint8_t {
        completed,   // all that there was to look at was looked at
        time_limit,  // what was left was not looked at, or decided in the plain way
    };
    Kind kind = Kind::completed;
    // Of time_limit: how long the search had taken when something was first left out, and how long
    // it was allowed to take.
    double measured_s = 0, limit_s = 0;
};

// "completed" or "time_limit".
std::string_view to_string(StopReason::Kind kind);

// The name with the value: "time_limit, 60.1 s of 60 s".
std::string to_text(const StopReason &reason);

}  // namespace autoschedule_gpu
