#include "scheduler/nest/thread_code.h"

#include <gtest/gtest.h>

#include <string>

#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

class ThreadCode : public testing::Test {
protected:
    // Of the only kernel in a nest.
    uint64_t hash(const std::string &text) const {
        return thread_code_hash(dag_, *example::parsed(dag_, text).kernels.front());
    }
    // Of a kernel of f1 alone, which is tiled so.
    uint64_t of_f1(const std::string &threads, const std::string &serial) const {
        return hash("kernel f1\n  f1 threads " + threads + "\n    f1 serial " + serial + "\n");
    }

    const Dag dag_ = example::two_stencils(128, 128);
};

TEST_F(ThreadCode, IsTheSameForOtherThreadsAndBlocks) {
    EXPECT_EQ(of_f1("x=32 y=8", "y=2"), of_f1("x=64 y=4", "y=2"));
}

TEST_F(ThreadCode, IsAnotherForFewerIndices) {
    EXPECT_NE(of_f1("x=32 y=8", ""), of_f1("x=128", ""));
}

TEST_F(ThreadCode, IsAnotherForOtherPointsPerThread) {
    EXPECT_NE(of_f1("x=32 y=8", "y=2"), of_f1("x=32 y=8", "x=2"));
}

TEST_F(ThreadCode, IsAnotherForWhatIsComputedInTheBlock) {
    const uint64_t alone = of_f1("x=32 y=8", "");
    const uint64_t with_f0 = hash(
        "kernel f1 blocks x=4 y=16\n"
        "  f0 threads x=34 y=10\n"
        "    f0 serial\n"
        "  f1 threads x=32 y=8\n"
        "    f1 serial\n");
    const uint64_t with_longer_f0 = hash(
        "kernel f1 blocks x=4 y=16\n"
        "  f0 threads x=34 y=5\n"
        "    f0 serial y=2\n"
        "  f1 threads x=32 y=8\n"
        "    f1 serial\n");
    EXPECT_NE(alone, with_f0);
    EXPECT_NE(with_f0, with_longer_f0);
}

}  // namespace
}  // namespace autoschedule_gpu
