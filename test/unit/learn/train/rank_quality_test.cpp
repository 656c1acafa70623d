#include "learn/train/rank_quality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/support/random.h"

namespace autoschedule_gpu {
namespace {

Judged judged(std::vector<double> predicted, std::vector<double> measured) {
    return {.pipeline = "p", .predicted_ns = predicted, .measured_ns = measured};
}

// The definition, pair by pair.
PairCount pairs_one_by_one(const Judged &of, double noise) {
    PairCount count;
    for (size_t fast = 0; fast < of.measured_ns.size(); ++fast) {
        for (size_t slow = 0; slow < of.measured_ns.size(); ++slow) {
            if (of.measured_ns[fast] * (1 + noise) >= of.measured_ns[slow]) continue;
            ++count.pairs;
            if (of.predicted_ns[fast] < of.predicted_ns[slow]) count.ordered += 1;
            if (of.predicted_ns[fast] == of.predicted_ns[slow]) count.ordered += 0.5;
        }
    }
    return count;
}

TEST(PairCount, LeavesOutPairsWithinTheNoise) {
    // 100 and 104 are the same; of the pairs with 200, one is predicted the wrong way round.
    const PairCount count =
        count_pairs(std::vector<double>{3, 1, 2}, std::vector<double>{100, 104, 200});
    EXPECT_EQ(count.pairs, 2);
    EXPECT_EQ(count.ordered, 1);
    EXPECT_EQ(count.accuracy(), 0.5);
}

TEST(PairCount, IsThatOfTheDefinitionForRandomListsWithTies) {
    Random random(1);
    for (int round = 0; round < 200; ++round) {
        Judged list;
        for (size_t i = random.below(40); i > 0; --i) {
            list.predicted_ns.push_back(static_cast<double>(1 + random.below(12)));
            list.measured_ns.push_back(static_cast<double>(1 + random.below(30)));
        }
        const double noise = 0.1 * static_cast<double>(random.below(3));
        const PairCount expected = pairs_one_by_one(list, noise);
        const PairCount found = count_pairs(list.predicted_ns, list.measured_ns, noise);
        EXPECT_EQ(found.pairs, expected.pairs);
        EXPECT_EQ(found.ordered, expected.ordered);
    }
}

TEST(PairCount, HasNoAccuracyWithoutPairs) {
    EXPECT_EQ(count_pairs(std::vector<double>{}, std::vector<double>{}).accuracy(), std::nullopt);
    EXPECT_EQ(count_pairs(std::vector<double>{1, 2}, std::vector<double>{7, 7}).accuracy(),
              std::nullopt);
}

TEST(RankQuality, CorrelatesRanksAndNotValues) {
    EXPECT_EQ(rank_quality(judged({1, 2, 3, 4}, {10, 200, 3000, 50000})).spearman, 1);
    EXPECT_EQ(rank_quality(judged({4, 3, 2, 1}, {10, 200, 3000, 50000})).spearman, -1);
    // Differences of ranks 1, 1, 0, 0: 1 - 6 * 2 / (4 * 15).
    EXPECT_DOUBLE_EQ(*rank_quality(judged({2, 1, 3, 4}, {1, 2, 3, 4})).spearman, 0.8);
}

// Ranks 0.5, 0.5, 2 and 0, 1, 2: covariance 1.5, variances 1.5 and 2.
TEST(RankQuality, SharesRanksAmongEqualValues) {
    EXPECT_DOUBLE_EQ(*rank_quality(judged({1, 1, 2}, {1, 2, 3})).spearman,
                     1.5 / std::sqrt(1.5 * 2));
    EXPECT_EQ(rank_quality(judged({1, 1, 1}, {1, 2, 3})).spearman, std::nullopt);
}

TEST(RankQuality, RegretsWhatTheFirstOfTheModelLose) {
    // In the model's order: 30, 20, 20, 20, 15, 10 ns.
    const RankQuality quality = rank_quality(judged({6, 5, 4, 3, 2, 1}, {10, 15, 20, 20, 20, 30}));
    EXPECT_DOUBLE_EQ(quality.regret[0].value(), 2.0);  // 30 / 10 - 1
    EXPECT_DOUBLE_EQ(quality.regret[1].value(), 0.5);  // 15 / 10 - 1, the fifth
    EXPECT_EQ(quality.regret[2], std::nullopt);        // all of them
}

TEST(RankQuality, RegretsNothingWhereThereIsNoChoice) {
    EXPECT_EQ(rank_quality(judged({1, 2, 3, 4, 5}, {5, 4, 3, 2, 1})).regret[1], std::nullopt);
    // One of six regrets at five; the pipeline of two does not make the mean look better.
    const std::vector<Judged> both = {judged({6, 5, 4, 3, 2, 1}, {10, 15, 20, 20, 20, 30}),
                                      judged({1, 2}, {100, 200})};
    const RankQuality total = rank_quality(both);
    EXPECT_DOUBLE_EQ(total.regret[0].value(), (2.0 + 0) / 2);
    EXPECT_DOUBLE_EQ(total.regret[1].value(), 0.5);
    EXPECT_EQ(total.regret[2], std::nullopt);
}

TEST(RankQuality, CalibratesByQuantilesOfTheRatio) {
    // Ratios 1 to 21 in twenty steps: the quantile q is 1 + 20 q.
    Judged list;
    for (int i = 21; i > 0; --i) {
        list.predicted_ns.push_back(2.0 * i);
        list.measured_ns.push_back(2);
    }
    const Calibration calibration = rank_quality(list).calibration;
    EXPECT_DOUBLE_EQ(calibration.low, 2);
    EXPECT_DOUBLE_EQ(calibration.lower_quartile, 6);
    EXPECT_DOUBLE_EQ(calibration.median, 11);
    EXPECT_DOUBLE_EQ(calibration.upper_quartile, 16);
    EXPECT_DOUBLE_EQ(calibration.high, 20);
}

TEST(RankQuality, OfSeveralPipelinesNeverComparesAcrossThem) {
    const std::vector<Judged> both = {judged({1, 2}, {100, 200}), judged({8, 7, 9}, {1, 2, 3})};
    const RankQuality total = rank_quality(both);
    EXPECT_EQ(total.schedules, 5);
    EXPECT_EQ(total.pairs.pairs, 4);    // 1 + 3
    EXPECT_EQ(total.pairs.ordered, 3);  // all but 8 > 7
    EXPECT_DOUBLE_EQ(*total.spearman, (1 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(total.regret[0].value(), (0 + 1.0) / 2);
    EXPECT_DOUBLE_EQ(total.calibration.median, 3);  // of 0.01, 0.01, 3, 3.5, 8
}

TEST(RankQuality, IsThereForOneSchedule) {
    const RankQuality quality = rank_quality(judged({5}, {10}));
    EXPECT_EQ(quality.pairs.pairs, 0);
    EXPECT_EQ(quality.spearman, std::nullopt);
    EXPECT_EQ(quality.regret[0], std::nullopt);
    EXPECT_EQ(quality.calibration.median, 0.5);
}

}  // namespace
}  // namespace autoschedule_gpu
