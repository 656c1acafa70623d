#include "learn/train/adam.h"

#include <gtest/gtest.h>

#include <array>

namespace autoschedule_gpu {
namespace {

// The corrections of the first step make mean / sqrt(square) the sign of the gradient.
TEST(Adam, FirstStepIsTheRateWhateverTheGradient) {
    Adam adam(2);
    std::array<float, 2> at = {1, 1};
    adam.step(at, std::array<float, 2>{1000, -0.001f}, 0.25);
    EXPECT_NEAR(at[0], 0.75, 1e-4);
    EXPECT_NEAR(at[1], 1.25, 1e-4);
}

TEST(Adam, FindsTheLeastOfAParabola) {
    Adam adam(1);
    std::array<float, 1> at = {5};
    for (int i = 0; i < 500; ++i) {
        adam.step(at, std::array<float, 1>{2 * (at[0] - 3)}, 0.05);  // of (x - 3)^2
    }
    EXPECT_NEAR(at[0], 3, 0.01);
}

TEST(Adam, LeavesWhatHasNoGradient) {
    Adam adam(2);
    std::array<float, 2> at = {7, 7};
    for (int i = 0; i < 10; ++i) adam.step(at, std::array<float, 2>{0, 1}, 0.1);
    EXPECT_EQ(at[0], 7);
    EXPECT_LT(at[1], 7);
}

}  // namespace
}  // namespace autoschedule_gpu
