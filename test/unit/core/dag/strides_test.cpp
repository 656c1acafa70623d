#include "core/dag/strides.h"

#include <gtest/gtest.h>

#include <limits>

namespace autoschedule_gpu {
namespace {

TEST(OuterStride, IsTheProduct) {
    EXPECT_EQ(outer_stride(3, 640), 3 * 640);
    EXPECT_EQ(outer_stride(3, 0), 3) << "of an empty dimension too";
    EXPECT_EQ(outer_stride(-3, 640), -3 * 640) << "of an image that lies backwards";
}

TEST(OuterStride, EndsAtTheLimit) {
    EXPECT_EQ(outer_stride(kRegionLimit, 1), kRegionLimit);
    EXPECT_EQ(outer_stride(kRegionLimit, 2), kRegionLimit);
}

TEST(OuterStride, EndsAtTheLimitWhereTheProductPassesInt64) {
    const int64_t from_4 = kRegionLimit - 3;
    EXPECT_EQ(outer_stride(from_4, from_4), kRegionLimit);
    EXPECT_EQ(outer_stride(kRegionLimit, std::numeric_limits<int64_t>::max()), kRegionLimit);
}

}  // namespace
}  // namespace autoschedule_gpu
