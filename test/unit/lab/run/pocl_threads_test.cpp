#include "lab/run/pocl_threads.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace autoschedule_gpu {
namespace {

class KeepPoclThreadsApart : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(sched_getaffinity(0, sizeof before_, &before_), 0);
        unsetenv("POCL_AFFINITY");
    }
    void TearDown() override {
        sched_setaffinity(0, sizeof before_, &before_);
        unsetenv("POCL_AFFINITY");
    }

    static std::string asked() {
        keep_pocl_threads_apart();
        const char *value = getenv("POCL_AFFINITY");
        return value == nullptr ? "nothing" : value;
    }
    static long cores() { return sysconf(_SC_NPROCESSORS_ONLN); }
    int allowed() const { return CPU_COUNT(&before_); }

private:
    cpu_set_t before_ = {};
};

TEST_F(KeepPoclThreadsApart, IsAskedForWhereAllCoresMayBeUsed) {
    EXPECT_EQ(asked(), allowed() == cores() ? "1" : "nothing");
}

TEST_F(KeepPoclThreadsApart, IsNotAskedForOnSomeOfTheCores) {
    if (cores() < 2) GTEST_SKIP() << "this machine has one core";
    cpu_set_t one = {};
    CPU_SET(static_cast<size_t>(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(asked(), "nothing");
}

TEST_F(KeepPoclThreadsApart, LeavesWhatTheUserAskedFor) {
    setenv("POCL_AFFINITY", "0", 1);
    EXPECT_EQ(asked(), "0");
}

}  // namespace
}  // namespace autoschedule_gpu
