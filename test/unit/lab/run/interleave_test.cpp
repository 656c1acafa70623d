#include "lab/run/interleave.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace autoschedule_gpu {
namespace {

RunReport report_of(std::vector<double> samples_ms) {
    RunReport report;
    report.verified = true;
    report.samples_ms = std::move(samples_ms);
    return report;
}

// The order in which candidates are run, a text per round.
std::vector<std::string> orders(size_t candidates, int rounds) {
    std::vector<std::string> orders(static_cast<size_t>(rounds));
    const auto outcomes = measure_interleaved(
        candidates, rounds, [&](size_t candidate, int round) -> Outcome<RunReport> {
            orders[static_cast<size_t>(round)] += std::to_string(candidate);
            return report_of({1});
        });
    EXPECT_EQ(outcomes.size(), candidates);
    return orders;
}

TEST(MeasureInterleaved, BeginsEachRoundWithAnotherCandidateAndTurnsAround) {
    EXPECT_EQ(orders(3, 6), (std::vector<std::string>{"012", "102", "201", "021", "120", "210"}));
    EXPECT_EQ(orders(1, 2), (std::vector<std::string>{"0", "0"}));
    EXPECT_TRUE(orders(0, 2)[0].empty());
}

TEST(MeasureInterleaved, LetsNoCandidateAlwaysFollowTheSameOther) {
    std::map<char, std::set<char>> before;
    for (const std::string &order : orders(4, 8)) {
        for (size_t i = 1; i < order.size(); i++) before[order[i]].insert(order[i - 1]);
    }
    for (const auto &[candidate, others] : before) EXPECT_GE(others.size(), 2u) << candidate;
}

TEST(MeasureInterleaved, TakesTheMedianOfEachRoundForOneSample) {
    const auto outcomes =
        measure_interleaved(2, 3, [](size_t candidate, int round) -> Outcome<RunReport> {
            const double ms = static_cast<double>(10 * (candidate + 1)) + round;
            return report_of({ms, ms + 0.5, ms + 100});
        });
    ASSERT_TRUE(outcomes[1].ok());
    EXPECT_EQ(outcomes[1]->rounds, 3);
    EXPECT_EQ(outcomes[1]->timing.samples_ms, (std::vector<double>{20.5, 21.5, 22.5}));
    EXPECT_EQ(outcomes[1]->timing.median_ms, 21.5);
    EXPECT_EQ(outcomes[1]->timing.interval_ms, (ConfidenceInterval{20.5, 22.5, 0.75}));
    EXPECT_EQ(outcomes[1]->first.samples_ms, (std::vector<double>{20, 20.5, 120}));
}

TEST(MeasureInterleaved, DropsACandidateThatFailsAndGoesOnWithTheRest) {
    std::vector<int> runs(2, 0);
    const auto outcomes =
        measure_interleaved(2, 3, [&](size_t candidate, int round) -> Outcome<RunReport> {
            runs[candidate]++;
            if (candidate == 0 && round == 1) {
                return Failure{.kind = FailureKind::crash, .reason = "gone"};
            }
            return report_of({1});
        });
    EXPECT_EQ(runs, (std::vector<int>{2, 3}));
    EXPECT_EQ(outcomes[0].error().kind, FailureKind::crash);
    EXPECT_EQ(outcomes[1]->rounds, 3);
}

}  // namespace
}  // namespace autoschedule_gpu
