#include "lab/run/core_waits.h"

#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <thread>
#include <vector>

#include "core/support/stopwatch.h"

namespace autoschedule_gpu {
namespace {

// While more threads run than there are cores, some of them wait.
TEST(CoreWaits, GrowWhereThreadsShareCores) {
    CoreWaits waits;
    const std::optional<double> before = waits.so_far_ms();
    if (!before) GTEST_SKIP() << "this system does not tell";
    const unsigned count = 2 * std::thread::hardware_concurrency();
    std::latch all_ran(count + 1);
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < count; ++i) {
        threads.emplace_back([&all_ran](const std::stop_token &stop) {
            const Stopwatch watch;
            while (watch.seconds() < 0.1) {
            }
            all_ran.arrive_and_wait();
            // The threads have to be there for their waits to be counted.
            while (!stop.stop_requested()) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
    }
    all_ran.arrive_and_wait();
    EXPECT_GE(*waits.so_far_ms(), *before + 20);
}

// As a thread that polls a device.
TEST(CoreWaits, AreReadBesideAThreadThatNeverSleeps) {
    int times_asked = 0;
    CoreWaits waits([&] { return ++times_asked > 0; });
    waits.so_far_ms();
    const int times_at_first = times_asked;
    EXPECT_GT(times_at_first, 0) << "the first reading waits";
    waits.so_far_ms();
    EXPECT_EQ(times_asked, times_at_first) << "and no other one";
}

TEST(OtherThreadsAreReady, WhileOneNeverSleeps) {
    const std::jthread polls([](const std::stop_token &stop) {
        while (!stop.stop_requested()) {
        }
    });
    // It may be in the kernel at times, as when it gets its first pages.
    while (!other_threads_are_ready()) std::this_thread::yield();
}

TEST(OtherThreadsAreReady, NoMoreWhenAllSleep) {
    std::latch end(1);
    const std::jthread sleeps([&] { end.wait(); });
    while (other_threads_are_ready()) std::this_thread::yield();
    end.count_down();
}

}  // namespace
}  // namespace autoschedule_gpu
