#include "lab/traffic/sampling.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(Sampling, TakesShortLoopsWhole) {
    for (const int64_t extent : {0, 1, 2, 5}) {
        const auto points = sample_points(extent, {2, 1, 2});
        ASSERT_EQ(static_cast<int64_t>(points.size()), extent);
        for (int64_t i = 0; i < extent; i++) {
            EXPECT_EQ(points[i].index, i);
            EXPECT_EQ(points[i].weight, 1);
        }
    }
}

TEST(Sampling, TakesBothEndsAndTheMiddleOfALongLoop) {
    const auto points = sample_points(100, {2, 2, 2});
    ASSERT_EQ(points.size(), 6u);
    EXPECT_EQ(points[1].index, 1);
    EXPECT_EQ(points[2].index, 49);
    EXPECT_EQ(points[3].index, 50);
    EXPECT_EQ(points[4].index, 98);
    EXPECT_EQ(points[1].weight, 1);
    EXPECT_EQ(points[2].weight, 48);  // 96 iterations between the ends
}

TEST(Sampling, WeightsAddUpToTheLoop) {
    for (const SamplePlan &plan : sample_plans()) {
        for (int64_t extent = 0; extent < 300; extent++) {
            double sum = 0;
            int64_t last = -1;
            const auto points = sample_points(extent, plan.serial);
            ASSERT_EQ(static_cast<int64_t>(points.size()), sample_count(extent, plan.serial));
            for (const SamplePoint &point : points) {
                ASSERT_GT(point.index, last);
                ASSERT_LT(point.index, extent);
                last = point.index;
                sum += point.weight;
            }
            ASSERT_DOUBLE_EQ(sum, static_cast<double>(extent));
        }
    }
}

TEST(Sampling, RandomPointsLieInTheLoopAndWeighNothing) {
    Random random(1);
    EXPECT_TRUE(random_points(0, 4, random).empty());
    EXPECT_EQ(random_points(2, 4, random).size(), 2u);
    for (const SamplePoint &point : random_points(1000, 100, random)) {
        EXPECT_GE(point.index, 0);
        EXPECT_LT(point.index, 1000);
        EXPECT_EQ(point.weight, 0);
    }
}

TEST(Sampling, PlansGoFromTheWholeLoopToTheFewestPoints) {
    const auto plans = sample_plans();
    EXPECT_EQ(sample_count(1000000, plans.front().grid), 1000000);
    for (size_t p = 1; p < plans.size(); p++) {
        EXPECT_LE(sample_count(1000, plans[p].grid), sample_count(1000, plans[p - 1].grid));
        EXPECT_LE(sample_count(1000, plans[p].serial), sample_count(1000, plans[p - 1].serial));
    }
}

}  // namespace
}  // namespace autoschedule_gpu
