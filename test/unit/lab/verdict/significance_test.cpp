#include "lab/verdict/significance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/support/random.h"

namespace autoschedule_gpu {
namespace {

using Times = std::vector<double>;

Times exponentials(Times logs) {
    for (double &x : logs) x = std::exp(x);
    return logs;
}

// Values of Welch's test worked out by hand: equal variances 1 of three samples each, means 1 apart
// or 2.5, so t = d / sqrt(2 / 3) with 4 degrees of freedom; for 4 degrees of freedom
// P(T > t) = 1/2 - 3/8 u (1 - u^2 / 12) with u = t / sqrt(1 + t^2 / 4).
double upper_tail_of_4(double t) {
    const double u = t / std::sqrt(1 + t * t / 4);
    return 0.5 - 0.375 * u * (1 - u * u / 12);
}

TEST(ChanceOfLuck, IsWelchsTestOfTheLogarithms) {
    for (const double apart : {0.0, 1.0, 2.5}) {
        const Times slow = exponentials({4, 5, 6});
        const Times fast = exponentials({4 - apart, 5 - apart, 6 - apart});
        const double t = apart / std::sqrt(2.0 / 3);
        EXPECT_NEAR(chance_of_luck(fast, slow), upper_tail_of_4(t), 1e-9);
        EXPECT_NEAR(chance_of_luck(slow, fast), 1 - upper_tail_of_4(t), 1e-9);
    }
}

TEST(ChanceOfLuck, NeedsThreeSamplesOfBoth) {
    EXPECT_EQ(chance_of_luck(Times{1, 1}, Times{9, 9, 9}), 1);
    EXPECT_EQ(chance_of_luck(Times{1, 1, 1}, Times{9, 9}), 1);
}

TEST(ChanceOfLuck, OfTimesWithoutNoiseIsNone) {
    EXPECT_EQ(chance_of_luck(Times{1, 1, 1}, Times{2, 2, 2}), 0);
    EXPECT_EQ(chance_of_luck(Times{2, 2, 2}, Times{2, 2, 2}), 1);
    EXPECT_EQ(chance_of_luck(Times{3, 3, 3}, Times{2, 2, 2}), 1);
}

// Of schedules that are equally fast, one in twenty seems faster.
TEST(IsFaster, ErrsAsOftenAsItsLevelSays) {
    Random random(1);
    const auto draw = [&] {
        Times times(3);
        for (double &ms : times) {
            double sum = -6;
            for (int i = 0; i < 12; ++i) sum += random.unit();
            ms = std::exp(0.1 * sum);
        }
        return times;
    };
    int faster = 0;
    constexpr int kTests = 4000;
    for (int i = 0; i < kTests; ++i) faster += chance_of_luck(draw(), draw()) < kSignificanceLevel;
    EXPECT_GT(faster, kTests * 0.03);
    EXPECT_LT(faster, kTests * 0.07);
}

TEST(StandardErrors, AreThoseOfStudentsTables) {
    EXPECT_NEAR(standard_errors(0.95, 4), 2.7764, 1e-4);
    EXPECT_NEAR(standard_errors(0.95, 1), 12.7062, 1e-4);
    EXPECT_NEAR(standard_errors(0.5, 1), 1, 1e-9);
}

}  // namespace
}  // namespace autoschedule_gpu
