#include "scheduler/nest/regions.h"

#include <gtest/gtest.h>

#include "scheduler/nest/edit.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::find_func;
using example::find_stage;

using Box = std::vector<Interval>;

Box box_of(const RegionSet &regions, FuncId func) {
    const std::span<const Interval> box = regions.box(func);
    return {box.begin(), box.end()};
}

TEST(RegionSet, UnitesBoxesAndForgetsThem) {
    const Dag dag = example::two_stencils(128, 128);
    RegionSet regions(dag);
    EXPECT_FALSE(regions.touched(FuncId(1)));
    regions.include(FuncId(1), Box{{0, 9}, {0, 4}});
    regions.include(FuncId(1), Box{{5, 14}, {-1, 2}});
    EXPECT_EQ(box_of(regions, FuncId(1)), (Box{{0, 14}, {-1, 4}}));
    EXPECT_EQ(regions.points(FuncId(1)), 15 * 6);
    regions.include(FuncId(0), Box{{1, 1}, {1, 1}});
    EXPECT_EQ(regions.funcs(), (std::vector<FuncId>{FuncId(1), FuncId(0)}));
    regions.clear();
    EXPECT_FALSE(regions.touched(FuncId(1)));
    EXPECT_TRUE(regions.funcs().empty());
    regions.include(FuncId(1), Box{{7, 7}, {8, 8}});
    EXPECT_EQ(box_of(regions, FuncId(1)), (Box{{7, 7}, {8, 8}}));
}

TEST(StageRanges, RunOverTheBoxAndTheDomainOfReductions) {
    const Dag dag = example::reduced_stencil(128, 128);
    std::vector<Interval> ranges;
    stage_ranges(dag, find_stage(dag, "total.update(0)"), Box{{0, 33}, {4, 11}}, ranges);
    EXPECT_EQ(ranges, (Box{{-1, 1}, {0, 33}, {4, 11}}));  // r, x, y
    stage_ranges(dag, find_stage(dag, "out"), Box{{0, 33}, {4, 11}}, ranges);
    EXPECT_EQ(ranges, (Box{{0, 33}, {4, 11}}));
}

TEST(Propagate, GrowsStencilsThroughTheirMembersOnly) {
    const Dag dag = example::stencil_chain(3, 128, 128);
    const FuncId f0 = find_func(dag, "f0"), f1 = find_func(dag, "f1"), in = find_func(dag, "in");
    RegionSet regions(dag);
    const Box tile = {{32, 63}, {8, 15}};
    propagate(dag, find_stage(dag, "f2"), tile, std::vector<FuncId>{f1, f0}, regions);
    EXPECT_EQ(box_of(regions, f1), (Box{{31, 64}, {7, 16}}));
    EXPECT_EQ(box_of(regions, f0), (Box{{30, 65}, {6, 17}}));
    EXPECT_EQ(box_of(regions, in), (Box{{29, 66}, {5, 18}}));

    regions.clear();
    propagate(dag, find_stage(dag, "f2"), tile, std::vector<FuncId>{f1}, regions);
    EXPECT_EQ(box_of(regions, f0), (Box{{30, 65}, {6, 17}}));
    EXPECT_FALSE(regions.touched(in));
}

// out 0..31 x 0..7; left 0..32 x 0..7; right 0..31 x 0..8; base from left -1..33 x 0..7, from right
// 0..31 x -2..10.
TEST(Propagate, UnitesTheArmsOfADiamond) {
    const Dag dag = example::diamond(128, 128);
    const std::vector<FuncId> members = {find_func(dag, "right"), find_func(dag, "left"),
                                         find_func(dag, "base")};
    RegionSet regions(dag);
    propagate(dag, find_stage(dag, "out"), Box{{0, 31}, {0, 7}}, members, regions);
    EXPECT_EQ(box_of(regions, find_func(dag, "left")), (Box{{0, 32}, {0, 7}}));
    EXPECT_EQ(box_of(regions, find_func(dag, "right")), (Box{{0, 31}, {0, 8}}));
    EXPECT_EQ(box_of(regions, find_func(dag, "base")), (Box{{-1, 33}, {-2, 10}}));
    EXPECT_EQ(box_of(regions, find_func(dag, "in")), (Box{{-2, 34}, {-2, 10}}));
}

TEST(Propagate, FollowsUpdatesAndWhatIsComputedBeyondTheRequired) {
    const Dag sum = example::reduced_stencil(128, 128);
    RegionSet regions(sum);
    propagate(sum, find_stage(sum, "out"), Box{{0, 31}, {0, 7}},
              std::vector<FuncId>{find_func(sum, "total")}, regions);
    EXPECT_EQ(box_of(regions, find_func(sum, "in")), (Box{{-2, 33}, {0, 7}}));

    const Dag scan = example::iir(128, 64);  // of a scan the whole row is computed
    RegionSet rows(scan);
    propagate(scan, find_stage(scan, "out"), Box{{32, 63}, {8, 15}},
              std::vector<FuncId>{find_func(scan, "scan")}, rows);
    EXPECT_EQ(box_of(rows, find_func(scan, "scan")), (Box{{0, 127}, {8, 15}}));
    EXPECT_EQ(box_of(rows, find_func(scan, "in")), (Box{{0, 127}, {8, 15}}));
}

TEST(Propagate, HalvesDoublesAndClamps) {
    const Dag dag = example::down_and_up(128, 128);
    RegionSet regions(dag);
    propagate(dag, find_stage(dag, "out"), Box{{33, 63}, {0, 7}},
              std::vector<FuncId>{find_func(dag, "down")}, regions);
    EXPECT_EQ(box_of(regions, find_func(dag, "down")), (Box{{16, 31}, {0, 3}}));
    // 2 * 16 ... 2 * 31 + 1 from down, 33 ... 63 from out itself.
    EXPECT_EQ(box_of(regions, find_func(dag, "in")), (Box{{32, 63}, {0, 7}}));

    const Dag clamped = example::clamped_stencil(128, 128);
    RegionSet edges(clamped);
    propagate(clamped, find_stage(clamped, "out"), Box{{0, 31}, {120, 127}},
              std::vector<FuncId>{find_func(clamped, "blur"), find_func(clamped, "edge")}, edges);
    EXPECT_EQ(box_of(edges, find_func(clamped, "edge")), (Box{{-2, 33}, {118, 129}}));
    EXPECT_EQ(box_of(edges, find_func(clamped, "in")), (Box{{0, 33}, {118, 127}}));
}

TEST(MembersBelow, AreConsumersFirstAndWithoutTheBandsOwnFunc) {
    const Dag dag = example::stencil_chain(4, 128, 128);
    const Nest nest =
        example::sound(dag,
                       "inline: f0\n"
                       "kernel f3\n"
                       "  f2 threads x=34 y=10\n    f1 serial x=3 y=3\n    f2 serial\n"
                       "  f3 threads x=32 y=8\n");
    const Kernel &kernel = *nest.kernels[0];
    const auto named = [&](const char *name) { return find_func(dag, name); };
    EXPECT_EQ(members_below(dag, kernel, *kernel.blocks),
              (std::vector<FuncId>{named("f2"), named("f1"), named("f0")}));
    EXPECT_EQ(members_below(dag, kernel, *kernel.blocks->body[0]),
              (std::vector<FuncId>{named("f1"), named("f0")}));
    EXPECT_EQ(members_below(dag, kernel, *kernel.blocks->body[1]),
              (std::vector<FuncId>{named("f0")}));
}

}  // namespace
}  // namespace autoschedule_gpu
