// What is computed in a kernel whose tiles come to be aligned.
#include <gtest/gtest.h>

#include "core/dag/dag.h"
#include "scheduler/nest/text.h"
#include "unit/example_dags.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// out reads `sums`, which has an update, and `plain`, both at y / 2.
Dag read_by_halves() {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId sums = b.func("sums", {"x", "y"}), plain = b.func("plain", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}});
    for (const FuncId func : {sums, plain}) {
        b.reads(func, in, {at(0), clamped(1, 0, 0, 0, 255)});
        b.reads(out, func, {at(0), half(1)});
    }
    b.update(sums, {b.reduction("r", 0, 3), b.over(0, "x"), b.over(1, "y")}, {at(1), at(2)});
    Dag dag = b.build();
    dag.funcs[out.index()].dims[1].constant_min = true;
    find_aligned_tiles(dag);
    return dag;
}

// The order in which decisions are made must make no difference: a list of decisions places a Func
// before it says what aligns the tiles, and a kernel that is tiled anew has all at once.
TEST(AlignedRegions, AreThoseOfWhatWasInTheKernelBefore) {
    const Dag dag = read_by_halves();
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const Tiling tiling{{1, 32}, {2, 8}};
    const State with_plain = walk(space, {kRoot, tiled(tiling), in_block({1, 1})});
    const Kernel &before = *with_plain.nest.kernels[0];
    ASSERT_EQ(before.members.size(), 1u);
    ASSERT_EQ(before.members[0].func, find_func(dag, "plain"));
    EXPECT_FALSE(before.aligned);
    EXPECT_EQ(find_threads(before, find_stage(dag, "plain"))->trips, (std::vector<int64_t>{32, 9}));

    Decision into = decide_place(find_func(dag, "sums"), Place::block);
    into.serial = {1, 1};
    into.extents = {32, 8};
    const std::optional<State> with_both = taken(space, with_plain, into);
    ASSERT_TRUE(with_both) << rejection(space, with_plain, into).value_or("");
    const Kernel &after = *with_both->nest.kernels[0];
    EXPECT_TRUE(after.aligned);
    EXPECT_EQ(find_threads(after, find_stage(dag, "plain"))->trips, (std::vector<int64_t>{32, 8}));

    const std::optional<State> tiled_anew =
        taken(space, *with_both, decide_tiling(find_func(dag, "out"), 0, tiling));
    ASSERT_TRUE(tiled_anew);
    EXPECT_EQ(to_text(dag, *tiled_anew->nest.kernels[0]), to_text(dag, after));
}

}  // namespace
}  // namespace autoschedule_gpu
