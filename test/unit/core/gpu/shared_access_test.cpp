#include <gtest/gtest.h>

#include "core/gpu/memory_access.h"
#include "lane_simulation.h"

namespace autoschedule_gpu {
namespace {

const GpuModel &a100() {
    static const GpuModel model = find_preset("A100").value();
    return model;
}

double transactions(const WarpAccess &access) {
    return shared_access(a100(), access).transactions;
}

double with_word_stride(double words) {
    return transactions({.stride_bytes = {4 * words, 0, 0}});
}

TEST(SharedAccess, OfOddWordStridesIsFreeOfConflicts) {
    for (const int stride : {1, 3, 5, 7, 17, 31, 33, -1}) EXPECT_EQ(with_word_stride(stride), 1);
}

TEST(SharedAccess, OfEvenWordStridesConflictsByTheirPowerOfTwo) {
    EXPECT_EQ(with_word_stride(2), 2);
    EXPECT_EQ(with_word_stride(4), 4);
    EXPECT_EQ(with_word_stride(6), 2);
    EXPECT_EQ(with_word_stride(16), 16);
    EXPECT_EQ(with_word_stride(32), 32);
    EXPECT_EQ(with_word_stride(64), 32);
}

TEST(SharedAccess, OfOneWordIsABroadcast) {
    EXPECT_EQ(with_word_stride(0), 1);
    EXPECT_EQ(transactions({.element_bytes = 1, .stride_bytes = {1, 0, 0}}), 1);
    EXPECT_EQ(transactions({.stride_bytes = {2, 0, 0}}), 1);  // x / 2: pairs share a word
}

TEST(SharedAccess, OfWideElementsTakesOnePassPerHalfOrQuarterWarp) {
    EXPECT_EQ(transactions({.element_bytes = 8, .stride_bytes = {8, 0, 0}}), 2);
    EXPECT_EQ(transactions({.element_bytes = 16, .stride_bytes = {16, 0, 0}}), 4);
    EXPECT_EQ(transactions({.element_bytes = 8, .stride_bytes = {16, 0, 0}}), 4);
}

TEST(SharedAccess, OfATileColumnConflictsUnlessPadded) {
    EXPECT_EQ(transactions({.threads = {32, 32, 1}, .stride_bytes = {128, 4, 0}}), 32);
    EXPECT_EQ(transactions({.threads = {32, 32, 1}, .stride_bytes = {132, 4, 0}}), 1);
}

TEST(SharedAccess, OfTwoRowsMeetsInTheBanksOfTheirDistance) {
    EXPECT_EQ(transactions({.threads = {16, 16, 1}, .stride_bytes = {4, 64, 0}}), 1);
    EXPECT_EQ(transactions({.threads = {16, 16, 1}, .stride_bytes = {4, 128, 0}}), 2);
}

TEST(SharedAccess, OfARowIsThatOfTheSameLanesInTwoRows) {
    for (int64_t words = 1; words <= 70; ++words) {
        for (const int64_t lanes : {1, 5, 16, 31, 32}) {
            const double stride = 4.0 * static_cast<double>(words);
            const SharedAccess one = shared_access(
                a100(),
                {.active_lanes = lanes, .threads = {32, 1, 1}, .stride_bytes = {stride, 0, 0}});
            const SharedAccess two =
                shared_access(a100(), {.active_lanes = lanes,
                                       .threads = {4, 8, 1},
                                       .stride_bytes = {stride, 4 * stride, 0}});
            EXPECT_EQ(one.transactions, two.transactions) << words << " words, " << lanes;
            EXPECT_EQ(one.used_bytes, two.used_bytes);
            EXPECT_EQ(one.efficiency, two.efficiency);
        }
    }
}

TEST(SharedAccess, EfficiencyIsTheShareOfTheBanksThatDidSomethingUseful) {
    EXPECT_EQ(shared_access(a100(), {}).efficiency, 1);
    EXPECT_EQ(shared_access(a100(), {.stride_bytes = {8, 0, 0}}).efficiency, 0.5);
    EXPECT_EQ(shared_access(a100(), {.stride_bytes = {0, 0, 0}}).efficiency, 4.0 / 128);
}

TEST(SharedAccess, OfNoLaneIsNothing) {
    EXPECT_EQ(transactions({.active_lanes = 0}), 0);
}

TEST(SharedAccess, OfUnknownWordsIsTheMeanOfRandomOnes) {
    Random random(3);
    for (const int64_t lanes : {1, 2, 4, 8, 16, 24, 32}) {
        constexpr int kTrials = 20000;
        double sum = 0;
        for (int trial = 0; trial < kTrials; trial++) {
            std::array<int, 32> load{};
            for (int64_t lane = 0; lane < lanes; lane++) load[random.below(32)]++;
            sum += *std::max_element(load.begin(), load.end());
        }
        const double mean = sum / kTrials;
        EXPECT_NEAR(transactions({.active_lanes = lanes, .stride_bytes = {kUnknownStride, 0, 0}}),
                    mean, 0.15 * mean)
            << lanes;
    }
}

TEST(SharedAccess, AgreesWithALaneByLaneSimulation) {
    Random random(21);
    for (int i = 0; i < 20000; i++) {
        const WarpAccess access = random_access(random);
        const std::vector<int64_t> addresses = simulated_addresses(a100(), access);
        const size_t expected = simulated_shared_passes(addresses, access.element_bytes);
        ASSERT_EQ(transactions(access), static_cast<double>(expected)) << i;
    }
}

// Of 35 threads a warp has parts of two rows, and each warp others; the block is small enough for
// all its warps to be looked at.
TEST(SharedAccess, OfABlockWhoseRowsStraddleWarpsIsTheMeanOverItsWarps) {
    Random random(8);
    for (int i = 0; i < 2000; i++) {
        WarpAccess access = random_access(random);
        access.block = {random.between(1, 37), random.between(1, 3), 1};
        access.threads = {random.between(1, access.block->at(0)),
                          random.between(1, access.block->at(1)), 1};
        double passes = 0, warps = 0;
        for (int64_t warp = 0; warp < 4; warp++) {
            const auto addresses = simulated_addresses_of_warp(a100(), access, warp);
            if (addresses.empty()) continue;
            passes += static_cast<double>(simulated_shared_passes(addresses, access.element_bytes));
            warps++;
        }
        ASSERT_DOUBLE_EQ(transactions(access), passes / warps) << i;
    }
}

TEST(SharedAccess, OfRowsThatStraddleWarpsMeetsInBanksThatARowAloneDoesNot) {
    const std::array<int64_t, 3> block = {35, 16, 1};
    EXPECT_TRUE(rows_straddle(block, 32));
    const WarpAccess alone{.threads = {32, 16, 1}, .stride_bytes = {4, 4 * 70, 0}};
    WarpAccess straddling = alone;
    straddling.block = block;
    EXPECT_EQ(transactions(alone), 1);
    EXPECT_GT(transactions(straddling), 1.3);
}

TEST(SharedAccess, RowsStraddleWarpsUnlessOneIsAWholeNumberOfTheOther) {
    const auto straddle = [](int64_t x, int64_t y, int64_t z) {
        return rows_straddle({x, y, z}, 32);
    };
    EXPECT_FALSE(straddle(16, 16, 1));
    EXPECT_FALSE(straddle(64, 3, 1));
    EXPECT_FALSE(straddle(35, 1, 1));
    EXPECT_FALSE(straddle(4, 8, 7));
    EXPECT_TRUE(straddle(35, 2, 1));
    EXPECT_TRUE(straddle(4, 3, 7));
}

}  // namespace
}  // namespace autoschedule_gpu
