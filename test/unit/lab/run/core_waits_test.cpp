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
    CoreWaits waits;
    const std::jthread polls([](const std::stop_token &stop) {
        while (!stop.stop_requested()) {
        }
    });
    waits.so_far_ms();
    const Stopwatch watch;
    waits.so_far_ms();
    EXPECT_LT(watch.seconds(), 1.5);
}

}  // namespace
}  // namespace autoschedule_gpu
