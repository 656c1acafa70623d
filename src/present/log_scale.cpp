#include "present/log_scale.h"

#include <algorithm>
#include <cmath>

namespace autoschedule_gpu {

namespace {

constexpr size_t kMostTicks = 10;
constexpr double kRoom = 1.1;

std::vector<double> ticks_between(double low, double high, const std::vector<double> &digits,
                                  int decades) {
    std::vector<double> ticks;
    const int first = static_cast<int>(std::floor(low)), last = static_cast<int>(std::floor(high));
    for (int exponent = first; exponent <= last; exponent++) {
        if (exponent % decades != 0) continue;
        for (const double digit : digits) {
            const double logarithm = exponent + std::log10(digit);
            if (logarithm >= low && logarithm <= high) {
                ticks.push_back(digit * std::pow(10, exponent));
            }
        }
    }
    return ticks;
}

}  // namespace

LogScale::LogScale(const std::vector<double> &values, double from, double to)
    : from_(from), to_(to) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    low_ = std::log10(*least / 2);
    high_ = std::log10(*greatest * kRoom);
}

double LogScale::at(double value) const {
    return from_ + (to_ - from_) * (std::log10(value) - low_) / (high_ - low_);
}

std::vector<double> LogScale::ticks() const {
    std::vector<double> ticks = ticks_between(low_, high_, {1, 2, 5}, 1);
    for (int decades = 1; ticks.size() > kMostTicks; decades++) {
        ticks = ticks_between(low_, high_, {1}, decades);
    }
    return ticks;
}

}  // namespace autoschedule_gpu
