// Tells whether a schedule is faster than another, or only seemed so: Student's test as the Droplet
// search uses it (Canesche et al. 2024, section 3.3: three measurements each, significance level
// 0.05), in Welch's form, for the noise of two schedules need not be the same, on the logarithms of
// the times, whose ratios are what is compared.
#pragma once

#include <span>

namespace autoschedule_gpu {

inline constexpr double kSignificanceLevel = 0.05;
inline constexpr size_t kLeastSamples = 3;
// Above, the challenger is not even ahead, and further samples are in vain.
inline constexpr double kHopeless = 0.5;

// The probability that samples differ as much as these, or more, if `challenger` is in truth not
// faster than `incumbent`. Milliseconds, positive. 1 with less than kLeastSamples of either.
double chance_of_luck(std::span<const double> challenger_ms, std::span<const double> incumbent_ms);

// Returns how many standard errors on either side of a mean hold the truth with that confidence, by
// Student's distribution with so many degrees of freedom. The confidence is below 1.
double standard_errors(double confidence, double freedom);

// For each of `looks` at growing samples: together they take luck for a gain with a probability of
// `level` at most (Bonferroni).
inline double level_of_look(double level, int looks) {
    return level / looks;
}

}  // namespace autoschedule_gpu
