#include "tune/run/failed_trials.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

Trial failed(FailureKind kind, const std::string &reason) {
    return {.failure = Failure{.kind = kind, .reason = reason}};
}

TEST(FailedTrials, AreCountedByKindWithTheMostFrequentReason) {
    const std::vector<Trial> trials = {failed(FailureKind::crash, "signal 11"),
                                       failed(FailureKind::search, "no tile fits"),
                                       {.code_hash = 1, .samples_ms = {1}},
                                       failed(FailureKind::search, "no vector fits"),
                                       failed(FailureKind::search, "no vector fits")};
    const std::vector<FailedTrials> failures = failures_by_kind(trials);
    ASSERT_EQ(failures.size(), 2U);
    EXPECT_EQ(failures[0].kind, FailureKind::search);
    EXPECT_EQ(failures[0].count, 3);
    EXPECT_EQ(failures[0].reason, "no vector fits");
    EXPECT_EQ(failures[0].of_that_reason, 2);
    EXPECT_EQ(failures[1].kind, FailureKind::crash);
    EXPECT_EQ(failures[1].count, 1);
    EXPECT_EQ(failures[1].reason, "signal 11");
}

TEST(FailedTrials, OfEqualReasonsNameTheFirst) {
    const std::vector<Trial> trials = {failed(FailureKind::crash, "b"),
                                       failed(FailureKind::crash, "a")};
    EXPECT_EQ(failures_by_kind(trials).front().reason, "b");
}

TEST(FailedTrials, AreNoneWhereAllRan) {
    EXPECT_TRUE(failures_by_kind(std::vector<Trial>{{.samples_ms = {1}}}).empty());
}

}  // namespace
}  // namespace autoschedule_gpu
