// Which regions inside a kernel have extents that are compile-time constants.
#include <gtest/gtest.h>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/regions.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"
#include "unit/scheduler/nest/windows_in_threads.h"

namespace autoschedule_gpu {
namespace {

using example::find_func;
using example::find_stage;
using example::parsed;

using Extents = std::vector<int64_t>;

ConstantExtents in_block(const Dag &dag, const Nest &nest, const std::string &func) {
    return extents_in_block(dag, *nest.kernels[0], find_func(dag, func));
}

ConstantExtents in_thread(const Dag &dag, const Nest &nest, size_t band, const std::string &func) {
    const Kernel &kernel = *nest.kernels[0];
    return extents_in_thread(dag, kernel, *kernel.blocks->body[band], find_func(dag, func));
}

TEST(ExtentsInBlock, AreTheTileAndItsHalo) {
    const Dag dag = example::two_stencils(1024, 1024);
    EXPECT_EQ(in_block(dag, parsed(dag, "kernel f1\n  f1 threads x=32 y=8\n"), "f0"),
              (Extents{34, 10}));
    EXPECT_EQ(
        in_block(dag, parsed(dag, "kernel f1\n  f1 threads x=16 y=8\n    f1 serial x=4 y=2\n"),
                 "f0"),
        (Extents{66, 18}));
}

// Parts of chunks, of which an image has so many.
TEST(ExtentsInBlock, AreAPointOfWhatIsPromisedToBeWithinBoundsOfAnImage) {
    using namespace example;
    DagBuilder b;
    const FuncId in = b.input("in", {"u", "c"}), lanes = b.func("lanes", {"u", "c"});
    const FuncId out = b.output("out", {{"c", 0, 1220}});
    b.reads(lanes, in, {at(0), at(1)});
    b.reads(out, lanes, {example::fixed(0), promised(0, 0, 1220)});
    const Dag dag = b.build();
    EXPECT_EQ(in_block(dag, parsed(dag, "kernel out\n  out threads\n"), "lanes"), (Extents{1, 1}));
    EXPECT_EQ(in_block(dag, parsed(dag, "kernel out\n  out threads c=4\n"), "lanes"), std::nullopt)
        << "of several, some may be beyond";
}

TEST(ExtentsInBlock, GrowAlongAChainOfFusedStages) {
    const Dag dag = example::stencil_chain(4, 1024, 1024);
    Nest nest = parsed(dag, "kernel f3\n  f3 threads x=32 y=8\n");
    EXPECT_EQ(in_block(dag, nest, "f2"), (Extents{34, 10}));
    EXPECT_EQ(in_block(dag, nest, "f1"), std::nullopt);  // not read by this kernel
    nest = parsed(dag, "kernel f3\n  f2 threads x=34 y=10\n  f3 threads x=32 y=8\n");
    EXPECT_EQ(in_block(dag, nest, "f1"), (Extents{36, 12}));
    nest = parsed(dag, "inline: f2 f1\nkernel f3\n  f3 threads x=32 y=8\n");
    EXPECT_EQ(in_block(dag, nest, "f0"), (Extents{38, 14}));
    nest = parsed(dag,
                  "inline: f1\nkernel f3\n  f3 threads x=32 y=8\n    f2 serial x=3 y=3\n"
                  "    f3 serial\n");
    EXPECT_EQ(in_block(dag, nest, "f0"), (Extents{38, 14}));
}

TEST(ExtentsInThread, AreThoseOfTheInnermostLoops) {
    const Dag dag = example::stencil_chain(3, 1024, 1024);
    Nest nest = parsed(dag, "kernel f2\n  f2 threads x=32 y=8\n    f2 serial x=2 y=4\n");
    EXPECT_EQ(in_thread(dag, nest, 0, "f1"), (Extents{4, 6}));
    nest = parsed(dag,
                  "kernel f2\n  f2 threads x=32 y=8\n    f1 serial x=4 y=6\n"
                  "    f2 serial x=2 y=4\n");
    EXPECT_EQ(in_thread(dag, nest, 0, "f0"), (Extents{6, 8}));
    // In the threads of a stage that is itself computed per block.
    nest = parsed(dag,
                  "kernel f2\n  f1 threads x=17 y=10\n    f1 serial x=2\n"
                  "  f2 threads x=32 y=8\n");
    EXPECT_EQ(in_thread(dag, nest, 0, "f0"), (Extents{4, 3}));
}

TEST(ConstantExtents, AreUnitedWhereConsumersMoveTogether) {
    const Dag dag = example::diamond(1024, 1024);
    const Nest nest = parsed(dag, "inline: left right\nkernel out\n  out threads x=32 y=8\n");
    EXPECT_EQ(in_block(dag, nest, "base"), (Extents{35, 13}));  // see Propagate's test
    EXPECT_EQ(in_thread(dag, nest, 0, "base"), (Extents{4, 6}));
}

TEST(ConstantExtents, DoNotExistBehindAClamp) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 127}, {"y", 0, 127}});
    b.reads(f, in, {at(0), at(1)});
    b.reads(out, f, {example::clamped(0, -1, 1, 0, 127), at(1)}, 3);
    const Dag dag = b.build();
    const Nest nest = parsed(dag, "kernel out\n  out threads x=32 y=8\n");
    EXPECT_EQ(in_block(dag, nest, "f"), std::nullopt);
    EXPECT_EQ(in_thread(dag, nest, 0, "f"), std::nullopt);
}

