#include "scheduler/space/tilings.h"

#include <gtest/gtest.h>

#include <set>

#include "scheduler/rules/register_rules.h"
#include "unit/example_dags.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

RuleBook no_wishes() {
    RuleBook rules;
    for (const char *rule : {"idle_sms", "low_lane_use"}) rules.switch_off(id_of(rule));
    return rules;
}

std::vector<Tiling> tilings(const Dag &dag, const RuleBook &rules, const char *stage = "out") {
    RuleCounts counts{};
    return root_tilings(dag, kGpu, rules, find_stage(dag, stage), counts);
}

std::set<std::pair<int64_t, int64_t>> of_loop(const std::vector<Tiling> &all, size_t loop) {
    std::set<std::pair<int64_t, int64_t>> result;
    for (const Tiling &tiling : all) result.emplace(tiling[loop].serial, tiling[loop].threads);
    return result;
}

// §4.1 and §4.2 of the paper, read as a formula.
std::set<std::vector<int64_t>> by_the_paper(int64_t width, int64_t height) {
    const auto serials = [](int64_t extent) {
        std::set<int64_t> result;
        for (int64_t s : {1, 2, 4, 8}) {
            if (s <= extent) result.insert(s);
        }
        for (int64_t s : {3, 5, 7}) {
            if (extent == s || (extent > s && extent % (s * 32) == 0)) result.insert(s);
            // Beyond the paper: threads that are a half or a quarter of a warp.
            if (extent == s * 16 || extent == s * 8) result.insert(s);
        }
        return result;
    };
    std::set<std::vector<int64_t>> result;
    for (int64_t sx : serials(width)) {
        for (int64_t sy : serials(height)) {
            if (sx * sy > kMaxSerialPoints) continue;
            const int64_t left = (width + sx - 1) / sx;
            std::set<int64_t> tx =
                left < 16 ? std::set<int64_t>{left} : std::set<int64_t>{16, 32, 64};
            // Beyond the paper: a loop of a warp or two may leave thread x to another.
            if (width >= 16 && width < 64) tx.insert(1);
            // Beyond the paper: a short loop as a whole, for three channels are no power of two.
            std::set<int64_t> ty{1, 2, 4, 8, 16};
            if (const int64_t rows = (height + sy - 1) / sy; rows < 16) ty.insert(rows);
            for (int64_t x : tx) {
                for (int64_t y : ty) {
                    if (x > left || sx * x > width || sy * y > height || x * y > 1024) continue;
                    result.insert({sx, x, sy, y});
                }
            }
        }
    }
    return result;
}

TEST(RootTilings, AreThoseOfThePaperAndWholeShortLoops) {
    for (const auto &[width, height] : {std::pair(1536, 1024), {96, 7}, {160, 224}, {20, 33}}) {
        std::set<std::vector<int64_t>> found;
        for (const Tiling &t : tilings(copy(width, height), no_wishes())) {
            EXPECT_TRUE(
                found.insert({t[0].serial, t[0].threads, t[1].serial, t[1].threads}).second);
        }
        EXPECT_EQ(found, by_the_paper(width, height)) << width << " x " << height;
    }
}

TEST(RootTilings, TakeOddSerialLoopsWhereTheyFillWarps) {
    const auto serials = [](int64_t extent) {
        std::set<int64_t> result;
        for (const auto &[serial, threads] : of_loop(tilings(copy(extent, 1), no_wishes()), 0)) {
            result.insert(serial);
        }
        return result;
    };
    using Set = std::set<int64_t>;
    EXPECT_EQ(serials(96), (Set{1, 2, 3, 4, 8}));
    EXPECT_EQ(serials(160), (Set{1, 2, 4, 5, 8}));
    EXPECT_EQ(serials(224), (Set{1, 2, 4, 7, 8}));
    EXPECT_EQ(serials(480), (Set{1, 2, 3, 4, 5, 8}));
    EXPECT_EQ(serials(100), (Set{1, 2, 4}));  // 8 would need 13 threads, for 104 points
    EXPECT_EQ(serials(3), (Set{1, 3}));
    EXPECT_EQ(serials(1), (Set{1}));
}

TEST(RootTilings, TakeOddSerialLoopsThatLeaveAShareOfAWarp) {
    const auto has = [](int64_t height, int64_t serial, int64_t threads) {
        return of_loop(tilings(copy(256, height), no_wishes()), 1).contains({serial, threads});
    };
    EXPECT_TRUE(has(112, 7, 16));
    EXPECT_TRUE(has(56, 7, 8));
    EXPECT_TRUE(has(48, 3, 16));
    EXPECT_FALSE(has(28, 7, 4)) << "an eighth is too little";
    EXPECT_FALSE(has(84, 7, 8)) << "twelve threads would be left";
    EXPECT_FALSE(has(114, 7, 16)) << "a rest";
}

