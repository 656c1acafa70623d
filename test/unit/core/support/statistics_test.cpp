#include "core/support/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/support/random.h"

namespace autoschedule_gpu {
namespace {

std::vector<double> one_to(int n) {
    std::vector<double> samples;
    for (int i = n; i >= 1; i--) samples.push_back(i);
    return samples;
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoInTheMiddle) {
    EXPECT_EQ(median({7}), 7);
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
    EXPECT_EQ(median({1e308, 1.5e308}), 1.25e308);
}

TEST(Median, OfNothingIsABugOfTheCaller) {
    EXPECT_THROW(median({}), std::logic_error);
    EXPECT_THROW(median_interval({}), std::logic_error);
}

// Ranks and confidences as tabulated for the sign test.
TEST(MedianInterval, HasTheTabulatedRanks) {
    struct Row {
        int samples;
        double low, high, confidence;
    };
    for (const Row &row : {Row{6, 1, 6, 0.96875}, Row{8, 1, 8, 0.9921875}, Row{9, 2, 8, 0.9609375},
                           Row{10, 2, 9, 0.978515625}, Row{20, 6, 15, 0.95861},
                           Row{25, 8, 18, 0.95672}, Row{100, 40, 61, 0.96480}}) {
        const ConfidenceInterval interval = median_interval(one_to(row.samples));
        EXPECT_EQ(interval.low, row.low) << row.samples;
        EXPECT_EQ(interval.high, row.high) << row.samples;
        EXPECT_NEAR(interval.confidence, row.confidence, 1e-5) << row.samples;
    }
}

TEST(MedianInterval, OfFewSamplesIsTheirRangeWithTheConfidenceThatThisHas) {
    EXPECT_EQ(median_interval({5}), (ConfidenceInterval{5, 5, 0}));
    EXPECT_EQ(median_interval({5, 4}), (ConfidenceInterval{4, 5, 0.5}));
    const ConfidenceInterval of_five = median_interval(one_to(5));
    EXPECT_EQ(of_five.low, 1);
    EXPECT_EQ(of_five.high, 5);
    EXPECT_NEAR(of_five.confidence, 0.9375, 1e-12);
}

TEST(Quartiles, LieBetweenSamplesInProportion) {
    const Quartiles four = quartiles({4, 1, 2, 3});
    EXPECT_EQ(four.low, 1.75);
    EXPECT_EQ(four.middle, 2.5);
    EXPECT_EQ(four.high, 3.25);
    EXPECT_EQ(quartiles({7}).low, 7);
    EXPECT_EQ(quartiles({7}).high, 7);
}

TEST(MedianInterval, NarrowsWhenLessConfidenceIsAsked) {
    EXPECT_EQ(median_interval(one_to(10), 0.5).low, 4);
    EXPECT_EQ(median_interval(one_to(10), 0.99).low, 1);
}

TEST(MedianInterval, StaysExactForThousandsOfSamples) {
    const ConfidenceInterval interval = median_interval(one_to(4001));
    EXPECT_GE(interval.confidence, 0.95);
    EXPECT_LT(interval.confidence, 0.953);
    // By the normal approximation, 1.96 standard deviations of half the root of n.
    EXPECT_NEAR(interval.low, 2001 - 0.98 * std::sqrt(4001.0), 2);
    EXPECT_EQ(interval.low + interval.high, 4002);
}

TEST(MedianInterval, HoldsTheMedianAsOftenAsItSays) {
    Random random(1);
    int held = 0;
    constexpr int kTrials = 4000;
    for (int trial = 0; trial < kTrials; trial++) {
        std::vector<double> samples;
        for (int i = 0; i < 20; i++) samples.push_back(std::exp(3 * random.unit()));
        const ConfidenceInterval interval = median_interval(samples);
        const double middle = std::exp(1.5);
        held += interval.low <= middle && middle <= interval.high ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(held) / kTrials, 0.9586, 0.012);
}

}  // namespace
}  // namespace autoschedule_gpu
