#include "kill_rounds.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "example_records.h"
#include "lab/records/work_queue.h"
#include "lab/records/worker_name.h"
#include "processes.h"

namespace autoschedule_gpu {
namespace {

constexpr int kWorkers = 2;
constexpr int kJobsPerRound = 30;

DrawKey draw_of(int64_t number) {
    return example_draw(std::to_string(number), uint64_t{1}).key;
}

// Ends by its own error only; says "add CODE" and "finish NUMBER" of what is committed.
void work(const std::string &path, uint64_t first_code, const Child::Tell &tell) {
    RecordStore store = open_store(path);
    WorkQueue queue(store);
    const std::string worker = own_worker_name();
    for (uint64_t code = first_code;; ++code) {
        if (!store.add(example_record(code)).value()) _exit(1);
        tell("add " + std::to_string(code));
        const std::optional<Job> job = queue.lease(worker, 1e6).value();
        if (!job) continue;
        const auto found = static_cast<uint64_t>(job->number) + 1;
        const KnownDraw draw{.key = draw_of(job->number), .code_hash = found};
        const Findings findings{.records = {failed_record(found)}, .draws = {draw}};
        if (!queue.finish(*job, worker, "{}", findings).value()) _exit(1);
        tell("finish " + std::to_string(job->number));
    }
}

// What workers said that they have committed, over all rounds.
struct Said {
    std::set<uint64_t> codes;
    std::set<int64_t> jobs;

    void add(const std::string &line) {
        if (line.starts_with("add ")) codes.insert(std::stoull(line.substr(4)));
        if (line.starts_with("finish ")) {
            EXPECT_TRUE(jobs.insert(std::stoll(line.substr(7))).second) << line << " twice";
        }
    }
};

void enqueue_jobs(const std::string &path, int jobs) {
    RecordStore store = open_store(path);
    WorkQueue queue(store);
    ASSERT_TRUE(store.database().write([&]() -> Status {
        for (int number = 0; number < jobs; ++number) {
            if (!queue.enqueue("s", number, "{}")) return Error{"not enqueued"};
        }
        return Ok{};
    }));
}

void check_records(RecordStore &store, const Said &said) {
    EXPECT_EQ(*store.verify(), std::vector<std::string>());
    std::set<CandidateKey> keys;
    std::set<uint64_t> codes;
    ASSERT_TRUE(store.visit({}, [&](const TuningRecord &record) {
        EXPECT_TRUE(keys.insert(key_of(record)).second) << record.code_hash << " twice";
        codes.insert(record.code_hash);
        return Status(Ok{});
    }));
    for (const uint64_t code : said.codes) EXPECT_TRUE(codes.contains(code)) << code;
    for (const int64_t job : said.jobs) {
        EXPECT_TRUE(codes.contains(static_cast<uint64_t>(job) + 1)) << job;
    }
}

void check_jobs(RecordStore &store, const Said &said, int jobs) {
    WorkQueue queue(store);
    const JobCounts before = queue.status("s").value();
    EXPECT_LE(before.leased, kWorkers);
    EXPECT_EQ(queue.release_dead(host_identity(), is_alive).value(), before.leased);
    const JobCounts counts = queue.status("s").value();
    EXPECT_EQ(counts.leased, 0);
    EXPECT_EQ(counts.waiting + counts.done + counts.lost, jobs);
    std::set<int64_t> done;
    const std::vector<JobResult> results = queue.results("s").value();
    for (const JobResult &result : results) {
        EXPECT_TRUE(done.insert(result.number).second);
        if (result.outcome == JobOutcome::lost) continue;
        EXPECT_TRUE(store.find_draw(draw_of(result.number))->has_value()) << result.number;
    }
    for (const int64_t job : said.jobs) EXPECT_TRUE(done.contains(job)) << job;
}

}  // namespace

void expect_to_survive_kills(int rounds, unsigned seed) {
    const Scratch scratch;
    const std::string path = scratch.path("tuning.records");
    const int jobs = rounds * kJobsPerRound;
    enqueue_jobs(path, jobs);
    std::mt19937 random(seed);
    Said said;
    for (int round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
        std::vector<Child> workers;
        for (int worker = 0; worker < kWorkers; ++worker) {
            const auto first_code = static_cast<uint64_t>(round * kWorkers + worker + 1) << 32;
            workers.emplace_back([&](const auto &tell) { work(path, first_code, tell); });
        }
        // Every other round gets as far as the work, however busy the machine is.
        for (Child &worker : workers) {
            if (round % 2 == 1) worker.wait_for_a_line();
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 30'000));
        for (const Child &worker : workers) worker.kill();
        for (Child &worker : workers) {
            for (const std::string &line : worker.lines()) said.add(line);
            EXPECT_FALSE(worker.ended_well());
        }
        RecordStore store = open_store(path);
        check_records(store, said);
        check_jobs(store, said, jobs);
    }
    EXPECT_GE(said.codes.size(), static_cast<size_t>(rounds / 2 * kWorkers));
    ::testing::Test::RecordProperty("jobs_finished", static_cast<int>(said.jobs.size()));
}

}  // namespace autoschedule_gpu
