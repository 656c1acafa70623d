#include "tune/session/time_left.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

TEST(TimeLeft, IsNotKnownBeforeSomethingIsCompiled) {
    EXPECT_FALSE(seconds_left({.wall_s = 5}, {.compiled = 10, .run = 10}));
}

// Of 20 schedules that are compiled five are run: that takes longer than to compile them all.
TEST(TimeLeft, HasWhatIsRunBesideWhatIsCompiled) {
    const WorkDone done{.wall_s = 13, .compile_s = 10, .compiled = 20, .run = 1};
    EXPECT_EQ(seconds_left(done, {.run = 5, .end_s = 4}), 5 * 3 + 4);
    EXPECT_EQ(seconds_left(done, {.compiled = 20, .run = 20, .end_s = 4}), 10 + 20 * 3 + 4);
}

TEST(TimeLeft, GoesDownWithWhatIsDoneTogetherAfterTheFirst) {
    const WorkDone first{
        .wall_s = 9, .compile_s = 4, .link_s = 4, .compiled = 1, .run = 1, .at_a_time = 4};
    EXPECT_EQ(seconds_left(first, {.compiled = 8, .run = 8}), 8 * 1 + 8 * (1 + 1));
}

TEST(TimeLeft, IsThatOfTheEndWhereNothingElseIsToCome) {
    EXPECT_EQ(seconds_left({.wall_s = 9, .compile_s = 10, .compiled = 1}, {.end_s = 4}), 4);
}

}  // namespace
}  // namespace autoschedule_gpu
