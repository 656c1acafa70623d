#include "scheduler/search/search_clock.h"

#include <gtest/gtest.h>

#include "scheduler/search/report.h"

namespace autoschedule_gpu {
namespace {

TEST(SearchClock, IsUpWhenMoreThanTheLimitHasPassed) {
    double now = 0;
    SearchClock clock(60, [&] { return now; });
    EXPECT_FALSE(clock.is_up());
    now = 60;
    EXPECT_FALSE(clock.is_up());
    EXPECT_EQ(clock.stop_reason().kind, StopReason::Kind::completed);
    now = 60.25;
    EXPECT_TRUE(clock.is_up());
    EXPECT_EQ(clock.stop_reason().kind, StopReason::Kind::time_limit);
}

TEST(SearchClock, TellsWhatIsLeft) {
    double now = 0;
    const SearchClock clock(60, [&] { return now; });
    EXPECT_EQ(clock.left_s(), 60);
    now = 61;
    EXPECT_EQ(clock.left_s(), -1);
    EXPECT_EQ(clock.stop_reason().kind, StopReason::Kind::completed);
}

// What was measured when something was left out for the first time.
TEST(SearchClock, RemembersTheValueThatStoppedTheSearch) {
    double now = 61;
    SearchClock clock(60, [&] { return now; });
    EXPECT_TRUE(clock.is_up());
    now = 75;
    EXPECT_TRUE(clock.is_up());
    EXPECT_EQ(clock.stop_reason().measured, 61);
    EXPECT_EQ(clock.stop_reason().limit, 60);
}

// Nobody asked after the limit, so nothing was left out.
TEST(SearchClock, StopsNothingThatWasDoneInTime) {
    double now = 59;
    SearchClock clock(60, [&] { return now; });
    EXPECT_FALSE(clock.is_up());
    now = 100;
    EXPECT_EQ(clock.stop_reason().kind, StopReason::Kind::completed);
}

// Pieces of work that are done at once, or one after the other: all the same.
TEST(SearchClock, GivesEachPieceOfWorkWhatEffortIsLeft) {
    SearchClock clock(60, [] { return 1; });
    clock.limit_effort(100);
    clock.spend(40);
    SearchClock one = clock.apart(), other = clock.apart();
    one.spend(50);
    EXPECT_FALSE(one.is_up());
    other.spend(61);
    EXPECT_TRUE(other.is_up());
    clock.add(one);
    EXPECT_EQ(clock.effort(), 90);
    EXPECT_FALSE(clock.is_up());
    clock.add(other);
    EXPECT_EQ(clock.effort(), 151);
    EXPECT_EQ(clock.stop_reason().kind, StopReason::Kind::effort_limit)
        << "a piece has left something out";
}

TEST(SearchClock, IsUpWhenMoreThanTheEffortIsSpent) {
    SearchClock clock(60, [] { return 1; });
    clock.spend(1'000'000'000);
    EXPECT_FALSE(clock.is_up()) << "without a limit";
    clock.limit_effort(1e9);
    EXPECT_FALSE(clock.is_up());
    clock.spend(1);
    EXPECT_TRUE(clock.is_up());
    EXPECT_EQ(clock.left_s(), 59);
    EXPECT_EQ(clock.stop_reason().kind, StopReason::Kind::effort_limit);
    EXPECT_EQ(clock.stop_reason().measured, 1e9 + 1);
    EXPECT_EQ(to_text(clock.stop_reason()), "effort_limit, 1e+09 of 1e+09 stages");
}

TEST(SearchClock, RunsOnItsOwn) {
    SearchClock none(-1), plenty(1e6);
    EXPECT_TRUE(none.is_up());
    EXPECT_FALSE(plenty.is_up());
}

TEST(StopReasons, HaveNamesAndTellTheirValue) {
    EXPECT_EQ(to_string(StopReason::Kind::completed), "completed");
    EXPECT_EQ(to_string(StopReason::Kind::time_limit), "time_limit");
    EXPECT_EQ(to_text({}), "completed");
    EXPECT_EQ(to_text({StopReason::Kind::time_limit, 60.04, 60}), "time_limit, 60.0 s of 60 s");
    EXPECT_EQ(to_text({StopReason::Kind::time_limit, 1.26, 0.5}), "time_limit, 1.3 s of 0.5 s");
}

TEST(RunningPart, CountsTheStatesOfItsTime) {
    SearchReport report;
    report.states_scored = 10;
    RunningPart part(report, "pass", 7000);
    report.states_scored = 25;
    part.done(5000);
    ASSERT_EQ(report.parts.size(), 1u);
    EXPECT_EQ(report.parts[0].name, "pass");
    EXPECT_EQ(report.parts[0].states, 15u);
    EXPECT_EQ(report.parts[0].cost_before, 7000);
    EXPECT_EQ(report.parts[0].cost_after, 5000);
    EXPECT_GE(report.parts[0].seconds, 0);
}

}  // namespace
}  // namespace autoschedule_gpu
