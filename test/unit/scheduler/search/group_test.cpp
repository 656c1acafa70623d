#include "scheduler/search/group.h"

#include <gtest/gtest.h>

#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// Two tiles of the paper's example.
class Groups : public testing::Test {
protected:
    std::string text(const GroupTile &tile, Place w, Place k) {
        Places sites = builder_.plain_sites();
        sites[find_func(search_.dag, "W").index()] = w;
        sites[find_func(search_.dag, "K").index()] = k;
        const std::optional<State> state =
            builder_.build(find_func(search_.dag, "Z"), {tile}, sites);
        return state ? to_text(search_.dag, *state->nest.kernels[0]) : "nothing";
    }

    Search search_{kwz(1536, 2560)};
    GroupBuilder builder_{search_.space};
};

TEST_F(Groups, OfOneStageAreItsKernel) {
    EXPECT_EQ(text({{1, 32}, {1, 12}}, Place::root, Place::root),
              "kernel Z blocks x=48 y=214\n  Z threads x=32 y=12\n    Z serial\n");
}

// Figure 3: both in shared memory, with one point per thread; Z needs four rows more of W.
TEST_F(Groups, ComputeMembersPerBlock) {
    EXPECT_EQ(text({{1, 32}, {1, 12}}, Place::block, Place::block),
              "kernel Z blocks x=48 y=214\n"
              "  K threads x=32 y=16\n    K serial c=3\n"
              "  W threads x=32 y=16\n    W serial\n"
              "  Z threads x=32 y=12\n    Z serial\n");
}

// Figure 4: each thread of W computes its three points of K in registers.
TEST_F(Groups, NestKInsideW) {
    EXPECT_EQ(text({{1, 32}, {1, 12}}, Place::block, Place::threads),
              "kernel Z blocks x=48 y=214\n"
              "  W threads x=32 y=16\n    K serial c=3\n    W serial\n"
              "  Z threads x=32 y=12\n    Z serial\n");
}

TEST_F(Groups, AreNothingWhereARuleForbidsThem) {
    EXPECT_EQ(text({{1, 64}, {1, 32}}, Place::block, Place::block), "nothing")
        << "64 x 36 threads are too many";
}

}  // namespace
}  // namespace autoschedule_gpu
