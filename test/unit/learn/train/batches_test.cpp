#include "learn/train/batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace autoschedule_gpu {
namespace {

constexpr std::array<size_t, 4> kSchedules = {100, 1, 33, 32};

TEST(RandomSteps, VisitEveryScheduleOnce) {
    std::set<std::pair<size_t, size_t>> visited;
    size_t visits = 0;
    for (const Step &step : random_steps(kSchedules, 50, Random(1))) {
        for (const Chunk &chunk : step) {
            for (const size_t schedule : chunk.schedules) {
                visited.emplace(chunk.pipeline, schedule);
                ++visits;
            }
        }
    }
    EXPECT_EQ(visits, 166);
    EXPECT_EQ(visited.size(), 166);
    EXPECT_EQ(visited.count({0, 99}), 1);
    EXPECT_EQ(visited.count({3, 31}), 1);
}

TEST(RandomSteps, CutPipelinesIntoEvenChunks) {
    std::vector<std::vector<size_t>> sizes(kSchedules.size());
    for (const Step &step : random_steps(kSchedules, 50, Random(2))) {
        for (const Chunk &chunk : step) sizes[chunk.pipeline].push_back(chunk.schedules.size());
    }
    EXPECT_EQ(sizes[0], std::vector<size_t>(4, 25));  // of at most 32
    EXPECT_EQ(sizes[1], std::vector<size_t>({1}));
    std::sort(sizes[2].begin(), sizes[2].end());
    EXPECT_EQ(sizes[2], std::vector<size_t>({16, 17}));
    EXPECT_EQ(sizes[3], std::vector<size_t>({32}));
}

TEST(RandomSteps, HaveTheSizeOfABatchButForTheLast) {
    const std::vector<Step> steps = random_steps(kSchedules, 50, Random(3));
    for (size_t i = 0; i < steps.size(); ++i) {
        size_t schedules = 0;
        for (const Chunk &chunk : steps[i]) schedules += chunk.schedules.size();
        if (i + 1 < steps.size()) {
            EXPECT_GE(schedules, 50);
        }
        EXPECT_LT(schedules - steps[i].back().schedules.size(), 50);
    }
}

TEST(RandomSteps, DifferFromSeedToSeed) {
    const auto first = [](uint64_t seed) {
        return random_steps(kSchedules, 50, Random(seed))[0][0].schedules;
    };
    EXPECT_EQ(first(1), first(1));
    EXPECT_NE(first(1), first(2));
}

}  // namespace
}  // namespace autoschedule_gpu
