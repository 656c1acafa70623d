#include "scheduler/nest/full_tiles.h"

#include <gtest/gtest.h>

#include "scheduler/nest/edit.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using Extents = std::vector<int64_t>;
using example::find_stage;

constexpr std::string_view kStagedNest =
    "kernel f1 blocks x=4 y=16\n"
    "  f0 threads x=34 y=10\n"
    "    f0 serial\n"
    "  f1 threads x=32 y=4\n"
    "    f1 serial y=2\n";

TEST(FullTiles, AreThoseThatShiftInwardsAndFitTheGrid) {
    const Dag dag = example::two_stencils(128, 128);
    const Nest nest = parsed(dag, kStagedNest);
    const auto sizes = full_tiles(dag, *nest.kernels[0]);
    ASSERT_TRUE(sizes);
    EXPECT_EQ(sizes->least, (Extents{32, 8}));
    EXPECT_EQ(sizes->most, (Extents{0, 65535 * 8}));
    EXPECT_EQ(at_other_sizes(dag, *nest.kernels[0]), OtherSizes::points);
}

TEST(FullTiles, AreNeededByAStageInTheBlockAsThere) {
    const Dag dag = example::two_stencils(128, 128);
    const Nest nest = parsed(dag, kStagedNest);
    const auto around = full_tiles_around(dag, *nest.kernels[0], find_stage(dag, "f0"));
    ASSERT_TRUE(around);
    EXPECT_EQ(around->least, (Extents{32, 8}));
    EXPECT_EQ(around->most, (Extents{0, 0}));
}

// A thread computes two rows of one column.
TEST(FullTiles, AreNeededByAStageInTheThreadsAsThere) {
    const Dag dag = example::two_stencils(128, 128);
    const Nest nest = parsed(dag,
                             "kernel f1 blocks x=4 y=16\n"
                             "  f1 threads x=32 y=4\n"
                             "    f0 serial x=3 y=4\n"
                             "    f1 serial y=2\n");
    const auto around = full_tiles_around(dag, *nest.kernels[0], find_stage(dag, "f0"));
    ASSERT_TRUE(around);
    EXPECT_EQ(around->least, (Extents{0, 2}));
}

// A block of one point of f1 needs 3x3 of f0.
TEST(OtherSizes, LeaveAPointToEachThreadWhereThereAreEnough) {
    const Dag dag = example::two_stencils(128, 128);
    const auto has_threads = [&](std::string_view text) {
        return has_threads_for_all_points(dag, *parsed(dag, text).kernels[0]);
    };
    EXPECT_TRUE(
        has_threads("kernel f1 blocks x=4 y=16\n"
                    "  f0 threads x=34 y=5\n"
                    "    f0 serial y=2\n"
                    "  f1 threads x=32 y=4\n"
                    "    f1 serial y=2\n"));
    EXPECT_FALSE(
        has_threads("kernel f1 blocks x=32 y=32\n"
                    "  f0 threads x=2 y=3\n"
                    "    f0 serial x=3 y=2\n"
                    "  f1 threads x=2 y=2\n"
                    "    f1 serial x=2 y=2\n"));
}

// A block of one point reads 100 planes, and devices have 64 threads along z.
TEST(OtherSizes, LeaveAPointToEachThreadNotAlongZWhereThereAreMore) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "c"});
    const FuncId planes = b.func("planes", {"x", "y", "c"});
    const FuncId out = b.output("out", {{"x", 0, 1023}, {"y", 0, 1023}});
    b.reads(planes, in, {example::at(0), example::at(1), example::at(2)});
    b.reads(out, planes, {example::at(0), example::at(1), example::anywhere(0, 99)});
    const Dag dag = b.build();
    const Nest nest = parsed(dag,
                             "kernel out blocks x=32 y=512\n"
                             "  planes threads x=32 y=2 c=13\n"
                             "    planes serial c=8\n"
                             "  out threads x=32 y=2\n");
    EXPECT_FALSE(has_threads_for_all_points(dag, *nest.kernels[0]));
}

