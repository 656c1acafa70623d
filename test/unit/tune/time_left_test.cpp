#include "tune/session/time_left.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(TimeLeft, IsNotKnownBeforeSomethingIsCompiled) {
    EXPECT_FALSE(work_left({.wall_s = 5}, {.compiled = 10, .run = 10}));
}

// Of 20 schedules that are compiled five are run: that takes longer than to compile them all.
TEST(TimeLeft, HasWhatIsRunBesideWhatIsCompiled) {
    const WorkDone done{.wall_s = 13, .compile_s = 10, .compiled = 20, .run = 1};
    EXPECT_EQ(work_left(done, {.run = 5, .end_s = 4})->all(), 5 * 3 + 4);
    EXPECT_EQ(work_left(done, {.compiled = 20, .run = 20, .end_s = 4})->all(), 10 + 20 * 3 + 4);
}

TEST(TimeLeft, GoesDownWithWhatIsDoneTogetherAfterTheFirst) {
    const WorkDone first{
        .wall_s = 9, .compile_s = 4, .link_s = 4, .compiled = 1, .run = 1, .at_a_time = 4};
    EXPECT_EQ(work_left(first, {.compiled = 8, .run = 8})->all(), 8 * 1 + 8 * (1 + 1));
}

TEST(TimeLeft, IsThatOfTheEndWhereNothingElseIsToCome) {
    EXPECT_EQ(work_left({.wall_s = 9, .compile_s = 10, .compiled = 1}, {.end_s = 4})->all(), 4);
}

// One schedule is tried, and 80 s have gone into prices for a batch that is still to come.
TEST(TimeLeft, DoesNotGrowWithPricesOfWhatIsNotTriedYet) {
    const WorkDone before{.wall_s = 8, .compile_s = 6, .compiled = 1, .run = 1};
    WorkDone after = before;
    after.wall_s += 80;
    after.price_s += 80;
    const WorkToCome more{.compiled = 100, .run = 100};
    EXPECT_EQ(work_left(after, more)->all(), work_left(before, more)->all());
    EXPECT_EQ(work_left(after, more)->compile, 600);
    EXPECT_EQ(work_left(after, more)->price, 0);
}

TEST(TimeLeft, HasPricesAndTrainingByWhatTheyCameTo) {
    const WorkDone done{.wall_s = 50,
                        .compile_s = 20,
                        .price_s = 10,
                        .price_of_tried_s = 5,
                        .train_s = 8,
                        .compiled = 10,
                        .run = 4};
    const WorkLeft left = *work_left(done, {.compiled = 20, .run = 20});
    EXPECT_EQ(left.price, 10);
    EXPECT_EQ(left.compile, 40);
    EXPECT_EQ(left.run, 20 * 3);
    EXPECT_EQ(left.train, 40);
}

TEST(TimeLeft, FitsIntoABudget) {
    const WorkLeft left{.price = 10, .compile = 20, .run = 60, .train = 10};
    EXPECT_EQ(left.within(1000).all(), 100);
    EXPECT_EQ(left.within(50).all(), 50);
    EXPECT_EQ(left.within(50).run, 30);
    EXPECT_EQ(WorkLeft{}.within(0).all(), 0);
}

// Each takes 2 s to compile and 1 s to run.
TEST(NextPart, IsWhatHalfOfTheTimeSufficesFor) {
    const WorkDone done{.wall_s = 30, .compile_s = 20, .compiled = 10, .run = 10, .at_a_time = 2};
    EXPECT_EQ(next_part(done, 1000, 16), 16);
    EXPECT_EQ(next_part(done, 60, 16), 10);
    EXPECT_EQ(next_part(done, 30, 16), 5);
    EXPECT_EQ(next_part(done, 60, 3), 3);
}

TEST(NextPart, IsNeverLessThanWhatIsCompiledTogether) {
    const WorkDone done{.wall_s = 30, .compile_s = 20, .compiled = 10, .run = 10, .at_a_time = 2};
    EXPECT_EQ(next_part(done, 1, 16), 2);
    EXPECT_EQ(next_part(done, 1, 1), 1);
}

TEST(NextPart, IsWhatIsCompiledTogetherWhereNoPaceIsKnown) {
    EXPECT_EQ(next_part({.wall_s = 3, .at_a_time = 2}, 1000, 16), 2);
    EXPECT_EQ(next_part({.at_a_time = 4}, 1, 3), 3);
}

}  // namespace
}  // namespace autoschedule_gpu