TEST(RootTilings, KeepRacingLoopsWhole) {
    const Dag dag = matmul_output(512);
    for (const Tiling &tiling : tilings(dag, RuleBook(), "out.update(0)")) {
        EXPECT_EQ(tiling[2], LoopTile{});
    }
    const Dag scalar = zero_dim(100);
    EXPECT_EQ(tilings(scalar, RuleBook(), "sum"), std::vector<Tiling>{Tiling{}});
    EXPECT_EQ(tilings(scalar, RuleBook(), "sum.update(0)"),
              std::vector<Tiling>{Tiling{LoopTile{}}});
}

int64_t blocks_of(const Tiling &t, int64_t width, int64_t height) {
    return ((width + t[0].points() - 1) / t[0].points()) *
           ((height + t[1].points() - 1) / t[1].points());
}

TEST(RootTilings, GiveTwoBlocksPerSmAndFullWarpsWherePossible) {
    for (const Tiling &t : tilings(copy(1536, 1024), RuleBook())) {
        EXPECT_GE(blocks_of(t, 1536, 1024), 2 * kGpu.sm_count);
        EXPECT_GE(t[0].threads * t[1].threads, kGpu.warp_size);
    }
}

// 64 points: 4 blocks of 16 threads or 2 of 32.
TEST(RootTilings, PreferFullWarpsToMoreBlocksWhereBothCannotBe) {
    const std::vector<Tiling> few = tilings(copy(64, 1), RuleBook());
    ASSERT_FALSE(few.empty());
    for (const Tiling &t : few) EXPECT_EQ(t[0].threads, 32);
}

TEST(RootTilings, AreNeverNone) {
    for (int64_t width : {1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 100, 1000, 4099}) {
        for (int64_t height : {1, 2, 3, 7, 16, 31, 64, 1000}) {
            for (const std::string &device : preset_names()) {
                RuleCounts counts{};
                const Dag dag = copy(width, height);
                EXPECT_FALSE(root_tilings(dag, find_preset(device).value(), RuleBook(),
                                          find_stage(dag, "out"), counts)
                                 .empty())
                    << width << " x " << height << " on " << device;
            }
        }
    }
}

TEST(RootTilings, StayInsideTheLoops) {
    for (const NamedDag &example : all()) {
        for (size_t s = 0; s < example.dag.stages.size(); ++s) {
            const Stage &stage = example.dag.stages[s];
            if (example.dag.func(stage.func).on_host()) continue;
            RuleCounts counts{};
            for (const Tiling &tiling :
                 root_tilings(example.dag, kGpu, RuleBook(), StageId(s), counts)) {
                int64_t threads = 1, axes = 0;
                for (size_t i = 0; i < tiling.size(); ++i) {
                    const Loop &loop = stage.loops[i];
                    const int64_t extent =
                        loop.dim >= 0
                            ? example.dag.func(stage.func).dims[loop.dim].estimate.extent()
                            : loop.range.extent();
                    ASSERT_LE(tiling[i].points(), extent) << example.name;
                    threads *= tiling[i].threads;
                    axes += tiling[i].threads > 1;
                }
                ASSERT_LE(threads, kGpu.max_threads_per_block);
                ASSERT_LE(axes, 3);
            }
        }
    }
}

TEST(DefaultTiling, IsAWarpWideAndAtMost256Threads) {
    const auto tiling = [](const Dag &dag, const char *stage) {
        return default_tiling(dag, kGpu, find_stage(dag, stage));
    };
    EXPECT_EQ(tiling(copy(1536, 1024), "out"), (Tiling{{1, 32}, {1, 8}}));
    EXPECT_EQ(tiling(copy(20, 3), "out"), (Tiling{{1, 20}, {1, 3}}));
    EXPECT_EQ(tiling(copy(8, 1000), "out"), (Tiling{{1, 8}, {1, 32}}));
    EXPECT_EQ(tiling(interleaved(512, 256), "out"), (Tiling{{1, 32}, {1, 2}, {1, 3}}));
    EXPECT_EQ(tiling(matmul_output(512), "out.update(0)"), (Tiling{{1, 32}, {1, 8}, {1, 1}}));
    EXPECT_EQ(tiling(zero_dim(100), "sum"), Tiling{});
}

// Halide evaluates such a predicate before the guard of a split loop.
TEST(Tilings, LeaveLoopsWholeWhoseConditionReadsSomething) {
    Dag dag = matmul_output(512);
    const StageId update = find_stage(dag, "out.update(0)");
    dag.stages[update.index()].has_predicate = dag.stages[update.index()].predicate_reads = true;
    const Tiling whole(3);
    RuleCounts counts{};
    EXPECT_EQ(default_tiling(dag, kGpu, update), whole);
    EXPECT_EQ(root_tilings(dag, kGpu, RuleBook(), update, counts), std::vector<Tiling>{whole});
}

// A thread has all channels of a pixel, in blocks of one warp and of four.
TEST(WholeLoopTilings, GiveAThreadAllOfBriefLoops) {
    const Dag dag = interleaved(512, 256);
    EXPECT_EQ(whole_loop_tilings(dag, kGpu, find_stage(dag, "out")),
              (std::vector<Tiling>{{{1, 32}, {1, 1}, {3, 1}}, {{1, 128}, {1, 1}, {3, 1}}}));
}

