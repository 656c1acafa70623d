#include "scheduler/space/group_tiles.h"

#include <gtest/gtest.h>

#include <set>

#include "unit/example_dags.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// Of one stage.
struct Tiles {
    Tiles(Dag pipeline, const std::string &stage, const GpuModel &gpu = kGpu)
        : dag(std::move(pipeline)), id(find_stage(dag, stage)), tiles(dag, gpu, RuleBook()) {}

    std::vector<size_t> loops() const { return tiles.tiled_loops(id); }
    Tiling tiling(const GroupTile &tile) const { return tiles.tiling(id, tile); }
    std::vector<GroupTile> all() const { return tiles.all(id); }
    // Threads of each loop.
    std::vector<std::vector<int64_t>> threads() const {
        std::vector<std::vector<int64_t>> result;
        for (const GroupTile &tile : all()) {
            result.emplace_back();
            for (const LoopTile &loop : tile) result.back().push_back(loop.threads);
        }
        return result;
    }

    Dag dag;
    StageId id;
    GroupTiles tiles;
};

TEST(TiledLoops, AreTheLongOnes) {
    // x, y and three channels, stored c, x, y
    EXPECT_EQ(Tiles(interleaved(1536, 2560), "out").loops(), (std::vector<size_t>{0, 1}));
    EXPECT_EQ(Tiles(copy(40, 16), "out").loops(), (std::vector<size_t>{0}))
        << "the longest, if none is long";
    EXPECT_EQ(Tiles(copy(40, 20), "out").loops(), (std::vector<size_t>{0, 1}))
        << "and what a thread can't have all of";
    EXPECT_TRUE(Tiles(zero_dim(1000), "sum").loops().empty());
}

TEST(GroupTiling, LeavesBriefLoopsWholeInTheThread) {
    EXPECT_EQ(Tiles(interleaved(1536, 2560), "out").tiling({{1, 32}, {1, 12}}),
              (Tiling{{1, 32}, {1, 12}, {3, 1}}));
    EXPECT_EQ(Tiles(copy(40, 16), "out").tiling({{1, 8}}), (Tiling{{1, 8}, {16, 1}}));
}

TEST(GroupTiling, LeavesTheRestToBlocksNextToLongLoops) {
    EXPECT_EQ(Tiles(copy(2560, 17), "out").tiling({{1, 16}}), (Tiling{{1, 16}, {1, 1}}))
        << "17 points are too many to unroll";
}

TEST(GroupTiling, LeavesLoopsWholeWhoseConditionReadsSomething) {
    Dag dag = interleaved(1536, 2560);
    dag.stages[find_stage(dag, "out").index()].predicate_reads = true;
    const Tiles tiles(std::move(dag), "out");
    EXPECT_EQ(tiles.all(), std::vector<GroupTile>{{}});
    EXPECT_EQ(tiles.tiling({}), Tiling(3));
}

// A histogram of 256 bins does not fill a device, so threads share what is counted.
TEST(GroupTiles, ShareReductionsThatMeetInAtomics) {
    const Tiles histogram(row_histograms(1536, 2560), "hist.update(0)");
    ASSERT_FALSE(histogram.loops().empty());
    for (size_t i = 0; i < histogram.loops().size(); ++i) {
        const Loop &loop = histogram.dag.stage(histogram.id).loops[histogram.loops()[i]];
        EXPECT_EQ(histogram.all().front()[i].atomic, !loop.parallel) << loop.name;
    }
    const Tiles without(row_histograms(1536, 2560, Atomics::no), "hist.update(0)");
    EXPECT_LT(without.loops().size(), histogram.loops().size());
}

TEST(GroupTiles, ArePowersOfTwoWithinTheBoundsAndTheBlock) {
    const auto tiles = Tiles(copy(1536, 2560), "out").threads();
    std::set<std::vector<int64_t>> expected;
    for (int64_t x : {8, 16, 32}) {          // 1536 / 32 = 48
        for (int64_t y : {8, 16, 32, 64}) {  // 2560 / 32 = 80
            if (x * y <= 1024) expected.insert({x, y});
        }
    }
    EXPECT_EQ(std::set(tiles.begin(), tiles.end()), expected);
    EXPECT_EQ(tiles.size(), expected.size()) << "each once";
    EXPECT_EQ(Tiles(zero_dim(1000), "sum").all().size(), 1u);
}

TEST(GroupTiles, HoldOneThatFitsIntoASmallBlock) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "z"});
    const FuncId out = b.output("out", {{"x", 0, 99}, {"y", 0, 99}, {"z", 0, 99}});
    const Dag volume = b.reads(out, in, {at(0), at(1), at(2)}).build();
    const auto least_tile = [&](int64_t most_threads) {
        GpuModel gpu = kGpu;
        gpu.max_threads_per_block = most_threads;
        return Tiles(volume, "out", gpu).threads().front();
    };
    EXPECT_EQ(least_tile(1024), (std::vector<int64_t>{8, 8, 8}));
    EXPECT_EQ(least_tile(256), (std::vector<int64_t>{8, 8, 4}));
    EXPECT_EQ(least_tile(128), (std::vector<int64_t>{8, 4, 4}));
    EXPECT_EQ(least_tile(1), (std::vector<int64_t>{1, 1, 1}));
}

// 16 points per thread, the three channels among them, and two tiles per loop at least.
TEST(GroupTiles, LimitThePointsOfAThread) {
    const Tiles image(interleaved(1536, 2560), "out");
    const auto small = [&](LoopTile x, LoopTile y) {
        return image.tiles.is_small_enough(image.id, {x, y});
    };
    EXPECT_TRUE(small({1, 32}, {1, 8}));
    EXPECT_TRUE(small({4, 32}, {1, 8})) << "12 points";
    EXPECT_FALSE(small({4, 32}, {2, 8})) << "24 points";
    EXPECT_TRUE(small({2, 384}, {1, 1}));
    EXPECT_FALSE(small({4, 384}, {1, 1})) << "all of a row";
}

}  // namespace
}  // namespace autoschedule_gpu
