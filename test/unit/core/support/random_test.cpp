#include "core/support/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace autoschedule_gpu {
namespace {

TEST(Random, IsThePublishedSplitMix64) {
    Random random(0);
    EXPECT_EQ(random.next(), 0xe220a8397b1dcdafULL);
    EXPECT_EQ(random.next(), 0x6e789e6aa1b965f4ULL);
    EXPECT_EQ(random.next(), 0x06c45d188009454fULL);
}

// A seed names a search: what is drawn for it must never change.
TEST(Random, DrawsTheSameSequenceForEver) {
    Random random(42);
    const std::array<uint64_t, 8> expected = {741, 159, 278, 344, 38, 868, 218, 800};
    for (uint64_t value : expected) EXPECT_EQ(random.below(1000), value);
    EXPECT_EQ(Random(42).fork(7).next(), 0x03636f57a922eb77ULL);
}

TEST(Random, StaysBelowItsBoundAndReachesEveryValue) {
    Random random(1);
    std::set<uint64_t> seen;
    for (int i = 0; i < 1000; ++i) {
        const uint64_t value = random.below(7);
        ASSERT_LT(value, 7u);
        seen.insert(value);
    }
    EXPECT_EQ(seen.size(), 7u);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0u);
    for (int i = 0; i < 10; ++i) EXPECT_LT(random.below(UINT64_MAX), UINT64_MAX);
}

TEST(Random, DrawsBothEndsOfARange) {
    Random random(2);
    std::set<int64_t> seen;
    for (int i = 0; i < 1000; ++i) {
        const int64_t value = random.between(-3, 3);
        ASSERT_GE(value, -3);
        ASSERT_LE(value, 3);
        seen.insert(value);
    }
    EXPECT_EQ(seen.size(), 7u);
    EXPECT_EQ(random.between(5, 5), 5);
}

TEST(Random, IsRoughlyUniform) {
    Random random(3);
    std::array<int, 10> counts{};
    for (int i = 0; i < 10000; ++i) ++counts[random.below(10)];
    for (int count : counts) EXPECT_NEAR(count, 1000, 150);
    double sum = 0;
    for (int i = 0; i < 10000; ++i) {
        const double value = random.unit();
        ASSERT_GE(value, 0);
        ASSERT_LT(value, 1);
        sum += value;
    }
    EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(Random, ForksWithoutBeingDisturbed) {
    Random random(4), same(4);
    Random a = random.fork(1), b = random.fork(2), again = random.fork(1);
    EXPECT_EQ(random.next(), same.next());
    const uint64_t first = a.next();
    EXPECT_EQ(first, again.next());
    EXPECT_NE(first, b.next());
}

}  // namespace
}  // namespace autoschedule_gpu