TEST(ConstantExtents, DoNotExistForAnUpsampledRead) {
    const Dag dag = example::down_and_up(1024, 1024);
    const Nest nest = parsed(dag, "kernel out\n  out threads x=32 y=8\n");
    EXPECT_EQ(in_block(dag, nest, "down"), std::nullopt);
}

TEST(ConstantExtents, ExistForADownsampledRead) {
    using example::times;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 127}});
    b.reads(f, in, {example::at(0, -1, 1)}, 3).reads(out, f, {times(0, 2, 0, 1)}, 2);
    const Dag dag = b.build();
    const Nest nest = parsed(dag, "kernel out\n  out threads x=32\n");
    EXPECT_EQ(in_block(dag, nest, "f"), (Extents{64}));  // 2 x0 ... 2 (x0 + 31) + 1
}

TEST(ConstantExtents, DoNotExistWhereTheEndsMoveApart) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 127}});
    b.reads(f, in, {example::at(0)}).reads(out, f, {example::prefix(0, 0)}, 2);
    const Dag dag = b.build();
    EXPECT_EQ(in_block(dag, parsed(dag, "kernel out\n  out threads x=32\n"), "f"), std::nullopt);
}

TEST(ConstantExtents, OfAMirroredReadAreThoseOfThePlainOne) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 127}});
    b.reads(f, in, {example::at(0)}).reads(out, f, {example::times(0, -1, 126, 127)}, 2);
    const Dag dag = b.build();
    EXPECT_EQ(in_block(dag, parsed(dag, "kernel out\n  out threads x=32\n"), "f"), (Extents{33}));
}

RegionInstruction of_two(RegionOp op, uint16_t a, uint16_t b) {
    RegionInstruction ins{op, 0, a, {}};
    ins.reg = {b, 0};
    return ins;
}

RegionInstruction with_constant(RegionOp op, uint16_t a, int32_t imm) {
    RegionInstruction ins{op, 0, a, {}};
    ins.imm = imm;
    return ins;
}

// What two reads of one Func need together: from the lesser of their ends to the greater.
Dag two_reads(const RegionInstruction &least, const RegionInstruction &most) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 127}});
    b.reads(f, in, {example::at(0)}).reads(out, f, {example::at(0, -3, 2)}, 2);
    Dag dag = b.build();
    const std::vector<RegionInstruction> code{with_constant(RegionOp::add_imm, 0, -3),
                                              with_constant(RegionOp::add_imm, 1, 2), least, most};
    RegionDimension dim;
    dim.lo = {4, 1, 0};
    dim.hi = {5, 1, 0};
    dim.inputs_only = true;
    dag.edges[dag.stage(find_stage(dag, "out")).edges[0].index()].region =
        dag.regions.add(1, code, {dim});
    return dag;
}

