// Points in time as seconds since 1970, and their text in UTC, whose order is that of the times.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

double unix_seconds_now();

// "2026-11-22T09:30:00Z"; fractions of a second are left out. For the years 0 to 9999.
std::string utc_text(double unix_seconds);

// "2026-11-22".
std::string utc_date_of_today();

// Whether it has the form that utc_text gives; not whether there is such a day.
bool is_utc_text(std::string_view text);

}  // namespace autoschedule_gpu
