#include "scheduler/features/divided_coordinates.h"

#include <gtest/gtest.h>

#include "scheduler/features/flat_stage.h"
#include "unit/example_dags.h"
#include "unit/scheduler/features/features_of.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// in -> coarse -> fine(x) = coarse(x / 2) and coarse(x / 2 + 1) -> out, likewise of fine.
Dag interpolated_twice() {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), coarse = b.func("coarse", {"x"}),
                 fine = b.func("fine", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 4095}});
    b.reads(coarse, in, {at(0)}).ops(coarse, OpKind::transcendental, 9);
    b.reads(fine, coarse, {half(0, 0, 1)}, 2).ops(fine, OpKind::add, 1);
    return b.reads(out, fine, {half(0, 0, 1)}, 2).ops(out, OpKind::add, 1).build();
}

double different(const DividedCoordinate &coordinate, double points) {
    return coordinate.different([&](size_t) { return points; });
}

TEST(DividedCoordinates, AreKnownByTheirExpressions) {
    const Dag dag = interpolated_twice();
    const FlatStage flat = flatten(dag, find_stage(dag, "out"), {find_func(dag, "fine")});
    ASSERT_EQ(flat.inlined_divided[0].size(), 1u);
    const DividedCoordinate &half = flat.inlined_divided[0][0];
    EXPECT_EQ(half.dim, 0u);
    // x / 2 and x / 2 + 1; of the next, (x + 1) / 2 and one more; of a third, x / 2 + 2 is new.
    EXPECT_EQ(different(half, 1), 2);
    EXPECT_EQ(different(half, 2), 4);
    EXPECT_EQ(different(half, 3), 5);
    // x / 4, x / 4 + 1, (x / 2 + 1) / 2, which is (x + 2) / 4, and that plus one.
    ASSERT_EQ(flat.producers_divided.size(), 1u);
    const DividedCoordinate &quarter = flat.producers_divided[0][0];
    EXPECT_EQ(different(quarter, 1), 3);
    EXPECT_EQ(different(quarter, 2), 6);
}

TEST(DividedCoordinates, AreNoneOfWholeSteps) {
    const Dag dag = two_stencils(128, 128);
    const FlatStage flat = flatten(dag, find_stage(dag, "f1"), {find_func(dag, "f0")});
    EXPECT_TRUE(flat.inlined_divided[0].empty());
    EXPECT_TRUE(flat.producers_divided[0].empty());
}

// Four points in a thread: 2 of coarse are needed by two of them, and 3 by four.
TEST(DividedCoordinates, AreLoadedOneByOne) {
    const Dag dag = interpolated_twice();
    const auto loads = [&](int points) {
        return features_of(dag, "kernel fine\n  fine threads x=32\n    fine serial x=" +
                                    std::to_string(points) +
                                    "\nkernel coarse\n"
                                    "  coarse threads x=32\nkernel out\n  out threads x=32\n")
            .stage("fine", "global_loads_per_thread");
    };
    EXPECT_EQ(loads(1), 2);
    EXPECT_EQ(loads(2), 4);
    EXPECT_EQ(loads(4), 6);
}

}  // namespace
}  // namespace autoschedule_gpu