TEST(ConstantExtents, OfTwoReadsAreKnownWhereTheyMoveTogether) {
    const auto extent = [](const RegionInstruction &least, const RegionInstruction &most) {
        const Dag dag = two_reads(least, most);
        return in_block(dag, parsed(dag, "kernel out\n  out threads x=32\n"), "f");
    };
    // [x, x + 31] and [x - 3, x + 33]
    EXPECT_EQ(extent(of_two(RegionOp::min, 0, 2), of_two(RegionOp::max, 1, 3)), (Extents{37}));
    // x + x - 3 moves twice as fast.
    EXPECT_EQ(extent(of_two(RegionOp::add, 0, 2), of_two(RegionOp::max, 1, 3)), std::nullopt);
    EXPECT_EQ(extent(of_two(RegionOp::sub, 0, 2), of_two(RegionOp::sub, 1, 0)), (Extents{29}));
    EXPECT_EQ(extent(with_constant(RegionOp::max_imm, 0, 7), of_two(RegionOp::max, 1, 3)),
              std::nullopt);
    EXPECT_EQ(extent(with_constant(RegionOp::mul_imm, 0, 2), of_two(RegionOp::add, 1, 3)),
              (Extents{31 + 33 + 1}));
}

TEST(ConstantExtents, DoNotExistWhereTwoReadsMoveApart) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId slow = b.func("slow", {"x"}), fast = b.func("fast", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 127}});
    b.reads(f, in, {at(0)}).reads(slow, f, {at(0)}).reads(fast, f, {example::times(0, 2)});
    b.reads(out, slow, {at(0)}).reads(out, fast, {at(0)});
    const Dag dag = b.build();
    const Nest nest = parsed(dag, "inline: slow fast\nkernel out\n  out threads x=32\n");
    EXPECT_EQ(in_block(dag, nest, "f"), std::nullopt);
}

// An update's tile ends in a guard: `if (x < extent)` cuts it short.
TEST(ConstantExtents, ExistInAnUpdatesBlocksForSinglePointsOnly) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 63}, {"y", 0, 63}});
    b.reads(f, in, {at(0), at(1)});
    const StageId update =
        b.update(out, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, 15)}, {at(0), at(1)});
    b.reads(update, out, {at(0), at(1)}).reads(update, f, {example::sum(0, 2), at(1)});
    const Dag dag = b.build();
    const std::string pure = "kernel out\n  out threads x=32\n";
    Nest nest = parsed(dag, "kernel out.update(0)\n  out.update(0) threads x=32\n" + pure);
    EXPECT_EQ(in_block(dag, nest, "f"), std::nullopt);
    EXPECT_EQ(in_thread(dag, nest, 0, "f"), (Extents{16, 1}));
    nest = parsed(dag, "kernel out.update(0)\n  out.update(0) threads y=32\n" + pure);
    EXPECT_EQ(in_block(dag, nest, "f"), std::nullopt);
    nest = parsed(dag, "kernel out.update(0)\n" + pure);
    EXPECT_EQ(in_block(dag, nest, "f"), (Extents{16, 1}));
    nest = parsed(dag,
                  "kernel out.update(0)\n  out.update(0) threads x=32\n"
                  "    out.update(0) serial x=2\n" +
                      pure);
    EXPECT_EQ(in_block(dag, nest, "f"), std::nullopt);
}

// out += f(x + k, y), and out(x, y) of the same Func before it.
Dag update_of_windows(int64_t width) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, 63}});
    b.reads(f, in, {at(0), at(1)});
    const StageId update =
        b.update(out, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, 15)}, {at(0), at(1)});
    b.reads(update, out, {at(0), at(1)}).reads(update, f, {example::sum(0, 2), at(1)});
    return b.build();
}

