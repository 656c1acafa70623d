#include "learn/collect/believed_runs.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

using Runs = std::vector<double>;

TEST(BelievedRuns, AreTheFasterHalf) {
    EXPECT_EQ(believed_runs({.samples_ms = {5, 2, 4, 3}}), (Runs{2, 3}));
    EXPECT_EQ(believed_runs({.samples_ms = {5, 2, 4}}), (Runs{2, 4}));
    EXPECT_EQ(believed_runs({.samples_ms = {5}}), (Runs{5}));
    EXPECT_EQ(believed_runs({}), Runs());
}

// The fastest run may be the one whose cores were taken, if it is of another phase of the machine.
TEST(BelievedRuns, HadTheirCores) {
    EXPECT_EQ(believed_runs({.samples_ms = {1, 5, 6}, .waited_ms = {0.5, 0, 0.3}}), (Runs{5}));
    EXPECT_EQ(believed_runs({.samples_ms = {4, 5}, .waited_ms = {3, 4}}), Runs());
}

// A launch wakes threads that sleep: of a short run that is most of the time.
TEST(BelievedRuns, MayWaitToBeWoken) {
    EXPECT_EQ(believed_runs({.samples_ms = {0.12}, .waited_ms = {0.09}}), (Runs{0.12}));
    EXPECT_EQ(believed_runs({.samples_ms = {0.5}, .waited_ms = {0.4}}), Runs());
}

TEST(AgreedRuns, AreThoseOfTheTwoFastestProcesses) {
    EXPECT_EQ(agreed_runs(std::vector<Runs>{{10, 10.5}, {20, 21}, {9.5, 9.9}}),
              (Runs{9.5, 9.9, 10, 10.5}));
}

TEST(AgreedRuns, AreNoneWhereOnlySlowProcessesAgree) {
    EXPECT_FALSE(agreed_runs(std::vector<Runs>{{20}, {20}, {10}}));
    EXPECT_TRUE(agreed_runs(std::vector<Runs>{{20}, {20}, {10}, {10.9}}));
    EXPECT_FALSE(agreed_runs(std::vector<Runs>{{10}, {11.1}}));
}

TEST(AgreedRuns, TakeTwoProcessesWithRuns) {
    EXPECT_FALSE(agreed_runs(std::vector<Runs>{}));
    EXPECT_FALSE(agreed_runs(std::vector<Runs>{{10}, {}}));
    EXPECT_TRUE(agreed_runs(std::vector<Runs>{{10}, {}, {10}}));
}

}  // namespace
}  // namespace autoschedule_gpu
