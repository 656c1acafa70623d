// Tiles that begin at multiples of their size.
#include <gtest/gtest.h>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/full_tiles.h"
#include "scheduler/nest/multiples.h"
#include "scheduler/nest/regions.h"
#include "scheduler/schedule/cpp_source.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::parsed;

using Extents = std::vector<int64_t>;

enum class Updates : uint8_t { no, yes };

// in -> pairs -> out, which reads pairs at y / 2.
Dag halved(Updates updates, bool constant_min = true) {
    example::DagBuilder b;
    using example::at;
    const FuncId in = b.input("in", {"x", "y"}), pairs = b.func("pairs", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}});
    b.reads(pairs, in, {at(0), example::clamped(1, 0, 0, 0, 255)});
    b.reads(out, pairs, {at(0), example::half(1)});
    if (updates == Updates::yes) {
        b.update(pairs, {b.reduction("r", 0, 3), b.over(0, "x"), b.over(1, "y")}, {at(1), at(2)});
    }
    Dag dag = b.build();
    dag.funcs[out.index()].dims[1].constant_min = constant_min;
    find_aligned_tiles(dag);
    return dag;
}

constexpr char kAlone[] = "kernel out\n  out threads x=32 y=8\n    out serial y=2\n";
constexpr char kWithPairs[] =
    "kernel out\n"
    "  pairs threads x=32 y=8\n"
    "  pairs.update(0) threads x=32 y=8\n"
    "  out threads x=32 y=8\n"
    "    out serial y=2\n";

ConstantExtents pairs_in_block(const Dag &dag) {
    return extents_in_block(dag, *parsed(dag, kAlone).kernels[0], example::find_func(dag, "pairs"));
}

TEST(AlignedTiles, NeedNoMoreThanTheirShareOfBlocks) {
    EXPECT_EQ(pairs_in_block(halved(Updates::yes)), (Extents{32, 8}));
    EXPECT_EQ(pairs_in_block(halved(Updates::yes, false)), std::nullopt)
        << "nobody knows where the first tile begins";
    EXPECT_EQ(pairs_in_block(halved(Updates::no)), std::nullopt) << "known at run time will do";
}

TEST(AlignedTiles, AreThoseOfKernelsThatNeedThem) {
    const Dag dag = halved(Updates::yes);
    EXPECT_FALSE(parsed(dag, kAlone).kernels[0]->aligned);
    const Nest nest = parsed(dag, kWithPairs);
    const Kernel &kernel = *nest.kernels[0];
    EXPECT_TRUE(kernel.aligned);
    EXPECT_FALSE(is_aligned(dag, kernel, 0)) << "the input ends with x";
    EXPECT_TRUE(is_aligned(dag, kernel, 1));
    EXPECT_TRUE(multiples(dag, kernel).empty());
}

TEST(AlignedTiles, AreShiftedNowhereAndPromiseWhatTheirGuardsHide) {
    const Dag dag = halved(Updates::yes);
    const Nest nest = parsed(dag, kWithPairs);
    EXPECT_EQ(full_tiles(dag, *nest.kernels[0]).value().least, (Extents{32, 0}));
    const Schedule schedule = directives(dag, nest);
    EXPECT_TRUE(check_against(schedule, dag).ok());
    EXPECT_EQ(parse_trace(to_json(schedule, 0)).value().schedule, schedule);
    const std::string text = cpp_source(schedule, dag);
    EXPECT_NE(text.find(".bound_extent(y, 8)"), text.npos) << text;
    EXPECT_EQ(text.find(".bound_extent(x"), text.npos) << text;
    EXPECT_NE(text.find(".split(y, y_b, y_i, 16, TailStrategy::GuardWithIf)"), text.npos) << text;
    EXPECT_NE(text.find(".split(x, x_b, x_t, 32, TailStrategy::ShiftInwards)"), text.npos) << text;
}

}  // namespace
}  // namespace autoschedule_gpu