TEST(ExtentsInThread, OfAnUpdateAreAtMostThoseOfAWholeTile) {
    const Dag dag = update_of_windows(64);
    const FuncId f = find_func(dag, "f");
    const auto nest = [&](const std::string &tile, const std::string &block) {
        return parsed(dag, "kernel out.update(0)\n" + block +
                               "  out.update(0) threads x=32\n    f serial\n"
                               "    out.update(0) serial " +
                               tile + "\nkernel out\n  out threads x=32\n");
    };
    const Nest two = nest("x=2", ""), one = nest("x=1", "");
    EXPECT_EQ(in_thread(dag, two, 0, "f"), (Extents{17, 1}));
    EXPECT_EQ(cut_in_thread(dag, *two.kernels[0], f), (KnownExtents{17, std::nullopt}));
    EXPECT_TRUE(cuts_in_threads(dag, *two.kernels[0]));
    EXPECT_EQ(cut_in_thread(dag, *one.kernels[0], f), (KnownExtents{std::nullopt, std::nullopt}));
    EXPECT_FALSE(cuts_in_threads(dag, *one.kernels[0]));
    EXPECT_FALSE(cuts_in_threads(dag, *two.kernels[1])) << "there is nothing in its threads";
}

TEST(ExtentsInThread, OfAnUpdateAreUnknownWhereALoopIsSplitTwiceAndEndsAnywhere) {
    const Dag dag = example::sum_over_windows();
    const auto in_thread_of = [&](const std::string &threads, const std::string &points) {
        return in_thread(dag, example::windows_in_threads(dag, threads, points), 0, "f");
    };
    EXPECT_EQ(in_thread_of("x=32", "x=2"), std::nullopt);
    EXPECT_EQ(in_thread_of("x=32", "x=1"), (Extents{16, 1}));
    EXPECT_EQ(in_thread_of("x=32", "y=2"), (Extents{16, 2}));
}

TEST(ConstantExtents, OfASumDoNotDependOnItsLength) {
    using example::at;
    for (const bool constant : {true, false}) {
        example::DagBuilder b;
        const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
        const FuncId out = b.output("out", {{"x", 0, 63}});
        const StageId update =
            b.update(f, {b.reduction("r", 0, 4, false, constant), b.over(0, "x")}, {at(1)});
        b.reads(update, f, {at(1)}).reads(update, in, {example::sum(1, 0)});
        b.reads(out, f, {at(0, -1, 1)}, 3);
        const Dag dag = b.build();
        const Nest nest = parsed(dag, "kernel out\n  out threads x=32\n");
        EXPECT_EQ(in_block(dag, nest, "f"), (Extents{34}));
        EXPECT_EQ(in_thread(dag, nest, 0, "f"), (Extents{3}));
    }
}

// In the loop over shifts everything is needed for one shift only.
TEST(ExtentsInALoop, AreThoseOfOneIteration) {
    const Dag dag = example::shifted_patches(1024, 512);
    const std::string total = "  total threads x=32 y=4\n    total serial y=2\n",
                      update =
                          "  total.update(0) threads x=32 y=4 in loop\n"
                          "    total.update(0) serial y=2\n  out threads x=32 y=8\n";
    const Nest empty = parsed(dag, "kernel out\n" + total + update);
    const StageId loop = find_stage(dag, "total.update(0)");
    const auto in_loop = [&](const Nest &nest, const std::string &func) {
        return extents_in_block(dag, *nest.kernels[0], find_func(dag, func), loop);
    };
    EXPECT_EQ(in_loop(empty, "patch"), (Extents{32, 8, 1}));
    EXPECT_EQ(in_block(dag, empty, "patch"), (Extents{32, 8, 5}));
    EXPECT_EQ(in_thread(dag, empty, 1, "patch"), (Extents{1, 2, 1}));
    const Nest patches = parsed(
        dag, "kernel out\n" + total + "  patch threads x=32 y=8 in total.update(0)\n" + update);
    EXPECT_EQ(in_loop(patches, "diff"), (Extents{34, 8, 1}));
    EXPECT_EQ(in_block(dag, patches, "diff"), (Extents{34, 8, 5}));
    EXPECT_EQ(in_thread(dag, patches, 1, "diff"), (Extents{3, 1, 1}));
    // Through a Func that is inlined, or computed in the threads of the loop.
    const Nest inlined = parsed(dag, "inline: patch\nkernel out\n" + total + update);
    EXPECT_EQ(in_loop(inlined, "diff"), (Extents{34, 8, 1}));
    const Nest thread =
        parsed(dag, "kernel out\n" + total +
                        "  total.update(0) threads x=32 y=8 in loop\n    patch serial\n"
                        "    total.update(0) serial\n  out threads x=32 y=8\n");
    EXPECT_EQ(in_loop(thread, "diff"), (Extents{34, 8, 1}));
    EXPECT_EQ(in_thread(dag, thread, 1, "diff"), (Extents{3, 1, 1}));
    EXPECT_EQ(runtime_extents(dag, *patches.kernels[0]), RuntimeExtents::none);
}

