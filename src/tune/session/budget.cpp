#include "tune/session/budget.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "core/support/split_list.h"

namespace autoschedule_gpu {
namespace {

constexpr double kMostSeconds = 1e7;  // some months
constexpr double kMostTrials = 1e8;

Error unexpected(std::string_view text) {
    return Error{
        "expected a time or a number of trials such as 30m, 2h, 400t or 2h,1000t, found '" +
        std::string(text) + "'"};
}

double seconds_of(char unit) {
    switch (unit) {
        case 's':
            return 1;
        case 'm':
            return 60;
        case 'h':
            return 3600;
        default:
            return 0;
    }
}

}  // namespace

Result<Budget> parse_budget(std::string_view text) {
    Budget budget;
    for (const std::string &part : split_list(text, ',')) {
        double number = 0;
        const char *end = part.data() + part.size() - 1;
        const auto [stop, code] = std::from_chars(part.data(), end, number);
        const bool is_number = code == std::errc() && stop == end && std::isfinite(number);
        if (!is_number || number <= 0) return unexpected(text);
        const char unit = part.back();
        if (unit == 't' && !budget.trials && number == std::floor(number) &&
            number <= kMostTrials) {
            budget.trials = static_cast<int>(number);
        } else if (seconds_of(unit) > 0 && !budget.seconds &&
                   number * seconds_of(unit) <= kMostSeconds) {
            budget.seconds = number * seconds_of(unit);
        } else {
            return unexpected(text);
        }
    }
    if (budget == Budget{}) return unexpected(text);
    return budget;
}

std::string to_string(const Budget &budget) {
    std::ostringstream text;
    if (budget.seconds) text << *budget.seconds << "s";
    if (budget.seconds && budget.trials) text << ",";
    if (budget.trials) text << *budget.trials << "t";
    return text.str();
}

int trials_left(const Budget &budget, int made, int wanted) {
    return budget.trials ? std::clamp(*budget.trials - made, 0, wanted) : wanted;
}

}  // namespace autoschedule_gpu
