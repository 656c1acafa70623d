#include "core/support/utc_time.h"

#include <chrono>
#include <ctime>

namespace autoschedule_gpu {

double unix_seconds_now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string utc_text(double unix_seconds) {
    const auto seconds = static_cast<std::time_t>(unix_seconds);
    std::tm time{};
    gmtime_r(&seconds, &time);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &time);
    return text;
}

std::string utc_date_of_today() {
    constexpr std::string_view kForm = "0000-00-00";
    return utc_text(unix_seconds_now()).substr(0, kForm.size());
}

bool is_utc_text(std::string_view text) {
    constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
    if (text.size() != kForm.size()) return false;
    for (size_t i = 0; i < kForm.size(); ++i) {
        const bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (kForm[i] == '0' ? !is_digit : text[i] != kForm[i]) return false;
    }
    return true;
}

}  // namespace autoschedule_gpu