// Where only rows of shifts are in the loop, all shifts of one row.
TEST(ExtentsInALoop, AreThoseOfAllIterationsThatStayInside) {
    const Dag dag = example::patches_of_all_shifts(1024, 512);
    const std::string total = "  total threads x=32 y=4\n    total serial y=2\n",
                      update =
                          "  total.update(0) threads x=32 y=4 in outer_loop\n"
                          "    total.update(0) serial y=2 s=5\n  out threads x=32 y=8\n";
    const BlockLoop loop{find_stage(dag, "total.update(0)"), Outside::outermost};
    const Nest empty = parsed(dag, "kernel out\n" + total + update);
    const auto in_loop = [&](const Nest &nest, const std::string &func) {
        return extents_in_block(dag, *nest.kernels[0], find_func(dag, func), loop);
    };
    EXPECT_EQ(in_loop(empty, "patch"), (Extents{32, 8, 5, 1}));
    EXPECT_EQ(in_block(dag, empty, "patch"), (Extents{32, 8, 5, 3}));
    EXPECT_EQ(in_thread(dag, empty, 1, "patch"), (Extents{1, 2, 5, 1}));
    const Nest inlined = parsed(dag, "inline: patch\nkernel out\n" + total + update);
    EXPECT_EQ(in_loop(inlined, "diff"), (Extents{34, 8, 5, 1}));
}

// total(x) += everything of f up to s: how much that is depends on the iteration.
TEST(ExtentsInALoop, DoNotExistWhereTheyDependOnTheIteration) {
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"}), total = b.func("total", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 1023}});
    b.reads(f, in, {at(0, 0, 1)}, 2);
    const StageId add = b.update(total, {b.over(0, "x"), b.reduction("s", 0, 4)}, {at(0)});
    b.reads(add, total, {at(0)}).reads(add, f, {example::prefix(0, 1)});
    b.reads(out, total, {at(0)});
    const Dag dag = b.build();
    const Nest nest = parsed(dag,
                             "kernel out\n  total threads x=32\n"
                             "  total.update(0) threads x=32 in loop\n  out threads x=32\n");
    const StageId loop = find_stage(dag, "total.update(0)");
    EXPECT_EQ(extents_in_block(dag, *nest.kernels[0], find_func(dag, "f"), loop), std::nullopt);
    EXPECT_EQ(in_block(dag, nest, "f"), (Extents{5}));
}

// f(r) += in(r), where r runs over a range that is known at run time or before.
TEST(ConstantExtents, OfAScatterNeedALengthThatIsKnown) {
    using example::at;
    for (const bool constant : {true, false}) {
        example::DagBuilder b;
        const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
        const FuncId out = b.output("out", {{"x", 0, 63}});
        const StageId update = b.update(f, {b.reduction("r", 0, 4, false, constant)}, {at(0)});
        b.reads(update, f, {at(0)}).reads(update, in, {at(0)});
        b.reads(out, f, {at(0, -1, 1)}, 3);
        const Dag dag = b.build();
        const Nest nest = parsed(dag, "kernel out\n  out threads x=32\n");
        EXPECT_EQ(in_block(dag, nest, "f").has_value(), constant);
        EXPECT_EQ(in_thread(dag, nest, 0, "f").has_value(), constant);
    }
}