TEST(WholeLoopTilings, AreNoneWithoutBriefLoops) {
    const Dag dag = copy(1536, 1024);
    EXPECT_TRUE(whole_loop_tilings(dag, kGpu, find_stage(dag, "out")).empty());
}

TEST(WholeLoopTilings, FillAWarpFromSeveralLoops) {
    const Dag dag = copy(5, 20);
    EXPECT_EQ(whole_loop_tilings(dag, kGpu, find_stage(dag, "out")),
              (std::vector<Tiling>{{{5, 1}, {1, 20}}, {{5, 1}, {1, 20}}}));
}

std::vector<std::vector<int64_t>> serials_in_block(const RuleBook &rules,
                                                   const std::vector<int64_t> &extents,
                                                   RuleCounts &counts) {
    DagBuilder b;
    std::vector<Extent> dims;
    const char *names[] = {"x", "y"};
    for (size_t d = 0; d < extents.size(); ++d) dims.push_back({names[d], 0, 1023});
    const FuncId out = b.output("out", dims);
    return block_level_serials(b.build(), kGpu, rules, out, extents, counts);
}

TEST(BlockLevelSerials, AreTheSerialTilesOfTheRegion) {
    RuleCounts counts;
    const auto serials = serials_in_block(RuleBook(), {34, 10}, counts);
    EXPECT_EQ(serials.size(), 15u);  // 4 x 4 less 8 x 8, which is too large
    EXPECT_EQ(counted(counts, "serial_too_large"), 1u);
    EXPECT_EQ(serials.front(), (std::vector<int64_t>{1, 1}));
    EXPECT_EQ(serials.back(), (std::vector<int64_t>{8, 4}));

    const RuleBook rules = without("serial_too_large");
    EXPECT_EQ(serials_in_block(rules, {34, 10}, counts).size(), 16u);
    EXPECT_EQ(serials_in_block(rules, {}, counts), std::vector<std::vector<int64_t>>{{}});
    EXPECT_EQ(serials_in_block(rules, {96}, counts),
              (std::vector<std::vector<int64_t>>{{1}, {2}, {4}, {8}, {3}}));
}

// Lines of so many points, of which each is the one before and something of the input.
Dag scan(int64_t points) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, points - 1}, {"y", 0, 1023}});
    const StageId update =
        b.update(out, {b.reduction("r", 1, points - 1), b.over(1, "y")}, {at(0), at(1)});
    b.reads(update, out, {at(0, -1, -1), at(1)}).reads(update, in, {at(0), at(1)});
    return b.build();
}

std::set<int64_t> serials_of_line(const Dag &dag, size_t dim, int64_t extent) {
    const FuncId out = find_func(dag, "out");
    const auto sizes = member_serial_candidates(dag, kGpu, out, dim, extent);
    return {sizes.begin(), sizes.end()};
}

TEST(BlockLevelSerials, HaveWholeLinesOfAScan) {
    using Set = std::set<int64_t>;
    EXPECT_EQ(serials_of_line(scan(17), 0, 17), (Set{1, 2, 4, 8, 17}));
    EXPECT_EQ(serials_of_line(scan(17), 1, 17), (Set{1, 2, 4, 8}));  // across the lines
    EXPECT_EQ(serials_of_line(scan(8), 0, 8), (Set{1, 2, 4, 8}));
    EXPECT_EQ(serials_of_line(scan(33), 0, 33), (Set{1, 2, 4, 8}));  // more than a thread may have
    EXPECT_EQ(serials_of_line(copy(17, 1024), 0, 17), (Set{1, 2, 4, 8}));
}

bool any_atomic(const Tiling &tiling) {
    return std::any_of(tiling.begin(), tiling.end(), [](const LoopTile &t) { return t.atomic; });
}

TEST(RootTilings, ShareReductionsAfterAllThatDoNot) {
    const std::vector<Tiling> all = tilings(row_histograms(640, 480), RuleBook(), "hist.update(0)");
    EXPECT_FALSE(any_atomic(all.front()));
    EXPECT_TRUE(any_atomic(all.back()));
    EXPECT_TRUE(std::is_partitioned(all.begin(), all.end(),
                                    [](const Tiling &tiling) { return !any_atomic(tiling); }));
    // One row per block, all 256 bins.
    EXPECT_NE(std::find(all.begin(), all.end(), Tiling({{1, 1, true}, {1, 256}})), all.end());
}

TEST(RootTilings, ShareNoReductionThatMayBeEmpty) {
    Dag dag = row_histograms(640, 480);
    dag.stages[find_stage(dag, "hist.update(0)").index()].loops[0].may_be_empty = true;
    EXPECT_FALSE(any_atomic(tilings(dag, RuleBook(), "hist.update(0)").back()));
}

}  // namespace
}  // namespace autoschedule_gpu
