#include "lab/records/work_queue.h"

#include <gtest/gtest.h>

#include "example_records.h"
#include "lab/records/worker_name.h"

namespace autoschedule_gpu {
namespace {

class WorkQueueTest : public ::testing::Test {
protected:
    void enqueue(int64_t number, const std::string &session = "s") {
        ASSERT_TRUE(queue_.enqueue(session, number, "{}").value());
    }
    std::optional<Job> lease(const std::string &worker = "w", double seconds = 10) {
        return queue_.lease(worker, seconds).value();
    }
    JobCounts status() { return queue_.status("s").value(); }

    Scratch scratch_;
    RecordStore store_ = open_store(scratch_.path("tuning.records"));
    double now_ = 1000;
    WorkQueue queue_{store_, [this] { return now_; }};
};

TEST_F(WorkQueueTest, HandsOutTheLeastNumberFirstAndEachJobOnce) {
    for (const int64_t number : {3, 1, 2}) enqueue(number);
    EXPECT_FALSE(queue_.enqueue("s", 2, "another").value());
    for (const int64_t number : {1, 2, 3}) {
        const std::optional<Job> job = lease();
        ASSERT_TRUE(job);
        EXPECT_EQ(job->number, number);
        EXPECT_EQ(job->text, "{}");
        EXPECT_EQ(job->attempts, 0);
    }
    EXPECT_FALSE(lease());
    EXPECT_EQ(status(), (JobCounts{.leased = 3}));
}

TEST_F(WorkQueueTest, KeepsSessionsApart) {
    enqueue(2, "a");
    enqueue(1, "b");
    EXPECT_EQ(queue_.lease("w", 10, "a").value()->session, "a");
    EXPECT_FALSE(queue_.lease("w", 10, "a").value());
    EXPECT_EQ(lease()->session, "b");
    EXPECT_EQ(queue_.status("a").value(), (JobCounts{.leased = 1}));
    EXPECT_EQ(queue_.status("c").value(), JobCounts{});
    EXPECT_EQ(queue_.unfinished().value(), 2);
}

TEST_F(WorkQueueTest, GivesResultsInTheOrderOfTheirEnd) {
    enqueue(1);
    enqueue(2);
    const Job first = *lease("w1"), second = *lease("w2");
    EXPECT_TRUE(queue_.finish(second, "w2", "fast").value());
    EXPECT_TRUE(queue_.finish(first, "w1", "slow").value());
    EXPECT_FALSE(queue_.finish(first, "w1", "again").value());
    EXPECT_EQ(status(), (JobCounts{.done = 2}));
    const std::vector<JobResult> results = *queue_.results("s");
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0].number, 2);
    EXPECT_EQ(results[0].worker, "w2");
    EXPECT_EQ(results[0].text, "fast");
    EXPECT_EQ(results[1].text, "slow");
    EXPECT_EQ(queue_.results("s", results[0].finish_number)->size(), 1U);
    EXPECT_EQ(queue_.results("s", results[1].finish_number)->size(), 0U);
}

TEST_F(WorkQueueTest, HandsOutAgainWhatWasNotFinishedInTime) {
    enqueue(1);
    const Job old = *lease("w1", 10);
    now_ += 9.5;
    EXPECT_FALSE(lease("w2"));
    EXPECT_TRUE(queue_.extend(old, "w1", 10).value());
    EXPECT_FALSE(queue_.extend(old, "w2", 10).value());
    now_ += 9.5;
    EXPECT_FALSE(lease("w2"));
    now_ += 1;
    const Job again = *lease("w2", 10);
    EXPECT_EQ(again.id, old.id);
    EXPECT_EQ(again.attempts, 1);
    EXPECT_FALSE(queue_.extend(old, "w1", 10).value());
    EXPECT_FALSE(queue_.finish(old, "w1", "late", {.records = {example_record(1)}}).value());
    EXPECT_TRUE(store_.list()->empty());
    EXPECT_TRUE(queue_.finish(again, "w2", "in time").value());
    EXPECT_EQ(queue_.results("s")->at(0).text, "in time");
}

TEST_F(WorkQueueTest, DoesNotTakeAnEarlierLeaseOfTheSameWorkerForTheNewOne) {
    enqueue(1);
    const Job old = *lease("w", 10);
    now_ += 11;
    const Job again = *lease("w", 10);
    EXPECT_FALSE(queue_.finish(old, "w", "old").value());
    EXPECT_TRUE(queue_.finish(again, "w", "new").value());
}