ConstantExtents most_in_block(const Dag &dag, const Nest &nest, const std::string &func) {
    const FuncId id = find_func(dag, func);
    const Kernel &kernel = *nest.kernels[0];
    const std::vector<KnownExtents> known = extents_in_block(dag, kernel, kernel.tiling, {&id, 1});
    return most_extents_in_block(dag, kernel, kernel.tiling, {&id, 1}, known)[0];
}

// A tile of 32 x 8 reads down at x / 2: 16 x 4 points, or 17 x 5 where it starts at an odd pixel.
TEST(RuntimeExtents, AreTheMostThatABlockNeeds) {
    const Dag dag = example::down_and_up(1024, 512);
    const Nest nest = parsed(dag, "kernel out\n  out threads x=32 y=8\n");
    EXPECT_EQ(in_block(dag, nest, "down"), std::nullopt);
    EXPECT_EQ(most_in_block(dag, nest, "down"), (Extents{17, 5}));
}

// in -> f -> down -> out, which reads down at x / 2, so that how many points of down a block needs
// is known only at run time.
TEST(RuntimeExtents, HaveNothingInTheirThreads) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"}), down = b.func("down", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 1023}});
    b.reads(f, in, {example::at(0)});
    b.reads(down, f, {example::at(0, -1, 1)}, 3);
    b.reads(out, down, {example::half(0)}, 2);
    const Dag dag = b.build();
    const Nest nest = parsed(dag,
                             "kernel out\n"
                             "  down threads x=17\n"
                             "    down serial\n"
                             "  out threads x=32\n"
                             "    out serial\n");
    EXPECT_EQ(in_thread(dag, nest, 0, "f"), std::nullopt);
}

// out(x) = g(x), g(x) = f(min(x, limit)): one point beyond the limit. If out reads f(x) too, all
// between the limit and a pixel far beyond it.
TEST(RuntimeExtents, AreNotThoseOfRegionsThatDependOnTheBlock) {
    for (const bool beside : {false, true}) {
        example::DagBuilder b;
        const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"}), g = b.func("g", {"x"});
        const FuncId out = b.output("out", {{"x", 0, 1023}});
        b.reads(f, in, {example::at(0)});
        b.reads(g, f, {example::clamped(0, 0, 0, 0, 1000)});
        b.reads(out, g, {example::at(0)});
        if (beside) b.reads(out, f, {example::at(0)});
        const Dag dag = b.build();
        const Nest nest = parsed(dag, "inline: g\nkernel out\n  out threads x=32\n");
        EXPECT_EQ(in_block(dag, nest, "f"), std::nullopt);
        EXPECT_EQ(most_in_block(dag, nest, "f"), std::nullopt);
    }
}

// On the diagonal of a square image both reads meet; elsewhere all between them would be computed.
TEST(RuntimeExtents, AreNotThoseOfAnImageAndItsTranspose) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId g = b.func("g", {"x", "y"}), out = b.output("out", {{"x", 0, 999}, {"y", 0, 999}});
    b.reads(f, in, {example::at(0), example::at(1)});
    b.reads(g, f, {example::at(1), example::at(0)});
    b.reads(out, f, {example::at(0), example::at(1)});
    b.reads(out, g, {example::at(0), example::at(1)});
    const Dag dag = b.build();
    const Nest nest = parsed(dag, "inline: g\nkernel out\n  out threads x=32 y=8\n");
    EXPECT_EQ(in_block(dag, nest, "f"), std::nullopt);
    EXPECT_EQ(most_in_block(dag, nest, "f"), std::nullopt);
}

