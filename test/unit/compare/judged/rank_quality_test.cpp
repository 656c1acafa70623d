#include "compare/judged/rank_quality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compare/judged/tables.h"

namespace autoschedule_gpu {
namespace {

JudgedSchedule of(std::string application, std::string schedule, double simulated,
                  double predicted) {
    return {std::move(application), std::move(schedule), simulated, predicted, {}};
}

TEST(RankQuality, CountsPairsThatDiffer) {
    const std::vector<JudgedSchedule> all = {of("a", "best", 10, 12), of("a", "near", 11, 8),
                                             of("a", "slow", 30, 11), of("a", "slower", 60, 11)};
    const auto qualities_of_all = qualities(all);
    ASSERT_EQ(qualities_of_all.size(), 1u);
    const RankQuality &q = qualities_of_all[0].quality;
    // Not best and near. Of best and slow, best and slower the wrong one is first; slow and slower
    // are predicted to be equal.
    EXPECT_EQ(q.pairs, 5);
    EXPECT_EQ(q.right, 2);
    EXPECT_NEAR(q.regret, 0.1, 1e-12);
    EXPECT_EQ(q.worst.slower, "slower");
    EXPECT_EQ(q.worst.faster, "best");
    EXPECT_DOUBLE_EQ(q.worst.simulated, 6);
}

TEST(RankQuality, TakesAllApplicationsTogether) {
    const std::vector<JudgedSchedule> all = {of("a", "x", 10, 2), of("a", "y", 20, 1),
                                             of("b", "x", 10, 1), of("b", "y", 20, 2),
                                             of("c", "x", 10, 1)};
    const RankQuality q = overall(qualities(all));
    EXPECT_EQ(q.pairs, 2);
    EXPECT_DOUBLE_EQ(q.pairwise(), 0.5);
    EXPECT_NEAR(q.regret, std::sqrt(2.0) - 1, 1e-12);
    EXPECT_EQ(q.worst.slower, "a/y");
    EXPECT_EQ(judgement_line(all), "pairs 2 pairwise 0.500 regret 0.414");
}

TEST(RankQuality, TellsKernelsByResource) {
    JudgedSchedule one = of("a", "x", 10, 10);
    one.kernels = {
        {{"f", 2, "dram"}, 4, 0.4}, {{"g", 8, "dram"}, 4, 0.4}, {{"h", 9, "l2"}, 0.5, 0.05}};
    const auto found = by_resource({one});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].bound_by, "dram");
    EXPECT_EQ(found[0].kernels, 2);
    EXPECT_DOUBLE_EQ(found[0].least, 0.5);
    EXPECT_DOUBLE_EQ(found[0].geometric_mean, 1);
    EXPECT_DOUBLE_EQ(found[0].greatest, 2);
}

}  // namespace
}  // namespace autoschedule_gpu
