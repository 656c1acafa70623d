#include "core/support/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace autoschedule_gpu {
namespace {

TEST(ThreadPool, VisitsEachIndexOnce) {
    for (int threads : {1, 2, 8}) {
        ThreadPool pool(threads);
        EXPECT_EQ(pool.threads(), threads);
        for (size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{1000}}) {
            std::vector<std::atomic<int>> visits(count);
            pool.for_each(count, [&](size_t i) { ++visits[i]; });
            for (const std::atomic<int> &v : visits) EXPECT_EQ(v, 1);
        }
    }
}

TEST(ThreadPool, TakesAllCoresWhenAskedForNone) {
    EXPECT_GE(ThreadPool(0).threads(), 1);
    EXPECT_GE(ThreadPool(-1).threads(), 1);
}

TEST(ThreadPool, RethrowsAnException) {
    for (int threads : {1, 4}) {
        ThreadPool pool(threads);
        const auto body = [](size_t i) {
            if (i == 17) throw std::runtime_error("seventeen");
        };
        EXPECT_THROW(pool.for_each(100, body), std::runtime_error);
        // And is of use afterwards.
        std::atomic<int> count = 0;
        pool.for_each(10, [&](size_t) { ++count; });
        EXPECT_EQ(count, 10);
    }
}

TEST(ThreadPool, CanBeNestedInAnother) {
    ThreadPool outer(2), inner(2);
    std::atomic<int> count = 0;
    outer.for_each(4, [&](size_t) { inner.for_each(5, [&](size_t) { ++count; }); });
    EXPECT_EQ(count, 20);
}

TEST(ThreadPool, CanBeNestedInItself) {
    for (int threads : {1, 2, 4}) {
        ThreadPool pool(threads);
        std::atomic<int> count = 0;
        pool.for_each(4, [&](size_t) {
            pool.for_each(5, [&](size_t) { pool.for_each(3, [&](size_t) { ++count; }); });
        });
        EXPECT_EQ(count, 60);
    }
}

// The first piece can't end before two threads have come to what it begins.
TEST(ThreadPool, IdleThreadsHelpWithWhatAnotherHasBegun) {
    ThreadPool pool(2);
    std::set<std::thread::id> seen;
    std::mutex mutex;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const auto both_came = [&] {
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
        return seen.size() == 2;
    };
    pool.for_each(2, [&](size_t i) {
        if (i > 0) return;
        while (seen.size() < 2 && std::chrono::steady_clock::now() < end) {
            pool.for_each(64, [&](size_t) {
                if (!both_came()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            });
        }
    });
    EXPECT_EQ(seen.size(), 2u);
}

TEST(ThreadPool, RethrowsAnExceptionOfWhatIsNested) {
    ThreadPool pool(2);
    const auto fails = [](size_t) { throw std::runtime_error("inner"); };
    EXPECT_THROW(pool.for_each(4, [&](size_t) { pool.for_each(4, fails); }), std::runtime_error);
    std::atomic<int> count = 0;
    pool.for_each(10, [&](size_t) { ++count; });
    EXPECT_EQ(count, 10);
}

// In a fork, which may have no thread but its first. Of root nothing is forbidden.
TEST(ThreadPool, GoesOnWithFewerThreadsThanItWants) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        constexpr uid_t kNobody = 65534;
        const rlimit none{.rlim_cur = 0, .rlim_max = 0};
        if (setrlimit(RLIMIT_NPROC, &none) != 0) _exit(2);
        if (geteuid() == 0 && setuid(kNobody) != 0) _exit(3);
        std::vector<int> visits(100);
        ThreadPool pool(8);
        pool.for_each(visits.size(), [&](size_t i) { ++visits[i]; });
        _exit(pool.threads() == 1 && visits == std::vector<int>(100, 1) ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

size_t threads_of_process() {
    const std::filesystem::path tasks = "/proc/self/task";
    if (!std::filesystem::exists(tasks)) return 0;
    const std::filesystem::directory_iterator all(tasks);
    return static_cast<size_t>(std::distance(begin(all), end(all)));
}

// A library must not; TBB does, when asked for more threads than there are cores.
TEST(ThreadPool, PrintsNothing) {
    testing::internal::CaptureStderr();
    {
        ThreadPool pool(64);
        pool.for_each(256,
                      [](size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ThreadPool, LeavesNoThreadBehind) {
    const size_t before = threads_of_process();
    if (before == 0) GTEST_SKIP() << "no /proc to count threads in";
    {
        ThreadPool pool(3);
        // Long enough for the workers to come.
        pool.for_each(64,
                      [](size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
        EXPECT_GT(threads_of_process(), before);
    }
    // A joined thread's entry may take a moment to go.
    for (int i = 0; i < 200 && threads_of_process() > before; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(threads_of_process(), before);
}

}  // namespace
}  // namespace autoschedule_gpu
