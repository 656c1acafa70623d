#include "scheduler/search/buckets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace autoschedule_gpu {
namespace {

std::vector<uint64_t> keys_of(const std::vector<size_t> &sizes) {
    std::vector<uint64_t> keys;
    for (size_t b = 0; b < sizes.size(); ++b) keys.insert(keys.end(), sizes[b], 100 + b);
    return keys;
}

TEST(DrawBuckets, TakesTheLogarithmOfEachBucketAndAtLeastOne) {
    const std::vector<Bucket> buckets = draw_buckets(keys_of({1, 2, 3, 4, 64, 1000}), Random(1));
    std::vector<size_t> draws;
    for (const Bucket &bucket : buckets) draws.push_back(bucket.draws);
    EXPECT_EQ(draws, (std::vector<size_t>{1, 1, 1, 2, 6, 9}));
}

TEST(DrawBuckets, HoldsEveryOptionOnceInSomeOrder) {
    const std::vector<uint64_t> keys = {7, 8, 7, 7, 9, 8};
    const std::vector<Bucket> buckets = draw_buckets(keys, Random(3));
    ASSERT_EQ(buckets.size(), 3u);
    std::set<uint32_t> seen;
    for (const Bucket &bucket : buckets) {
        for (uint32_t option : bucket.options) {
            EXPECT_EQ(keys[option], keys[bucket.options.front()]);
            EXPECT_TRUE(seen.insert(option).second);
        }
    }
    EXPECT_EQ(seen.size(), keys.size());
}

TEST(DrawBuckets, DependsOnTheSeedAndTheKeysAlone) {
    const std::vector<uint64_t> keys = keys_of({50});
    const auto order = [&](uint64_t seed) { return draw_buckets(keys, Random(seed))[0].options; };
    EXPECT_EQ(order(1), order(1));
    EXPECT_NE(order(1), order(2));
    // Another bucket beside it changes nothing.
    std::vector<uint64_t> more = keys;
    more.push_back(5);
    EXPECT_EQ(draw_buckets(more, Random(1))[0].options, order(1));
}

TEST(DrawBuckets, DrawsEachOptionEquallyOften) {
    constexpr int kRuns = 4000;
    std::vector<int> first(8, 0);
    const std::vector<uint64_t> keys = keys_of({8});
    for (int run = 0; run < kRuns; ++run) {
        ++first[draw_buckets(keys, Random(static_cast<uint64_t>(run)))[0].options[0]];
    }
    // 500 each; five standard deviations of a binomial are 105.
    for (int count : first) EXPECT_NEAR(count, kRuns / 8, 105);
}

TEST(AllOptions, AreBucketsOfOne) {
    const std::vector<Bucket> buckets = all_options(3);
    ASSERT_EQ(buckets.size(), 3u);
    EXPECT_EQ(buckets[2].options, std::vector<uint32_t>{2});
    EXPECT_EQ(buckets[2].draws, 1u);
}

class BucketOf : public testing::Test {
protected:
    static Decision fused(Place place) {
        Decision decision;
        decision.place = place;
        return decision;
    }
    const Tiling few_ = {{1, 16}, {1, 8}}, many_ = {{1, 32}, {1, 8}}, tall_ = {{1, 32}, {4, 8}};
    const Tiling square_ = {{1, 16}, {1, 16}};
};

TEST_F(BucketOf, TellsPlacesApartAtAnyDepth) {
    std::set<uint64_t> keys;
    for (Place place : {Place::inlined, Place::root, Place::block, Place::threads}) {
        keys.insert(bucket_of(1, fused(place), 1));
        keys.insert(bucket_of(2, fused(place), 1));
    }
    EXPECT_EQ(keys.size(), 8u);
}

TEST_F(BucketOf, TellsLoopsApartAtAnyDepth) {
    Decision looped = fused(Place::block);
    looped.loop = StageId(3);
    EXPECT_NE(bucket_of(1, looped, 1), bucket_of(1, fused(Place::block), 1));
}

TEST_F(BucketOf, TellsTilingsApartAtTheirDepth) {
    Decision a = fused(Place::undecided), b = a;
    a.tiling = &few_;
    b.tiling = &many_;
    EXPECT_EQ(bucket_of(1, a, 2), bucket_of(1, b, 2));
    EXPECT_NE(bucket_of(1, a, 3), bucket_of(1, b, 3));
    for (const Tiling *tiling : {&tall_, &square_}) {
        a.tiling = tiling;
        EXPECT_EQ(bucket_of(1, a, 3), bucket_of(1, b, 3));
    }
}

}  // namespace
}  // namespace autoschedule_gpu
