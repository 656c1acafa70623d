// Order statistics of samples, free of assumptions on their distribution.
#pragma once

#include <vector>

namespace autoschedule_gpu {

// The middle of the sorted samples, or the mean of the two in the middle. There must be one.
double median(std::vector<double> samples);

// A quarter of the samples is below `low`, a half below `middle`, a quarter above `high`; between
// two samples, in proportion (Hyndman and Fan 1996, definition 7). There must be one.
struct Quartiles {
    double low = 0, middle = 0, high = 0;
};
Quartiles quartiles(std::vector<double> samples);

struct ConfidenceInterval {
    double low = 0;
    double high = 0;
    double confidence = 0;  // that the interval holds the median: what was reached, not what asked

    friend bool operator==(const ConfidenceInterval &, const ConfidenceInterval &) = default;
};

// The narrowest interval between two samples, equally far from either end, that holds the
// population's median with at least `confidence`. Fewer than 6 samples cannot reach 0.95: then it
// is all of their range, with the confidence that this has. One sample has confidence 0.
//
// Between the k-th smallest and the k-th greatest of n samples the median lies with probability
// 1 - 2 P(B < k), B binomial with n trials of 1/2 (David and Nagaraja, Order Statistics, 7.1).
ConfidenceInterval median_interval(std::vector<double> samples, double confidence = 0.95);

}  // namespace autoschedule_gpu
