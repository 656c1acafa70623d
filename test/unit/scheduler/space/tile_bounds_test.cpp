#include "scheduler/space/tile_bounds.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

void expect_bounds(int64_t extent, size_t tiled, int64_t least, int64_t most) {
    const TileBounds bounds = tile_bounds(extent, tiled);
    EXPECT_EQ(bounds.least, least) << extent;
    EXPECT_EQ(bounds.most, most) << extent;
}

// The two equations of §4.2, by hand.
TEST(TileBounds, AreThoseOfThePaper) {
    expect_bounds(2560, 1, 8, 20);  // 2560 / 128
    expect_bounds(2560, 2, 8, 80);  // 2560 / 32
    expect_bounds(1024, 2, 8, 32);
    expect_bounds(1024, 1, 8, 8);
    expect_bounds(1023, 2, 8, 511);  // 1023 / 2
    expect_bounds(64, 2, 8, 32);
    expect_bounds(63, 2, 2, 31);
    expect_bounds(4, 1, 2, 2);
}

TEST(TileBounds, HoldSomethingForLoopsThatAreTooShortForThem) {
    for (int64_t extent : {1, 2, 3}) expect_bounds(extent, 1, 1, 1);
}

}  // namespace
}  // namespace autoschedule_gpu
