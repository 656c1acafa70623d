#include "scheduler/nest/structure.h"

#include <gtest/gtest.h>

#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::parsed;

// The depth from which on two nests differ; one more than the deepest if they don't.
int first_difference(const Dag &dag, std::string_view a, std::string_view b) {
    int depth = 0;
    while (depth <= kDeepestStructure &&
           structural_hash(parsed(dag, a), depth) == structural_hash(parsed(dag, b), depth)) {
        ++depth;
    }
    for (int d = depth; d <= kDeepestStructure; ++d) {
        EXPECT_NE(structural_hash(parsed(dag, a), d), structural_hash(parsed(dag, b), d)) << d;
    }
    return depth;
}

constexpr std::string_view kRoot =
    "kernel f1 blocks x=4 y=16\n"
    "  f1 threads x=32 y=8\n"
    "    f1 serial\n";
constexpr std::string_view kBlock =
    "kernel f1 blocks x=4 y=16\n"
    "  f0 threads x=34 y=10\n"
    "    f0 serial\n"
    "  f1 threads x=32 y=8\n"
    "    f1 serial\n";

class Structure : public testing::Test {
protected:
    const Dag dag_ = example::two_stencils(128, 128);
};

TEST_F(Structure, OfTheSameNestIsTheSameAtEveryDepth) {
    EXPECT_EQ(first_difference(dag_, kBlock, kBlock), kDeepestStructure + 1);
}

TEST_F(Structure, AtDepthZeroIsWhichStagesHaveKernels) {
    const std::string two = std::string(kRoot) +
                            "kernel f0 blocks x=5 y=17\n"
                            "  f0 threads x=32 y=8\n"
                            "    f0 serial\n";
    EXPECT_EQ(first_difference(dag_, kRoot, two), 0);
}

TEST_F(Structure, AtDepthOneIsWhatIsInBlocksOrInlined) {
    EXPECT_EQ(first_difference(dag_, kRoot, kBlock), 1);
    const std::string inlined = "inline: f0\n" + std::string(kRoot);
    EXPECT_EQ(first_difference(dag_, kRoot, inlined), 1);
    EXPECT_EQ(first_difference(dag_, kBlock, inlined), 1);
}

TEST_F(Structure, AtDepthOneIsWhatIsInWhichLoop) {
    const Dag dag = example::shifted_patches(128, 128);
    const std::string head = "inline: diff\nkernel out\n", tail = "  out threads x=32\n";
    const std::string none = head +
                             "  patch threads x=32 i=5\n  total threads x=32\n"
                             "  total.update(0) threads x=32\n    total.update(0) serial s=5\n" +
                             tail;
    const std::string around = head +
                               "  patch threads x=32 i=5\n  total threads x=32\n"
                               "  total.update(0) threads x=32 in loop\n" +
                               tail;
    const std::string inside = head +
                               "  total threads x=32\n  patch threads x=32 in total.update(0)\n"
                               "  total.update(0) threads x=32 in loop\n" +
                               tail;
    EXPECT_EQ(first_difference(dag, none, around), 1);
    EXPECT_EQ(first_difference(dag, around, inside), 1);
}

TEST_F(Structure, AtDepthOneIsHowMuchOfAReductionIsTheLoop) {
    const Dag dag = example::patches_of_all_shifts(128, 128);
    const std::string head =
        "inline: diff patch\nkernel out\n  total threads x=32\n"
        "  total.update(0) threads x=32 in ";
    EXPECT_EQ(first_difference(dag, head + "loop\n  out threads x=32\n",
                               head + "outer_loop\n    total.update(0) serial s=5\n"
                                      "  out threads x=32\n"),
              1);
}

TEST_F(Structure, AtDepthTwoIsWhatIsInThreads) {
    EXPECT_EQ(first_difference(dag_, kRoot,
                               "kernel f1 blocks x=4 y=16\n"
                               "  f1 threads x=32 y=8\n"
                               "    f0 serial x=3 y=3\n"
                               "    f1 serial\n"),
              2);
}

TEST_F(Structure, AtDepthThreeIsHowManyThreadsABlockHas) {
    EXPECT_EQ(first_difference(dag_, kRoot,
                               "kernel f1 blocks x=4 y=32\n"
                               "  f1 threads x=32 y=4\n"
                               "    f1 serial\n"),
              3);
}

TEST_F(Structure, IsTheSameForAsManyThreadsAndMorePoints) {
    EXPECT_EQ(first_difference(dag_, kRoot,
                               "kernel f1 blocks x=8 y=4\n"
                               "  f1 threads x=16 y=16\n"
                               "    f1 serial y=2\n"),
              kDeepestStructure + 1);
}

TEST_F(Structure, OfANestIsTheSumOverItsKernels) {
    const Nest nest = parsed(dag_, kBlock);
    for (int depth = 0; depth <= kDeepestStructure; ++depth) {
        EXPECT_EQ(structural_hash(nest, depth), structural_hash(*nest.kernels[0], depth));
    }
    EXPECT_EQ(structural_hash(empty_nest(dag_), 3), 0u);
}

}  // namespace
}  // namespace autoschedule_gpu
