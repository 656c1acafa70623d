#include "tune/session/budget.h"

#include <gtest/gtest.h>

#include "tune/session/time_limit.h"

namespace autoschedule_gpu {
namespace {

TEST(ParseBudget, TakesTimesAndTrials) {
    EXPECT_EQ(parse_budget("90s").value(), (Budget{.seconds = 90}));
    EXPECT_EQ(parse_budget("30m").value(), (Budget{.seconds = 1800}));
    EXPECT_EQ(parse_budget("1.5h").value(), (Budget{.seconds = 5400}));
    EXPECT_EQ(parse_budget("400t").value(), (Budget{.seconds = {}, .trials = 400}));
    EXPECT_EQ(parse_budget("2h,1000t").value(), (Budget{.seconds = 7200, .trials = 1000}));
    for (const char *text : {"90s", "400t", "7200s,1000t"}) {
        EXPECT_EQ(to_string(parse_budget(text).value()), text);
    }
}

TEST(ParseBudget, NamesWhatItRefuses) {
    for (const char *text : {"", "30", "m", "-3m", "0t", "1.5t", "1m,2m", "3t,4t", "1e999h", "nans",
                             "30 m", "30m;4t", "99999999999t", "infs"}) {
        const Result<Budget> refused = parse_budget(text);
        ASSERT_FALSE(refused) << text;
        EXPECT_NE(refused.error().message.find("found '" + std::string(text) + "'"),
                  std::string::npos);
    }
}

TEST(TrialsLeft, IsNeverNegativeNorMoreThanWanted) {
    const Budget budget{.seconds = {}, .trials = 10};
    EXPECT_EQ(trials_left(budget, 0, 4), 4);
    EXPECT_EQ(trials_left(budget, 8, 4), 2);
    EXPECT_EQ(trials_left(budget, 12, 4), 0);
    EXPECT_EQ(trials_left({}, 1000, 4), 4);
}

TEST(TimeLimit, IsReachedWhenOnlyTheTimeForTheEndIsLeft) {
    TimeLimit none(std::nullopt), spent(1e-9), long_one(3600);
    EXPECT_FALSE(spent.is_reached()) << "the schedule without tuning is measured first";
    for (TimeLimit *limit : {&none, &spent, &long_one}) limit->keep_for_the_end(60);
    EXPECT_FALSE(none.is_reached());
    EXPECT_EQ(none.left_s(), std::nullopt);
    EXPECT_TRUE(spent.is_reached());
    EXPECT_EQ(spent.left_s(), 0);
    EXPECT_FALSE(long_one.is_reached());
    EXPECT_NEAR(*long_one.left_s(), 3600, 60);
    EXPECT_EQ(none.left_to_begin_s(), std::nullopt);
    EXPECT_EQ(spent.left_to_begin_s(), 0);
    EXPECT_NEAR(*long_one.left_to_begin_s(), 3600 - 60, 50);
    // Half of the budget is for strategies in any case.
    long_one.keep_for_the_end(1e6);
    EXPECT_FALSE(long_one.is_reached());
    EXPECT_NEAR(*long_one.left_to_begin_s(), 1800, 60);
}

}  // namespace
}  // namespace autoschedule_gpu
