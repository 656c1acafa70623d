// Maps values to places along an axis, logarithmically.
#pragma once

#include <vector>

namespace autoschedule_gpu {

class LogScale {
public:
    // `values` must be positive and not empty. The axis reaches from half of the least value, so
    // that it stands apart from the axis, to a little above the greatest.
    LogScale(const std::vector<double> &values, double from, double to);

    double at(double value) const;

    // Returns about ten round values, at most, to be named on the axis: 1, 2 and 5 times powers of
    // ten, or powers of ten alone.
    std::vector<double> ticks() const;

private:
    double low_, high_;  // logarithms to base 10
    double from_, to_;
};

}  // namespace autoschedule_gpu
