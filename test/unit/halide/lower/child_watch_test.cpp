#include "halide/lower/child_watch.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace autoschedule_gpu {
namespace {

using std::chrono::milliseconds;

// How many of some looks, a second apart by the clock that the watch is told, take a child that
// does that to be asleep.
template <typename Body>
int times_asleep(const Body &body) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        body();
    }
    std::this_thread::sleep_for(milliseconds(100));  // until it does so
    ChildWatch watch(child);
    ChildWatch::Clock::time_point now{};
    int times = 0;
    for (int look = 0; look <= 10; ++look, now += std::chrono::seconds(1)) {
        times += watch.is_asleep(now);
        std::this_thread::sleep_for(milliseconds(30));
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return times;
}

TEST(ChildWatch, TakesOneThatSleepsForLongToBeAsleep) {
    EXPECT_EQ(times_asleep([] {
                  while (true) pause();
              }),
              10 + 1 - ChildWatch::kForEver.count());
}

TEST(ChildWatch, DoesNotTakeOneThatWorksToBeAsleep) {
    EXPECT_EQ(times_asleep([] {
                  for (volatile int64_t i = 0;;) i = i + 1;
              }),
              0);
}

TEST(ChildWatch, DoesNotTakeOneThatLooksForSomethingToBeAsleep) {
    EXPECT_EQ(times_asleep([] {
                  while (true) usleep(5000);
              }),
              0);
}

TEST(ChildWatch, DoesNotTakeOneThatWasStoppedToBeAsleep) {
    EXPECT_EQ(times_asleep([] {
                  while (true) raise(SIGSTOP);
              }),
              0);
}

}  // namespace
}  // namespace autoschedule_gpu
