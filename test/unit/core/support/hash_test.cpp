#include "core/support/hash.h"

#include <gtest/gtest.h>

#include <bit>

namespace autoschedule_gpu {
namespace {

TEST(Mix64, IsTheFinaliserOfSplitMix64) {
    // First outputs of the published SplitMix64 with seed 0.
    EXPECT_EQ(mix64(0x9e3779b97f4a7c15ULL), 0xe220a8397b1dcdafULL);
    EXPECT_EQ(mix64(2 * 0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
    EXPECT_EQ(mix64(0), 0u);
}

// Hashes go into traces and decide orders, so these numbers must never change.
TEST(Hasher, GivesTheSameValuesForEver) {
    EXPECT_EQ(Hasher().value(), 0x48218226ff3cd4bfULL);
    EXPECT_EQ(Hasher().add(1).value(), 0x0c7ba33b30576ab0ULL);
    EXPECT_EQ(Hasher().add(1).add(2).value(), 0x290165e11561c2ccULL);
    EXPECT_EQ(Hasher(7).add(1).value(), 0xedacbfb6d8756a39ULL);
    EXPECT_EQ(Hasher().add("blur_x").value(), 0x80affa28e92f49bbULL);
}

TEST(Hasher, CanBeEvaluatedAtCompileTime) {
    constexpr uint64_t value = Hasher(1).add(2).value();
    EXPECT_EQ(value, Hasher(1).add(2).value());
}

TEST(Hasher, SeesOrderSeedAndTheEndsOfStrings) {
    EXPECT_NE(Hasher().add(1).add(2).value(), Hasher().add(2).add(1).value());
    EXPECT_NE(Hasher().add(0).value(), Hasher().value());
    EXPECT_NE(Hasher().add(0).add(0).value(), Hasher().add(0).value());
    EXPECT_NE(Hasher(1).value(), Hasher(2).value());
    EXPECT_NE(Hasher().add("ab").add("c").value(), Hasher().add("a").add("bc").value());
    EXPECT_NE(Hasher().add("").value(), Hasher().value());
}

TEST(Hasher, SpreadsEachInputBitOverTheWholeValue) {
    for (int bit = 0; bit < 64; ++bit) {
        const uint64_t changed = Hasher().add(uint64_t{1} << bit).value() ^ Hasher().add(0).value();
        EXPECT_GT(std::popcount(changed), 12) << bit;
        EXPECT_LT(std::popcount(changed), 52) << bit;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
