#include "space/tile_bounds.h"

#include <gtest/gtest.h>

#include <set>

#include "unit/example_dags.h"
#include "unit/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

const GpuModel kGpu = a100();

void expect_bounds(int64_t extent, size_t tiled, int64_t least, int64_t most) {
    const TileBounds bounds = tile_bounds(extent, tiled);
    EXPECT_EQ(bounds.least, least) << extent;
    EXPECT_EQ(bounds.most, most) << extent;
}

// The two equations of §4.2, by hand.
TEST(TileBounds, AreThoseOfThePaper) {
    expect_bounds(2560, 1, 8, 20);  // 2560 / 128
    expect_bounds(2560, 2, 8, 80);  // 2560 / 32
    expect_bounds(1024, 2, 8, 32);
    expect_bounds(1024, 1, 8, 8);
    expect_bounds(1023, 2, 8, 511);  // 1023 / 2
    expect_bounds(64, 2, 8, 32);
    expect_bounds(63, 2, 2, 31);
    expect_bounds(4, 1, 2, 2);
}

TEST(TileBounds, HoldSomethingForLoopsThatAreTooShortForThem) {
    for (int64_t extent : {1, 2, 3}) expect_bounds(extent, 1, 1, 1);
}

TEST(TiledLoops, AreTheLongOnes) {
    const Dag image = interleaved(1536, 2560);  // x, y and three channels, stored c, x, y
    EXPECT_EQ(tiled_loops(image, find_stage(image, "out")), (std::vector<size_t>{0, 1}));
    const Dag small = copy(40, 16);
    EXPECT_EQ(tiled_loops(small, find_stage(small, "out")), (std::vector<size_t>{0}))
        << "the longest, if none is long";
    const Dag larger = copy(40, 20);
    EXPECT_EQ(tiled_loops(larger, find_stage(larger, "out")), (std::vector<size_t>{0, 1}))
        << "and what a thread can't have all of";
    const Dag sum = zero_dim(1000);
    EXPECT_TRUE(tiled_loops(sum, find_stage(sum, "sum")).empty());
}

TEST(GroupTiling, LeavesBriefLoopsWholeInTheThread) {
    const Dag image = interleaved(1536, 2560);
    EXPECT_EQ(group_tiling(image, find_stage(image, "out"), {32, 12}),
              (Tiling{{1, 32}, {1, 12}, {3, 1}}));
    const Dag small = copy(40, 16);
    EXPECT_EQ(group_tiling(small, find_stage(small, "out"), {8}), (Tiling{{1, 8}, {16, 1}}));
}

TEST(GroupTiling, LeavesTheRestToBlocksNextToLongLoops) {
    const Dag strip = copy(2560, 17);
    EXPECT_EQ(group_tiling(strip, find_stage(strip, "out"), {16}), (Tiling{{1, 16}, {1, 1}}))
        << "17 points are too many to unroll";
}

TEST(GroupTiling, LeavesLoopsWholeWhoseConditionReadsSomething) {
    Dag dag = interleaved(1536, 2560);
    const StageId out = find_stage(dag, "out");
    dag.stages[out.index()].predicate_reads = true;
    EXPECT_EQ(group_tiles(dag, kGpu, out), std::vector<std::vector<int64_t>>{{}});
    EXPECT_EQ(group_tiling(dag, out, {}), Tiling(3));
}

TEST(GroupTiles, ArePowersOfTwoWithinTheBoundsAndTheBlock) {
    const Dag image = copy(1536, 2560);
    const auto tiles = group_tiles(image, kGpu, find_stage(image, "out"));
    std::set<std::vector<int64_t>> expected;
    for (int64_t x : {8, 16, 32}) {          // 1536 / 32 = 48
        for (int64_t y : {8, 16, 32, 64}) {  // 2560 / 32 = 80
            if (x * y <= 1024) expected.insert({x, y});
        }
    }
    EXPECT_EQ(std::set(tiles.begin(), tiles.end()), expected);
    EXPECT_EQ(tiles.size(), expected.size()) << "each once";
    const Dag sum = zero_dim(1000);
    EXPECT_EQ(group_tiles(sum, kGpu, find_stage(sum, "sum")).size(), 1u);
}

TEST(GroupTiles, HoldOneThatFitsIntoASmallBlock) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "z"});
    const FuncId out = b.output("out", {{"x", 0, 99}, {"y", 0, 99}, {"z", 0, 99}});
    const Dag volume = b.reads(out, in, {at(0), at(1), at(2)}).build();
    const StageId stage = find_stage(volume, "out");
    const auto least_tile = [&](int64_t most_threads) {
        GpuModel gpu = kGpu;
        gpu.max_threads_per_block = most_threads;
        return group_tiles(volume, gpu, stage).front();
    };
    EXPECT_EQ(least_tile(1024), (std::vector<int64_t>{8, 8, 8}));
    EXPECT_EQ(least_tile(256), (std::vector<int64_t>{8, 8, 4}));
    EXPECT_EQ(least_tile(128), (std::vector<int64_t>{8, 4, 4}));
    EXPECT_EQ(least_tile(1), (std::vector<int64_t>{1, 1, 1}));
}

}  // namespace
}  // namespace autoschedule_gpu
