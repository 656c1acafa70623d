// Why a search ended, with the value that ended it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

struct StopReason {
    enum class Kind : uint8_t {
        completed,     // all that there was to look at was looked at
        time_limit,    // what was left was not looked at, or decided in the plain way
        effort_limit,  // likewise
    };
    Kind kind = Kind::completed;
    // How many seconds the search had taken when something was first left out, or how much effort
    // (search_clock.h), and how much it was allowed to take.
    double measured = 0, limit = 0;
};

// The name, e.g. "completed".
std::string_view to_string(StopReason::Kind kind);

// The name with the value: "time_limit, 60.1 s of 60 s", "effort_limit, 3.1e+07 of 3e+07 stages".
std::string to_text(const StopReason &reason);

}  // namespace autoschedule_gpu
