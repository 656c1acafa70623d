#include "lab/run/noise.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

// Runs of `run_s` each, under the protocol: how many samples.
int samples_taken(const NoiseProtocol &protocol, double run_s) {
    double elapsed_s = 0;
    for (int i = 0; wants_another_warmup(protocol, i, elapsed_s); i++) elapsed_s += run_s;
    int taken = 0;
    while (wants_another_sample(protocol, taken, elapsed_s, taken > 0 ? run_s : 0)) {
        elapsed_s += run_s;
        taken++;
    }
    return taken;
}

TEST(NoiseProtocol, TakesAllSamplesOfAFastPipeline) {
    EXPECT_EQ(samples_taken({.warmup_runs = 3, .samples = 20, .time_budget_s = 2}, 0.01), 20);
}

TEST(NoiseProtocol, StopsAtItsTimeBudget) {
    EXPECT_EQ(samples_taken({.warmup_runs = 2, .samples = 20, .time_budget_s = 2}, 0.25), 6);
}

TEST(NoiseProtocol, TakesThreeSamplesOfASlowPipeline) {
    EXPECT_EQ(samples_taken({.warmup_runs = 3, .samples = 20, .time_budget_s = 2}, 0.9), 3);
    EXPECT_EQ(samples_taken({.warmup_runs = 3, .samples = 2, .time_budget_s = 2}, 0.9), 2);
}

TEST(NoiseProtocol, TakesOneSampleWhereARunIsLongerThanTheBudget) {
    EXPECT_EQ(samples_taken({.warmup_runs = 3, .samples = 20, .time_budget_s = 2}, 2.5), 1);
}

TEST(NoiseProtocol, TakesNoSampleIfNoneIsWanted) {
    EXPECT_EQ(samples_taken({.samples = 0}, 0.01), 0);
}

TEST(Summarise, KeepsTheSamplesInTheirOrder) {
    const Timing timing = summarise({3, 1, 2});
    EXPECT_EQ(timing.samples_ms, (std::vector<double>{3, 1, 2}));
    EXPECT_EQ(timing.median_ms, 2);
    EXPECT_EQ(timing.interval_ms.low, 1);
    EXPECT_EQ(timing.interval_ms.high, 3);
    EXPECT_NEAR(timing.interval_ms.confidence, 0.75, 1e-12);
}

}  // namespace
}  // namespace autoschedule_gpu
