#include "learn/train/verdict.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

// Pipelines with 100 pairs each, of which the new network orders `now` and the other model
// `in_use`; both move by a few from pipeline to pipeline, and the network's from seed to seed.
std::vector<PairedPipeline> pipelines(size_t count, double now, double in_use, size_t seeds = 5) {
    std::vector<PairedPipeline> all;
    for (size_t i = 0; i < count; ++i) {
        const double offset = static_cast<double>(i % 5) - 2;
        PairedPipeline paired{.in_use = {.pairs = 100, .ordered = in_use - offset}};
        for (size_t seed = 0; seed < seeds; ++seed) {
            const double of_seed = static_cast<double>(seed % 3) - 1;
            paired.now.push_back({.pairs = 100, .ordered = now + offset + of_seed});
        }
        all.push_back(std::move(paired));
    }
    return all;
}

TEST(Verdict, IsBetterWhereTheNetworkIs) {
    const Difference found = difference_of(pipelines(10, 70, 60));
    EXPECT_EQ(found.verdict, Verdict::better);
    EXPECT_NEAR(found.now.mean, 0.70, 0.01);
    EXPECT_NEAR(found.in_use, 0.60, 1e-9);
    EXPECT_GT(found.more.low, 0);
    EXPECT_EQ(found.pipelines, 10);
    EXPECT_EQ(found.seeds, 5);
}

TEST(Verdict, IsWorseWhereTheNetworkIs) {
    EXPECT_EQ(difference_of(pipelines(10, 60, 70)).verdict, Verdict::worse);
}

TEST(Verdict, IsUndecidedWhereTheDifferenceIsOneOfPipelines) {
    const Difference found = difference_of(pipelines(10, 60.2, 60));
    EXPECT_EQ(found.verdict, Verdict::undecided);
    EXPECT_LT(found.more.low, 0);
    EXPECT_GT(found.more.high, 0);
}

TEST(Verdict, IsUndecidedByFewPipelines) {
    EXPECT_EQ(difference_of(pipelines(kFewestPipelines - 1, 90, 10)).verdict, Verdict::undecided);
    EXPECT_EQ(difference_of(pipelines(kFewestPipelines, 90, 10)).verdict, Verdict::better);
    EXPECT_NE(verdict_text(difference_of(pipelines(1, 90, 10)), "the roofline")
                  .find("fewer than 5 pipelines decide nothing"),
              std::string::npos);
}

TEST(Verdict, LeavesOutPipelinesWithoutPairs) {
    std::vector<PairedPipeline> all = pipelines(6, 70, 60);
    all.push_back({.now = std::vector<PairCount>(5), .in_use = {}});
    EXPECT_EQ(difference_of(all).pipelines, 6);
    const Difference none = difference_of(std::span(all).last(1));
    EXPECT_EQ(none.verdict, Verdict::undecided);
    EXPECT_NE(verdict_text(none, "the roofline").find("no pipeline"), std::string::npos);
}

// Equal pipelines differ in nothing, so nothing but the seeds makes the interval.
TEST(Verdict, KnowsThatSeedsDiffer) {
    const PairedPipeline one{.now = {{.pairs = 100, .ordered = 50}, {.pairs = 100, .ordered = 80}},
                             .in_use = {.pairs = 100, .ordered = 60}};
    const Difference found = difference_of(std::vector<PairedPipeline>(10, one));
    EXPECT_EQ(found.verdict, Verdict::undecided);
    EXPECT_NEAR(found.more.low, -0.10, 1e-9);
    EXPECT_NEAR(found.more.high, 0.20, 1e-9);
}

TEST(Verdict, NamesItsNumbers) {
    const std::string text = verdict_text(difference_of(pipelines(10, 70, 60)), "my.weights");
    EXPECT_TRUE(text.starts_with("better than my.weights: ")) << text;
    for (const char *part :
         {"0.698 (", "my.weights 0.600", "+0.098 (", "10 pipelines", "5 seeds"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
