#include "scheduler/nest/thread_code.h"

#include <gtest/gtest.h>

#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

class ThreadCode : public testing::Test {
protected:
    uint64_t hash(std::string_view text) const {
        return thread_code_hash(dag_, *example::parsed(dag_, text).kernels.front());
    }

    const Dag dag_ = example::two_stencils(128, 128);
};

TEST_F(ThreadCode, IsTheSameForOtherThreadsAndBlocks) {
    const uint64_t square = hash(
        "kernel f1 blocks x=4 y=8\n"
        "  f1 threads x=32 y=8\n"
        "    f1 serial y=2\n");
    const uint64_t row = hash(
        "kernel f1 blocks x=2 y=16\n"
        "  f1 threads x=64 y=4\n"
        "    f1 serial y=2\n");
    EXPECT_EQ(square, row);
}

TEST_F(ThreadCode, IsAnotherForFewerIndices) {
    const uint64_t square = hash(
        "kernel f1 blocks x=4 y=16\n"
        "  f1 threads x=32 y=8\n"
        "    f1 serial\n");
    const uint64_t row = hash(
        "kernel f1 blocks x=1 y=128\n"
        "  f1 threads x=128\n"
        "    f1 serial\n");
    EXPECT_NE(square, row);
}

TEST_F(ThreadCode, IsAnotherForOtherPointsPerThread) {
    const uint64_t column = hash(
        "kernel f1 blocks x=4 y=8\n"
        "  f1 threads x=32 y=8\n"
        "    f1 serial y=2\n");
    const uint64_t row = hash(
        "kernel f1 blocks x=2 y=16\n"
        "  f1 threads x=32 y=8\n"
        "    f1 serial x=2\n");
    EXPECT_NE(column, row);
}

TEST_F(ThreadCode, IsAnotherForWhatIsComputedInTheBlock) {
    const uint64_t alone = hash(
        "kernel f1 blocks x=4 y=16\n"
        "  f1 threads x=32 y=8\n"
        "    f1 serial\n");
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
