#include <gtest/gtest.h>

#include <array>
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
    EXPECT_EQ(g.wavefronts, 8) << "random words meet in banks less often than four at a time";
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

// Cycles of a load by a whole warp that hits L1, measured on an H200.
TEST(GlobalAccess, TakesAsManyWavefrontsAsCyclesWereMeasured) {
    using Triple = std::array<int64_t, 3>;
    struct Measured {
        int64_t element_bytes;
        Triple threads;
        std::array<double, 3> stride_bytes;
        double cycles;
    };
    constexpr Triple kRow = {32, 1, 1};
    const Measured all[] = {
        {4, kRow, {4, 0, 0}, 1},         {4, kRow, {8, 0, 0}, 2},
        {4, kRow, {16, 0, 0}, 4},        {4, kRow, {32, 0, 0}, 8},
        {4, kRow, {64, 0, 0}, 16},       {4, kRow, {128, 0, 0}, 32},
        {4, kRow, {132, 0, 0}, 8},  // 32 lines, no two words of a bank
        {4, {4, 8, 1}, {4, 132, 0}, 4},  {4, {8, 4, 1}, {4, 128, 0}, 4},
        {4, {16, 2, 1}, {4, 128, 0}, 2}, {8, kRow, {8, 0, 0}, 2},
        {16, kRow, {16, 0, 0}, 4},       {16, kRow, {0, 0, 0}, 4},
        {16, kRow, {128, 0, 0}, 32},
    };
    for (const auto &[element_bytes, threads, stride_bytes, cycles] : all) {
        const WarpAccess access{
            .element_bytes = element_bytes, .threads = threads, .stride_bytes = stride_bytes};
        EXPECT_EQ(global(access).wavefronts, cycles) << ::testing::PrintToString(access);
    }
}

TEST(GlobalAccess, OfNarrowElementsTakesAPassForAllThatShareWords) {
    EXPECT_EQ(global({.element_bytes = 1, .stride_bytes = {1, 0, 0}}).wavefronts, 1);
    EXPECT_EQ(global({.element_bytes = 2, .stride_bytes = {2, 0, 0}}).wavefronts, 1);
    EXPECT_EQ(global({.stride_bytes = {0, 0, 0}}).wavefronts, 1);
    EXPECT_EQ(global({.stride_bytes = {2, 0, 0}}).wavefronts, 1);  // x / 2: pairs share a word
}

// The block is small enough for all its warps to be looked at.
TEST(GlobalAccess, OfABlockWhoseRowsStraddleWarpsTakesTheMeanWavefrontsOfItsWarps) {
    Random random(9);
    for (int i = 0; i < 2000; i++) {
        WarpAccess access = random_access(random);
        access.block = {random.between(1, 37), random.between(1, 3), 1};
        access.threads = {random.between(1, access.block->at(0)),
                          random.between(1, access.block->at(1)), 1};
        double wavefronts = 0, warps = 0;
        for (int64_t warp = 0; warp < 4; warp++) {
            const auto addresses = simulated_addresses_of_warp(a100(), access, warp);
            if (addresses.empty()) continue;
            wavefronts += simulated_wavefronts(addresses, access);
            warps++;
        }
        ASSERT_NEAR(global(access).wavefronts, wavefronts / warps, 1e-9)
            << ::testing::PrintToString(access);
    }
}

TEST(GlobalAccess, AgreesWithALaneByLaneSimulation) {
    Random random(20);
    for (int i = 0; i < 20000; i++) {
        const WarpAccess access = random_access(random);
        const std::vector<int64_t> addresses = simulated_addresses(a100(), access);
        const auto mean_units = [&](int64_t unit) {
            return simulated_units(addresses, access.element_bytes, access.alignment_bytes, unit);
        };
        const GlobalAccess g = global(access);
        const auto elements = std::set<int64_t>(addresses.begin(), addresses.end()).size();
        ASSERT_NEAR(g.sectors, mean_units(32), 1e-9) << ::testing::PrintToString(access);
        ASSERT_NEAR(g.lines, mean_units(128), 1e-9) << ::testing::PrintToString(access);
        ASSERT_NEAR(g.wavefronts, simulated_wavefronts(addresses, access), 1e-9)
            << ::testing::PrintToString(access);
        ASSERT_EQ(g.used_bytes, static_cast<int64_t>(elements) * access.element_bytes);
        ASSERT_GT(g.efficiency, 0);
        ASSERT_LE(g.efficiency, 1);
    }
}

}  // namespace
}  // namespace autoschedule_gpu
