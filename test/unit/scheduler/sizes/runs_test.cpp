// Which of several schedules is used at which sizes.
#include "scheduler/sizes/runs.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

constexpr auto kNone = std::nullopt;

// Three sizes of an image; the cost of each schedule at each size.
SizeCosts costs(std::vector<std::vector<std::optional<double>>> cost) {
    return {.cost = std::move(cost),
            .weights = {1, 1, 1},
            .extents = {{100, 100}, {1600, 800}, {400, 400}},
            .first = 2};
}

// Whether a size is given the schedule of that run by its extents alone.
size_t taken(const std::vector<Run> &runs, const std::vector<int64_t> &extents) {
    for (size_t r = 0; r + 1 < runs.size(); ++r) {
        bool holds = true;
        for (size_t d = 0; d < extents.size(); ++d) holds &= extents[d] >= runs[r].least[d];
        if (holds) return r;
    }
    return runs.size() - 1;
}

TEST(FewestRuns, IsOneWhereAScheduleIsGoodEnoughEverywhere) {
    const auto runs = fewest_runs(
        costs({{{10.0, 200.0, 40.0}}, {{10.4, 100.0, 31.0}}, {{10.2, 101.0, 30.0}}}), 0.05);
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 1u);
    EXPECT_EQ(runs->front().made_for, 2u);  // regretted by 3 %, that of the largest by 7.3 %
}

TEST(FewestRuns, HasTheGreatestSizesFirstAndTellsThemApart) {
    const SizeCosts three =
        costs({{{10.0, 200.0, 60.0}}, {{20.0, 100.0, 40.0}}, {{15.0, 150.0, 30.0}}});
    const auto runs = fewest_runs(three, 0.05);
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 3u);
    EXPECT_EQ((*runs)[0].made_for, 1u);
    EXPECT_EQ((*runs)[1].made_for, 2u);
    EXPECT_EQ((*runs)[2].made_for, 0u);
    for (size_t r = 0; r < 3; ++r) {
        EXPECT_EQ(taken(*runs, three.extents[(*runs)[r].made_for]), r);
    }
    EXPECT_EQ((*runs)[0].least, (std::vector<int64_t>{801, 0}));
    EXPECT_EQ((*runs)[1].least, (std::vector<int64_t>{201, 0}));
}

TEST(FewestRuns, UsesAScheduleOnlyWhereItsCostIsKnown) {
    const auto runs = fewest_runs(
        costs({{{10.0, kNone, kNone}}, {{kNone, 100.0, 30.0}}, {{kNone, kNone, 30.0}}}), 0.05);
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 2u);
    EXPECT_EQ((*runs)[0].sizes, (std::vector<size_t>{1, 2}));
    EXPECT_EQ((*runs)[0].made_for, 1u);
    EXPECT_EQ((*runs)[1].made_for, 0u);
}

TEST(FewestRuns, AsksInputsOnlyWhereOutputsAreTheSame) {
    SizeCosts depth{.cost = {{{10.0, kNone}}, {{kNone, 100.0}}},
                    .weights = {1, 1},
                    .extents = {{64, 64, 32}, {64, 64, 2048}},
                    .first = 2};
    auto runs = fewest_runs(depth, 0.05);
    ASSERT_TRUE(runs);
    EXPECT_EQ(runs->front().least, (std::vector<int64_t>{0, 0, 257}));
    depth.extents = {{64, 64, 32}, {128, 64, 2048}};
    runs = fewest_runs(depth, 0.05);
    ASSERT_TRUE(runs);
    EXPECT_EQ(runs->front().least, (std::vector<int64_t>{91, 0, 0}));
}

TEST(FewestRuns, AreNoneWhereDifferentSchedulesAreNeededForTheSameExtents) {
    SizeCosts same =
        costs({{{10.0, kNone, kNone}}, {{kNone, 100.0, kNone}}, {{kNone, kNone, 1.0}}});
    same.extents[2] = same.extents[0];
    EXPECT_FALSE(fewest_runs(same, 0.05));
}

TEST(OneRun, IsTheLeastRegrettedOfThoseThatAreKnownEverywhere) {
    SizeCosts some = costs({{{10.0, 300.0, 60.0}}, {{20.0, 100.0, 40.0}}, {{kNone, 100.0, 30.0}}});
    ASSERT_TRUE(one_run(some));
    EXPECT_EQ(one_run(some)->made_for, 1u);
    EXPECT_EQ(one_run(some)->sizes.size(), 3u);
    some.weights[0] = 10;
    EXPECT_EQ(one_run(some)->made_for, 0u);
    EXPECT_FALSE(
        one_run(costs({{{10.0, kNone, 1.0}}, {{kNone, 100.0, 1.0}}, {{1.0, kNone, 30.0}}})));
}

}  // namespace
}  // namespace autoschedule_gpu
