#include "learn/train/trust.h"

#include <gtest/gtest.h>

#include <cmath>

namespace autoschedule_gpu {
namespace {

// Predictions of 100 ns each, so that times are the ratios.
Judged judged(std::vector<double> ratios) {
    for (double &r : ratios) r *= 100;
    return {.predicted_ns = std::vector<double>(ratios.size(), 100.0), .measured_ns = ratios};
}

TEST(Trust, IsFullForWhatAgreesUpToThePipelinesScale) {
    EXPECT_EQ(trust_of({judged({7, 7.1, 6.9, 7, 7.05})})[0], std::vector<double>(5, 1.0));
}

TEST(Trust, FallsWithTheSquareOfTheDistance) {
    // |log ratio| is 0.1 for most, whose median it is: sigma = 0.14826 sqrt(9 / 8), trusted up to
    // three times that.
    const double a = std::exp(0.1), b = std::exp(-0.1);
    const std::vector<double> trust =
        trust_of({judged({a, b, a, b, a, b, 1, std::exp(1.0), std::exp(-10.0)})})[0];
    for (size_t i = 0; i < 7; ++i) EXPECT_EQ(trust[i], 1);
    EXPECT_NEAR(trust[7], 0.44478 * 0.44478 * 9 / 8, 1e-4);
    EXPECT_NEAR(trust[8], 0.44478 * 0.44478 * 9 / 8 / 100, 1e-6);
}

// What is the only one of its pipeline says nothing of how far times are from predictions.
TEST(Trust, IsNotMeasuredByPipelinesOfOneSchedule) {
    const Judged spread = judged({std::exp(0.3), std::exp(-0.3), std::exp(0.2), std::exp(-0.2)});
    std::vector<Judged> many(20, judged({5}));
    many.push_back(spread);
    EXPECT_EQ(trust_of(many).back(), trust_of({spread})[0]);
    EXPECT_EQ(trust_of({judged({5})})[0], std::vector<double>{1});
}

TEST(Trust, MeasuresByAllPipelinesTogether) {
    // One pipeline that is fitted badly, among others that are not.
    const double a = std::exp(0.1), b = std::exp(-0.1);
    const auto trust = trust_of({judged({a, b, a, b, a, b}), judged({a, b, a, b, a, b}),
                                 judged({1, std::exp(1.0), std::exp(-1.0)})});
    EXPECT_EQ(trust[2][0], 1);
    EXPECT_LT(trust[2][1], 0.25);
    EXPECT_LT(trust[2][2], 0.25);
}

TEST(Trust, DoesNotDistrustTheLastPercent) {
    // sigma is 0.05 at least: 0.15 is trusted where all others fit exactly.
    EXPECT_EQ(trust_of({judged({1, 1, 1, 1, std::exp(0.14)})})[0][4], 1);
}

}  // namespace
}  // namespace autoschedule_gpu
