#include "learn/train/folds.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace autoschedule_gpu {
namespace {

TEST(RandomFolds, HoldEachPipelineOnceInEvenFolds) {
    std::vector<size_t> all;
    for (const std::vector<size_t> &fold : random_folds(14, 4, Random(1))) {
        EXPECT_TRUE(fold.size() == 3 || fold.size() == 4);
        all.insert(all.end(), fold.begin(), fold.end());
    }
    std::sort(all.begin(), all.end());
    for (size_t i = 0; i < 14; ++i) EXPECT_EQ(all.at(i), i);
    EXPECT_EQ(all.size(), 14);
}

TEST(RandomFolds, AreByDefaultOnePerPipelineWhereTheseAreFew) {
    EXPECT_EQ(default_folds(2), 2);
    EXPECT_EQ(default_folds(10), 10);
    EXPECT_EQ(default_folds(11), 5);
}

class RandomSplit : public testing::Test {
protected:
    // Pipelines with so many schedules each, of so many sizes each.
    Split split(std::vector<size_t> schedules, size_t sizes = 1,
                const std::vector<std::string> &seen = {}) {
        owned_.clear();
        for (const size_t count : schedules) {
            const std::string name = "p" + std::to_string(owned_.size() / sizes);
            owned_.push_back({.name = name, .inputs = NetworkInputs(GpuModel())});
            owned_.back().times_ns.resize(count);
        }
        std::vector<const PipelineSamples *> pointers;
        for (const PipelineSamples &pipeline : owned_) pointers.push_back(&pipeline);
        return random_split(pointers, seen, Random(1));
    }

private:
    std::vector<PipelineSamples> owned_;
};

TEST_F(RandomSplit, HoldsOutASeventhOfEqualPipelines) {
    const Split equal = split(std::vector<size_t>(21, 10));
    EXPECT_EQ(equal.held_out.size(), 3);
    EXPECT_EQ(equal.training.size(), 18);
    for (const PipelineSamples *pipeline : equal.held_out) {
        EXPECT_EQ(std::count(equal.training.begin(), equal.training.end(), pipeline), 0);
    }
}

// Training is watched by pairs of schedules of one pipeline: of one schedule there are none.
TEST_F(RandomSplit, HoldsOutPipelinesThatHavePairs) {
    for (const std::vector<size_t> &schedules :
         {std::vector<size_t>{1, 100, 100, 100}, {100, 1, 100, 100}, {1, 1, 1, 50, 50, 50}}) {
        const Split few = split(schedules);
        size_t pairs = 0, held_out = 0, all = 0;
        for (const PipelineSamples *pipeline : few.held_out) {
            pairs += pipeline->schedules() * (pipeline->schedules() - 1) / 2;
            held_out += pipeline->schedules();
        }
        for (const size_t own : schedules) all += own;
        EXPECT_GE(pairs, 40);
        EXPECT_LE(2 * held_out, all);
    }
}

TEST_F(RandomSplit, LeavesMostOfThePairsToTraining) {
    const std::vector<std::vector<size_t>> orders = {
        {29, 1, 1, 1}, {1, 29, 1, 1}, {1, 1, 29, 1}, {1, 1, 1, 29}};
    for (const std::vector<size_t> &schedules : orders) {
        const Split one_large = split(schedules);
        for (const PipelineSamples *pipeline : one_large.held_out) {
            EXPECT_EQ(pipeline->schedules(), 1);
        }
    }
}

TEST_F(RandomSplit, HoldsOutWhatIsNew) {
    std::vector<std::string> seen;
    for (int i = 0; i < 18; ++i) seen.push_back("p" + std::to_string(i));
    const Split some = split(std::vector<size_t>(21, 10), 1, seen);
    EXPECT_EQ(some.held_out.size(), 3);
    for (const PipelineSamples *pipeline : some.held_out) {
        EXPECT_EQ(std::ranges::count(seen, pipeline->name), 0);
    }
    seen.insert(seen.end(), {"p18", "p19", "p20"});
    EXPECT_EQ(split(std::vector<size_t>(21, 10), 1, seen).held_out.size(), 3)
        << "there is no other";
}

// What is learned of one size is known of the other.
TEST_F(RandomSplit, HoldsOutAllSizesOfAPipelineTogether) {
    const Split sizes = split(std::vector<size_t>(42, 5), 2);
    EXPECT_EQ(sizes.held_out.size(), 6);
    EXPECT_EQ(sizes.training.size(), 36);
    for (const PipelineSamples *one : sizes.held_out) {
        EXPECT_EQ(std::ranges::count(sizes.training, one->name, &PipelineSamples::name), 0);
    }
    EXPECT_EQ(split({10, 10, 10, 10, 10, 10}, 2).held_out.size(), 0) << "these are three";
}

TEST_F(RandomSplit, HoldsOutOneOfFourAndNothingOfThree) {
    EXPECT_EQ(split({10, 10, 10, 10}).held_out.size(), 1);
    EXPECT_EQ(split({10, 10, 10}).held_out.size(), 0);
    EXPECT_EQ(split({10, 10, 10}).training.size(), 3);
}

}  // namespace
}  // namespace autoschedule_gpu
