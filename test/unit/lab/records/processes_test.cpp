// Several processes with the file of one store.
#include "processes.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "example_records.h"
#include "kill_rounds.h"
#include "lab/records/work_queue.h"
#include "lab/records/worker_name.h"

namespace autoschedule_gpu {
namespace {

TEST(RecordsOfSeveralProcesses, AreThereOnceThoughSeveralAddThem) {
    constexpr int kProcesses = 4;
    constexpr uint64_t kCodes = 60;
    const Scratch scratch;
    const std::string path = scratch.path("tuning.records");  // made by whoever is first
    std::vector<Child> children;
    for (int process = 0; process < kProcesses; ++process) {
        children.emplace_back([&](const Child::Tell &tell) {
            RecordStore store = open_store(path);
            for (uint64_t i = 0; i < kCodes; ++i) {
                const uint64_t code = 1 + (i * 7 + static_cast<uint64_t>(process) * 13) % kCodes;
                if (store.add(example_record(code)).value()) tell(std::to_string(code));
            }
        });
    }
    std::multiset<std::string> added;
    for (Child &child : children) {
        for (std::string &line : child.lines()) added.insert(std::move(line));
        EXPECT_TRUE(child.ended_well());
    }
    EXPECT_EQ(added.size(), kCodes);
    EXPECT_EQ(std::set(added.begin(), added.end()).size(), kCodes);
    RecordStore store = open_store(path);
    EXPECT_EQ(store.counts()->measured, static_cast<int64_t>(kCodes));
    EXPECT_EQ(*store.verify(), std::vector<std::string>());
}

TEST(JobsOfSeveralProcesses, AreHandedOutOnce) {
    constexpr int kJobs = 60;
    const Scratch scratch;
    const std::string path = scratch.path("tuning.records");
    {
        RecordStore store = open_store(path);
        WorkQueue queue(store);
        for (int number = 0; number < kJobs; ++number) ASSERT_TRUE(queue.enqueue("s", number, ""));
    }
    std::vector<Child> children;
    for (int process = 0; process < 4; ++process) {
        children.emplace_back([&](const Child::Tell &tell) {
            RecordStore store = open_store(path);
            WorkQueue queue(store);
            const std::string worker = own_worker_name();
            while (const std::optional<Job> job = queue.lease(worker, 1000).value()) {
                tell(std::to_string(job->number));
                if (!queue.finish(*job, worker, "").value()) _exit(1);
            }
        });
    }
    std::multiset<std::string> done;
    for (Child &child : children) {
        for (std::string &line : child.lines()) done.insert(std::move(line));
        EXPECT_TRUE(child.ended_well());
    }
    EXPECT_EQ(done.size(), static_cast<size_t>(kJobs));
    EXPECT_EQ(std::set(done.begin(), done.end()).size(), static_cast<size_t>(kJobs));
}

TEST(RecordsOfKilledWorkers, AreWholeAndEachThereOnce) {
    expect_to_survive_kills(10, 1);
}

TEST(RecordStoreOfTwoConnections, ShowsWhatTheOtherHasCommitted) {
    const Scratch scratch;
    const std::string path = scratch.path("tuning.records");
    RecordStore writer = open_store(path), other = open_store(path);
    RecordStore reader = open_store(path, StoreAccess::read_only);
    EXPECT_TRUE(writer.add(example_record(1)).value());
    EXPECT_FALSE(other.add(example_record(1)).value());
    EXPECT_TRUE(other.add(example_record(2)).value());
    EXPECT_EQ(reader.list()->size(), 2U);
    EXPECT_FALSE(reader.add(example_record(3)));
}

TEST(WorkerName, IsOfALivingProcessUntilItEnds) {
    const std::string own = own_worker_name();
    EXPECT_TRUE(own.starts_with(host_identity() + ":" + std::to_string(getpid()) + ":")) << own;
    EXPECT_TRUE(is_alive(own));
    EXPECT_FALSE(is_alive(own + "1"));  // the number went to a process that began later
    EXPECT_FALSE(is_alive("elsewhere" + own.substr(own.find(':'))));
    EXPECT_FALSE(is_alive("nonsense"));
    Child child([](const Child::Tell &tell) { tell(own_worker_name()); });
    const std::string name = child.lines().at(0);
    EXPECT_NE(name, own);
    EXPECT_FALSE(is_alive(name));
}

TEST(WorkerName, IsDeadWhenNobodyWaitedForItsProcessYet) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        const std::string name = own_worker_name();
        _exit(write(ends[1], name.data(), name.size()) > 0 ? 0 : 1);
    }
    close(ends[1]);
    char name[512];
    const ssize_t size = read(ends[0], name, sizeof name);
    ASSERT_GT(size, 0);
    siginfo_t ended{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT), 0);
    EXPECT_FALSE(is_alive(std::string(name, static_cast<size_t>(size))));
    close(ends[0]);
    waitpid(pid, nullptr, 0);
}

}  // namespace
}  // namespace autoschedule_gpu