TEST(OtherSizes, HaveTilesOfOnePointWhereTheyWouldBeShiftedInwards) {
    Dag dag = example::two_stencils(128, 128);
    dag.funcs[example::find_func(dag, "f1").index()].dims[0].constant = true;
    const Nest nest = parsed(dag, kStaged);
    const Kernel &kernel = *nest.kernels[0];
    const Tiling tiling = tiling_at_other_sizes(dag, kernel);
    EXPECT_EQ(tiling[0], kernel.tiling[0]) << "which never is";
    EXPECT_EQ(tiling[1], LoopTile());
}

TEST(FullTiles, ThatEndInGuardsOnlyHaveToFitTheGrid) {
    const Dag dag = example::matmul_output(64);
    const auto kernel = make_kernel(dag, find_stage(dag, "out"), {{4, 16}, {1, 8}});
    const auto sizes = full_tiles(dag, *kernel);
    ASSERT_TRUE(sizes);
    EXPECT_EQ(sizes->least, (Extents{0, 0}));
    EXPECT_EQ(sizes->most, (Extents{0, 65535 * 8}));
    EXPECT_EQ(at_other_sizes(dag, *kernel), OtherSizes::guarded_tiles);
}

TEST(FullTiles, OfConstantExtentsAreFullAtAllSizes) {
    Dag dag = example::two_stencils(128, 128);
    for (Dimension &dim : dag.funcs[example::find_func(dag, "f1").index()].dims) {
        dim.constant = true;
    }
    EXPECT_FALSE(full_tiles(dag, *parsed(dag, kStagedNest).kernels[0]));
}

// out(rx, ry) = in(rx, ry), of so many rows as is known at run time only.
Dag rows_of_a_reduction(bool parallel) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 1023}, {"y", 0, 1023}});
    Loop rows = b.reduction("ry", 0, 99, parallel, false);
    rows.may_be_empty = parallel;
    const StageId update =
        b.update(out, {b.reduction("rx", 0, 999, true), rows}, {example::at(0), example::at(1)});
    return b.reads(update, in, {example::at(0), example::at(1)}).build();
}

// A launch needs a block, and the grid holds so many.
TEST(FullTiles, HaveSomeOfAReductionThatMayBeEmptyAndNotTooMany) {
    const Dag dag = rows_of_a_reduction(true);
    const auto kernel = make_kernel(dag, find_stage(dag, "out.update(0)"), {{1, 32}, {1, 8}});
    EXPECT_TRUE(has_varying_reductions(dag, *kernel));
    const auto sizes = full_tiles(dag, *kernel);
    ASSERT_TRUE(sizes);
    EXPECT_EQ(sizes->least, (Extents{0, 0}));
    EXPECT_EQ(sizes->most, (Extents{0, 0}));
    ASSERT_EQ(sizes->reductions.size(), 1u);
    EXPECT_EQ(sizes->reductions[0].loop, 1u);
    EXPECT_EQ(sizes->reductions[0].least, 1);
    EXPECT_LE(sizes->reductions[0].most, 65535 * 8);
    EXPECT_GE(sizes->reductions[0].most, 65534 * 8);
}

TEST(FullTiles, AskNothingOfAReductionWithoutBlocks) {
    const Dag dag = rows_of_a_reduction(false);
    const auto kernel = make_kernel(dag, find_stage(dag, "out.update(0)"), {{1, 32}, {1, 1}});
    EXPECT_FALSE(has_varying_reductions(dag, *kernel));
    EXPECT_FALSE(full_tiles(dag, *kernel));
}

// z takes all loops after the second. Together they hold what z does.
TEST(FullTiles, ShareADimensionOfTheGrid) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "c", "n"});
    const FuncId out = b.output("out", {{"x", 0, 63}, {"y", 0, 63}, {"c", 0, 99}, {"n", 0, 3}});
    b.reads(out, in, {example::at(0), example::at(1), example::at(2), example::at(3)});
    const Dag dag = b.build();
    const auto kernel =
        make_kernel(dag, dag.func(out).stages[0], {{1, 32}, {1, 8}, {1, 1}, {1, 1}});
    const auto sizes = full_tiles(dag, *kernel);
    ASSERT_TRUE(sizes);
    EXPECT_GT(sizes->most[2], 100);
    EXPECT_GT(sizes->most[3], 4);
    EXPECT_LE(sizes->most[2] * sizes->most[3], 65535);
    EXPECT_GT(sizes->most[2] * sizes->most[3], 65535 * 8 / 10);
}

}  // namespace
}  // namespace autoschedule_gpu
