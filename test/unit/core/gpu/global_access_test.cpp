#include <gtest/gtest.h>

#include <ostream>

#include "core/gpu/memory_access.h"
#include "lane_simulation.h"

namespace autoschedule_gpu {

// In this namespace for GoogleTest to find it.
static void PrintTo(const WarpAccess &a, std::ostream *out) {
    *out << "element " << a.element_bytes << ", lanes " << a.active_lanes << ", threads "
         << a.threads[0] << "x" << a.threads[1] << "x" << a.threads[2] << ", strides "
         << a.stride_bytes[0] << " " << a.stride_bytes[1] << " " << a.stride_bytes[2]
         << ", alignment " << a.alignment_bytes;
}

namespace {

const GpuModel &a100() {
    static const GpuModel model = find_preset("A100").value();
    return model;
}

GlobalAccess global(const WarpAccess &access) {
    return global_access(a100(), access);
}

TEST(GlobalAccess, OfContiguousFloatsUsesEveryByte) {
    const GlobalAccess g = global({});
    EXPECT_EQ(g.sectors, 4);
    EXPECT_EQ(g.lines, 1);
    EXPECT_EQ(g.used_bytes, 128);
    EXPECT_EQ(g.efficiency, 1);
}

TEST(GlobalAccess, OfOtherWidthsGrowsWithTheBytes) {
    for (const int64_t bytes : {1, 2, 4, 8, 16}) {
        const GlobalAccess g =
            global({.element_bytes = bytes, .stride_bytes = {static_cast<double>(bytes), 0, 0}});
        EXPECT_EQ(g.sectors, static_cast<double>(bytes)) << bytes;
        EXPECT_EQ(g.lines, bytes <= 4 ? 1 : static_cast<double>(bytes) / 4) << bytes;
    }
}

TEST(GlobalAccess, OfOneElementByAllLanesIsOneSector) {
    const GlobalAccess g = global({.stride_bytes = {0, 0, 0}});
    EXPECT_EQ(g.sectors, 1);
    EXPECT_EQ(g.used_bytes, 4);
    EXPECT_EQ(g.efficiency, 4.0 / 32);
}

TEST(GlobalAccess, WithALargeStrideIsOneSectorPerLane) {
    const GlobalAccess g = global({.stride_bytes = {4096, 0, 0}});
    EXPECT_EQ(g.sectors, 32);
    EXPECT_EQ(g.lines, 32);
    EXPECT_EQ(g.efficiency, 4.0 / 32);
}

TEST(GlobalAccess, WithEverySecondElementWastesHalf) {
    EXPECT_EQ(global({.stride_bytes = {8, 0, 0}}).efficiency, 0.5);
}

TEST(GlobalAccess, WithHalfAnElementPerLaneSharesElements) {
    const GlobalAccess g = global({.stride_bytes = {2, 0, 0}});
    EXPECT_EQ(g.sectors, 2);
    EXPECT_EQ(g.used_bytes, 64);
    EXPECT_EQ(g.efficiency, 1);
}

TEST(GlobalAccess, OfRowsThatStraddleWarpsCountsTheEndsOfBoth) {
    WarpAccess access{.threads = {35, 8, 1}, .stride_bytes = {4, 4096, 0}};
    access.block = {35, 8, 1};
    const GlobalAccess g = global(access);
    EXPECT_GT(g.lines, 1.4);
    EXPECT_LT(g.lines, 2.7);
    EXPECT_GT(g.sectors, 4.5);
    EXPECT_LT(g.sectors, 6);
}

TEST(GlobalAccess, OfRowsShorterThanAWarpCountsEachRow) {
    const GlobalAccess g = global({.threads = {8, 8, 1}, .stride_bytes = {4, 4096, 0}});
    EXPECT_EQ(g.sectors, 4);
    EXPECT_EQ(g.lines, 4);
}

TEST(GlobalAccess, TransposedIsOneSectorPerRow) {
    const GlobalAccess g = global({.threads = {16, 16, 1}, .stride_bytes = {4096, 4, 0}});
    EXPECT_EQ(g.sectors, 16);
    EXPECT_EQ(g.used_bytes, 128);
}

TEST(GlobalAccess, RunningBackwardsCostsWhatRunningForwardsDoes) {
    const GlobalAccess g = global({.stride_bytes = {-4, 0, 0}, .alignment_bytes = 4});
    EXPECT_EQ(g.sectors, global({.alignment_bytes = 4}).sectors);
}

// 128 bytes from a random multiple of 4: five sectors unless the start falls on a sector.
TEST(GlobalAccess, OfUnknownAlignmentIsTheMeanOverThePlaces) {
    const GlobalAccess g = global({.alignment_bytes = 4});
    EXPECT_DOUBLE_EQ(g.sectors, 5 - 1.0 / 8);
    EXPECT_DOUBLE_EQ(g.lines, 2 - 1.0 / 32);
}

TEST(GlobalAccess, GatheredIsOneSectorAndOneLinePerLane) {
    const GlobalAccess g = global({.stride_bytes = {kUnknownStride, 0, 0}});
    EXPECT_EQ(g.sectors, 32);
    EXPECT_EQ(g.lines, 32);
}

TEST(GlobalAccess, OfRowsAtUnknownPlacesCountsEachRowAlone) {
    const GlobalAccess g = global({.threads = {8, 4, 1}, .stride_bytes = {4, kUnknownStride, 0}});
    // 32 bytes from a random multiple of 4 touch 2 - 1/8 sectors.
    EXPECT_DOUBLE_EQ(g.sectors, 4 * (2 - 1.0 / 8));
}

TEST(GlobalAccess, OfAnUnknownDimensionIsSharedAlongAnIdleOne) {
    const GlobalAccess g = global({.threads = {8, 4, 1}, .stride_bytes = {kUnknownStride, 0, 0}});
    EXPECT_EQ(g.sectors, 8);
    EXPECT_EQ(g.used_bytes, 32);
}

TEST(GlobalAccess, WithEveryDimensionUnknownIsOneSectorPerLane) {
    const GlobalAccess g = global({.element_bytes = 16,
                                   .threads = {2, 2, 8},
                                   .stride_bytes = {kUnknownStride, kUnknownStride, kUnknownStride},
                                   .alignment_bytes = 16});
    EXPECT_EQ(g.sectors, 32);
}

TEST(GlobalAccess, WithAnInfiniteStrideIsAGather) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(global({.stride_bytes = {infinity, 0, 0}}).sectors, 32);
    EXPECT_EQ(global({.stride_bytes = {1e300, 0, 0}}).sectors, 32);
    EXPECT_EQ(global({.stride_bytes = {-1e300, 0, 0}}).sectors, 32);
}

TEST(GlobalAccess, OfNoLaneMovesNothing) {
    EXPECT_EQ(global({.active_lanes = 0}).sectors, 0);
    EXPECT_EQ(global({.active_lanes = -3}).efficiency, 0);
}

TEST(GlobalAccess, OfASmallBlockHasNoMoreLanesThanThreads) {
    EXPECT_EQ(global({.threads = {4, 2, 1}, .stride_bytes = {4, 16, 0}}).used_bytes, 32);
}

TEST(GlobalAccess, AgreesWithALaneByLaneSimulation) {
    Random random(20);
    for (int i = 0; i < 20000; i++) {
        const WarpAccess access = random_access(random);
        const std::vector<int64_t> addresses = simulated_addresses(a100(), access);
        const auto mean_units = [&](int64_t unit) {
            size_t units = 0, places = 0;
            for (int64_t start = 0; start < std::max(unit, access.alignment_bytes);
                 start += access.alignment_bytes, places++) {
                std::set<int64_t> touched;
                // A multiple of every unit, so that division truncates as floor does.
                constexpr int64_t kFarFromZero = int64_t{1} << 40;
                for (const int64_t address : addresses) {
                    for (int64_t byte = 0; byte < access.element_bytes; byte++) {
                        touched.insert((kFarFromZero + start + address + byte) / unit);
                    }
                }
                units += touched.size();
            }
            return static_cast<double>(units) / static_cast<double>(places);
        };
        const GlobalAccess g = global(access);
        const auto elements = std::set<int64_t>(addresses.begin(), addresses.end()).size();
        ASSERT_NEAR(g.sectors, mean_units(32), 1e-9) << ::testing::PrintToString(access);
        ASSERT_NEAR(g.lines, mean_units(128), 1e-9) << ::testing::PrintToString(access);
        ASSERT_EQ(g.used_bytes, static_cast<int64_t>(elements) * access.element_bytes);
        ASSERT_GT(g.efficiency, 0);
        ASSERT_LE(g.efficiency, 1);
    }
}

}  // namespace
}  // namespace autoschedule_gpu
