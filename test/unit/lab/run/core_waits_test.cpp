#include "lab/run/core_waits.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/support/stopwatch.h"

namespace autoschedule_gpu {
namespace {

// While more threads run than there are cores, some of them wait.
TEST(CoreWaits, GrowWhereThreadsShareCores) {
    const std::optional<double> before = waited_for_cores_ms();
    if (!before) GTEST_SKIP() << "this system does not tell";
    std::optional<double> after;
    std::vector<std::jthread> threads;
    const unsigned count = 2 * std::thread::hardware_concurrency();
    for (unsigned i = 0; i < count; ++i) {
        threads.emplace_back([](const std::stop_token &stop) {
            while (!stop.stop_requested()) {
            }
        });
    }
    // The threads have to be there for their waits to be counted.
    const Stopwatch watch;
    do {
        after = waited_for_cores_ms();
    } while (*after < *before + 10 && watch.seconds() < 30);
    EXPECT_GE(*after, *before + 10);
}

}  // namespace
}  // namespace autoschedule_gpu