TEST_F(WorkQueueTest, TakesAResultThatIsLateButNotTooLate) {
    enqueue(1);
    const Job job = *lease("w", 10);
    now_ += 11;
    EXPECT_TRUE(queue_.finish(job, "w", "late").value());
    EXPECT_EQ(status(), (JobCounts{.done = 1}));
}

TEST_F(WorkQueueTest, GivesUpAJobThatWasLostThreeTimes) {
    enqueue(1);
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
        EXPECT_EQ(status(), (JobCounts{.waiting = 1}));
        EXPECT_EQ(lease(std::string("w").append(std::to_string(attempt)))->attempts, attempt);
        now_ += 11;
    }
    EXPECT_EQ(status(), (JobCounts{.lost = 1}));
    EXPECT_FALSE(lease());
    const JobResult result = queue_.results("s")->at(0);
    EXPECT_EQ(result.outcome, JobOutcome::lost);
    EXPECT_EQ(result.worker, "w2");
    EXPECT_EQ(result.text, "");
}

TEST_F(WorkQueueTest, FinishesWithItsFindingsOrNotAtAll) {
    enqueue(1);
    const Job job = *lease();
    TuningRecord bad = example_record(2);
    bad.samples_ms = {};
    EXPECT_FALSE(queue_.finish(job, "w", "r", {.records = {example_record(1), bad}}));
    EXPECT_TRUE(store_.list()->empty());
    EXPECT_EQ(status(), (JobCounts{.leased = 1}));
    const Findings findings{.records = {example_record(1), failed_record(2)},
                            .draws = {example_draw("seed=1", uint64_t{1})}};
    ASSERT_TRUE(store_.add(example_record(1)));  // that another found in the meantime
    EXPECT_TRUE(queue_.finish(job, "w", "r", findings).value());
    EXPECT_EQ(*store_.list(), findings.records);
    EXPECT_TRUE(store_.find_draw(findings.draws[0].key)->has_value());
}

TEST_F(WorkQueueTest, CancelsWhatWaits) {
    for (const int64_t number : {1, 2, 3}) enqueue(number);
    enqueue(1, "other");
    const Job job = *lease();
    EXPECT_EQ(*queue_.cancel("s"), 2);
    EXPECT_EQ(status(), (JobCounts{.leased = 1}));
    ASSERT_TRUE(queue_.forget_finished("s"));
    EXPECT_EQ(status(), (JobCounts{.leased = 1}));
    EXPECT_TRUE(queue_.finish(job, "w", "r").value());
    ASSERT_TRUE(queue_.forget_finished("s"));
    EXPECT_EQ(status(), JobCounts{});
    EXPECT_EQ(queue_.status("other").value(), (JobCounts{.waiting = 1}));
}

// A tuner that was killed and begins again has a new text for them.
TEST_F(WorkQueueTest, CancelsWhatHasALeaseThatRanOutAndLeavesWhatIsBeingDone) {
    for (const int64_t number : {1, 2}) enqueue(number);
    lease("w1", 10);
    const Job job = *lease("w2", 100);
    now_ += 11;
    EXPECT_EQ(*queue_.cancel("s"), 1);
    EXPECT_EQ(status(), (JobCounts{.leased = 1}));
    ASSERT_TRUE(queue_.enqueue("s", 1, "new").value());
    EXPECT_EQ(lease()->text, "new");
    EXPECT_TRUE(queue_.finish(job, "w2", "r").value());
}

TEST_F(WorkQueueTest, TakesJobsBackFromDeadWorkersOfAHost) {
    for (const int64_t number : {1, 2, 3}) enqueue(number);
    for (const char *worker : {"here:1:10", "here:2:10", "hereby:1:10"}) lease(worker);
    const auto is_alive = [](const std::string &worker) { return worker == "here:1:10"; };
    EXPECT_EQ(*queue_.release_dead("here", is_alive), 1);
    EXPECT_EQ(status(), (JobCounts{.waiting = 1, .leased = 2}));
    EXPECT_EQ(lease()->number, 2);
}

}  // namespace
}  // namespace autoschedule_gpu