TEST(RuntimeExtents, AreFoundInTheKernelsThatHaveThem) {
    const Dag dag = example::down_and_up(1024, 512);
    const Nest alone = parsed(dag, "kernel out\n  out threads x=32 y=8\n");
    EXPECT_EQ(runtime_extents(dag, *alone.kernels[0]), RuntimeExtents::none);
    const Nest with_level = parsed(dag,
                                   "kernel out\n"
                                   "  down threads x=17 y=5\n"
                                   "    down serial\n"
                                   "  out threads x=32 y=8\n"
                                   "    out serial\n");
    EXPECT_EQ(runtime_extents(dag, *with_level.kernels[0]), RuntimeExtents::any);
}

// Each pixel counts in one of the bins of its cell; out reads all bins of a cell and its neighbour.
TEST(RuntimeExtents, ThatParametersDecideAreThoseAtTheEstimates) {
    const Dag dag = example::scattered_bins({0, 9}, Interval(0, 63));
    const Nest nest = parsed(dag,
                             "kernel out\n"
                             "  bins threads x=33\n"
                             "    bins serial z=10\n"
                             "  bins.update(0) threads x=33\n"
                             "    bins.update(0) serial r=16\n"
                             "  out threads x=32\n"
                             "    out strided z=10\n");
    const Kernel &kernel = *nest.kernels[0];
    const FuncId bins = find_func(dag, "bins");
    EXPECT_EQ(dag.func(bins).dims[1].widest, Interval(0, 63));
    const std::vector<KnownExtents> known =
        extents_in_block(dag, kernel, kernel.tiling, {&bins, 1});
    EXPECT_EQ(known[0], (KnownExtents{33, std::nullopt}));
    const auto with_set = with_set_by_parameters(dag, kernel, kernel.tiling, {&bins, 1}, known);
    EXPECT_EQ(with_set[0], (KnownExtents{33, 10}));
    EXPECT_EQ(runtime_extents(dag, kernel), RuntimeExtents::set_by_parameters);
}

TEST(RuntimeExtents, AreUnknownOfAParameterWithoutARange) {
    const Dag dag = example::scattered_bins({0, 9}, std::nullopt);
    const Nest nest = parsed(dag, "kernel out\n  out threads x=32\n    out strided z=10\n");
    const Kernel &kernel = *nest.kernels[0];
    const FuncId bins = find_func(dag, "bins");
    EXPECT_EQ(dag.func(bins).dims[1].widest, std::nullopt);
    const KnownExtents unknown{33, std::nullopt};
    const auto with_set = with_set_by_parameters(dag, kernel, kernel.tiling, {&bins, 1}, {unknown});
    EXPECT_EQ(with_set[0], unknown);
}

TEST(ConstantExtents, OfAScanAreItsWholeLength) {
    const Dag dag = example::iir(128, 64);
    const Nest nest = parsed(dag, "kernel out\n  out threads x=32 y=8\n");
    EXPECT_EQ(in_block(dag, nest, "scan"), (Extents{128, 8}));
}

TEST(ConstantExtents, OfATableReadAnywhereAreTheWholeTable) {
    const Dag dag = example::histogram(64, 64);
    const Nest nest = parsed(dag, "kernel out\n  out threads x=32 y=8\n");
    EXPECT_EQ(in_block(dag, nest, "hist"), (Extents{256}));
}

TEST(ExtentsInBlock, OfAHistogramAreItsBinsAndTheRowsOfTheBlock) {
    const Dag dag = example::row_histograms(640, 480);
    const auto rows = [&](const std::string &kernel) {
        return in_block(dag, parsed(dag, kernel + "kernel hist\n  hist threads i=32\n"), "rows");
    };
    EXPECT_EQ(rows("kernel hist.update(0) blocks r=480\n  hist.update(0) threads i=256\n"),
              (Extents{256, 1}));
    // The last of several rows may be cut short.
    EXPECT_EQ(rows("kernel hist.update(0) blocks r=240\n  hist.update(0) threads i=256\n"
                   "    hist.update(0) serial r=2\n"),
              std::nullopt);
}

}  // namespace
}  // namespace autoschedule_gpu
