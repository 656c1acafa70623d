#include "learn/collect/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "example_draws.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {
namespace {

class PlanTest : public ::testing::Test {
protected:
    Plan plan(int goal) { return Plan(workloads_, folder_, goal, Sampler{}, 1); }

    void make_sample(Plan &plan, const PlannedDraw &planned) {
        const Workload &workload = workloads_[planned.workload];
        ASSERT_TRUE(folder_.add(example_origin(), sample_of(workload, planned.draw, ++code_)));
        plan.release(planned);
    }
    void make_miss(Plan &plan, const PlannedDraw &planned, FailureKind kind = FailureKind::crash) {
        ASSERT_TRUE(folder_.add(failed_draw(workloads_[planned.workload], planned.draw, kind)));
        plan.release(planned);
    }
    int samples_of(size_t workload) const { return folder_.counts(workloads_[workload]).samples; }

    Scratch scratch_;
    SampleFolder folder_ = SampleFolder::open(scratch_.path("out"), "opencl").value();
    std::vector<Workload> workloads_ = {example_workload("random:0"), example_workload("random:1"),
                                        example_workload("random:2")};
    uint64_t code_ = 0;
};

std::vector<size_t> workloads_in(const std::vector<PlannedDraw> &draws) {
    std::vector<size_t> workloads;
    for (const PlannedDraw &planned : draws) workloads.push_back(planned.workload);
    return workloads;
}

TEST_F(PlanTest, GivesEveryPipelineItsShareAndNoMoreThanIsMissing) {
    Plan plan = this->plan(7);
    EXPECT_EQ(workloads_in(plan.next(4)), (std::vector<size_t>{0, 1, 2, 0}));
    // Seven at most, with the four that are on their way.
    EXPECT_EQ(workloads_in(plan.next(100)), (std::vector<size_t>{1, 2, 0}));
    EXPECT_TRUE(plan.next(100).empty());
}

TEST_F(PlanTest, TriesAnotherScheduleForEachThatFails) {
    Plan plan = this->plan(1);
    const PlannedDraw first = plan.next(1).front();
    make_miss(plan, first);
    const PlannedDraw second = plan.next(1).front();
    EXPECT_NE(second.draw.schedule, first.draw.schedule);
    make_sample(plan, second);
    EXPECT_TRUE(plan.next(1).empty());
    EXPECT_EQ(plan.samples(), 1);
}

TEST_F(PlanTest, GoesOnWhereAnotherStopped) {
    std::vector<std::string> schedules;
    {
        Plan earlier = this->plan(6);
        for (const PlannedDraw &planned : earlier.next(3)) {
            schedules.push_back(planned.draw.schedule);
            make_sample(earlier, planned);
        }
        earlier.next(1);  // on its way when the call ended
    }
    Plan plan = this->plan(6);
    EXPECT_EQ(plan.samples(), 3);
    const std::vector<PlannedDraw> rest = plan.next(100);
    EXPECT_EQ(workloads_in(rest), (std::vector<size_t>{0, 1, 2}));
    for (size_t i = 0; i < 3; ++i) EXPECT_NE(rest[i].draw.schedule, schedules[i]);
}

TEST_F(PlanTest, GivesUpAPipelineOfWhichNothingBecomesASampleAndTheOthersTakeItsShare) {
    Plan plan = this->plan(30);
    int draws_of_first = 0;
    for (auto draws = plan.next(6); !draws.empty(); draws = plan.next(6)) {
        for (const PlannedDraw &planned : draws) {
            draws_of_first += planned.workload == 0;
            planned.workload == 0 ? make_miss(plan, planned) : make_sample(plan, planned);
        }
    }
    EXPECT_EQ(samples_of(0), 0);
    EXPECT_EQ(samples_of(1), 15);
    EXPECT_EQ(samples_of(2), 15);
    EXPECT_GE(draws_of_first, 8);
    EXPECT_LE(draws_of_first, 14);  // those of the last round were on their way already
}

TEST_F(PlanTest, GivesUpAPipelineWhoseSchedulesAreAllTriedSoon) {
    Plan plan = this->plan(40);
    const auto is_new = [&](size_t workload) { return workload != 0 || samples_of(0) < 4; };
    int failed = 0;
    for (auto draws = plan.next(3); !draws.empty(); draws = plan.next(3)) {
        for (const PlannedDraw &planned : draws) {
            failed += !is_new(planned.workload);
            is_new(planned.workload) ? make_sample(plan, planned) : make_miss(plan, planned);
        }
    }
    EXPECT_EQ(samples_of(0), 4);
    EXPECT_EQ(samples_of(1) + samples_of(2), 36);
    EXPECT_LE(failed, 14);  // 12, and what was on its way
}

// The caller ends after kMostNoisyDraws.
TEST_F(PlanTest, GivesUpNothingOnAMachineThatIsTooBusyToTimeAnything) {
    Plan plan = this->plan(100);
    int draws_of[3] = {};
    for (int draws = 0; draws < 60; draws += 3) {
        const auto next = plan.next(3);
        ASSERT_EQ(next.size(), 3u);
        for (const PlannedDraw &planned : next) {
            ++draws_of[planned.workload];
            make_miss(plan, planned, FailureKind::noise);
        }
    }
    for (const int draws : draws_of) EXPECT_EQ(draws, 20);
}

TEST_F(PlanTest, GivesUpAPipelineThatIsNoiseWhereOthersCanBeTimed) {
    Plan plan = this->plan(30);
    int draws_of_first = 0, in_a_row = 0, most_in_a_row = 0;
    for (auto draws = plan.next(1); !draws.empty(); draws = plan.next(1)) {
        const PlannedDraw &planned = draws.front();
        const bool is_first = planned.workload == 0;
        draws_of_first += is_first;
        in_a_row = is_first ? in_a_row + 1 : 0;
        most_in_a_row = std::max(most_in_a_row, in_a_row);
        is_first ? make_miss(plan, planned, FailureKind::noise) : make_sample(plan, planned);
    }
    EXPECT_EQ(samples_of(1) + samples_of(2), 30);
    EXPECT_LE(draws_of_first, 14);
    EXPECT_LE(most_in_a_row, 14);
}

TEST_F(PlanTest, EndsWhenAllAreGivenUp) {
    Plan plan = this->plan(5);
    int draws = 0;
    for (auto next = plan.next(3); !next.empty(); next = plan.next(3)) {
        for (const PlannedDraw &planned : next) make_miss(plan, planned);
        draws += static_cast<int>(next.size());
    }
    EXPECT_GE(draws, 24);
    EXPECT_LE(draws, 30);
}

}  // namespace
}  // namespace autoschedule_gpu
