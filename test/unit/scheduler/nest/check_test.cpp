#include "scheduler/nest/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "scheduler/nest/edit.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::find_func;
using example::find_stage;
using example::parsed;

bool mentions(const std::vector<std::string> &sentences, const std::string &words) {
    return std::any_of(sentences.begin(), sentences.end(), [&](const std::string &sentence) {
        return sentence.find(words) != std::string::npos;
    });
}

std::string all_of(const std::vector<std::string> &sentences) {
    std::string text;
    for (const std::string &sentence : sentences) text += sentence + '\n';
    return text;
}

void expect_found(const Dag &dag, const Nest &nest, const std::string &words) {
    const std::vector<std::string> found = check(dag, nest, Completeness::complete);
    EXPECT_TRUE(mentions(found, words)) << "not found: " << words << "\namong:\n" << all_of(found);
}

// Damage below the edits: copies of what may not change, changed.
void damage_kernel(Nest &nest, size_t kernel, const std::function<void(Kernel &)> &change) {
    Kernel copy = *nest.kernels[kernel];
    change(copy);
    nest.kernels[kernel] = std::make_shared<const Kernel>(std::move(copy));
}

void damage_blocks(Nest &nest, const std::function<void(Band &)> &change) {
    damage_kernel(nest, 0, [&](Kernel &kernel) {
        Band copy = *kernel.blocks;
        change(copy);
        kernel.blocks = std::make_shared<const Band>(std::move(copy));
    });
}

void damage_threads(Nest &nest, size_t index, const std::function<void(Band &)> &change) {
    damage_blocks(nest, [&](Band &blocks) {
        Band copy = *blocks.body[index];
        change(copy);
        blocks.body[index] = std::make_shared<const Band>(std::move(copy));
    });
}

class PlantedViolation : public testing::Test {
protected:
    const Dag dag_ = example::stencil_chain(3, 128, 128);
    // f0 in the threads of f1, which is in the block of f2.
    Nest nest_ = example::sound(dag_,
                                "kernel f2\n"
                                "  f1 threads x=34 y=10\n    f0 serial x=3 y=3\n    f1 serial\n"
                                "  f2 threads x=32 y=8\n    f2 serial\n");
    void expect(const std::string &words) { expect_found(dag_, nest_, words); }
};

TEST_F(PlantedViolation, UndecidedFunc) {
    nest_.places[1] = Place::undecided;
    expect("f0: is not decided");
}

TEST_F(PlantedViolation, StageThatIsMissing) {
    nest_.kernels.clear();
    expect("f2: is not computed exactly where its Func is placed");
}

TEST_F(PlantedViolation, StageComputedTwice) {
    nest_.kernels.push_back(nest_.kernels[0]);
    expect("f2: is not computed exactly where its Func is placed");
}

TEST_F(PlantedViolation, FuncAtRootThatIsAlsoFused) {
    nest_.places[2] = Place::root;
    expect("f1: is not computed exactly where its Func is placed");
}

TEST_F(PlantedViolation, OutputThatIsNotAtRoot) {
    nest_.places[3] = Place::block;
    expect("f2: is an output and must be computed at root");
}

TEST_F(PlantedViolation, ProducerAfterItsConsumer) {
    damage_blocks(nest_, [](Band &blocks) { std::swap(blocks.body[0], blocks.body[1]); });
    expect("kernel f2: must end with the threads of its own stage");
    damage_blocks(nest_, [](Band &blocks) { std::swap(blocks.body[0], blocks.body[1]); });
    damage_threads(nest_, 0, [](Band &band) { std::swap(band.body[0], band.body[1]); });
    expect("must end with its own innermost loops");
    expect("f0: is computed after it is used");
}

TEST_F(PlantedViolation, ProducerInTheBlockAfterItsConsumer) {
    Nest nest = parsed(dag_,
                       "kernel f2\n"
                       "  f1 threads x=34 y=10\n"
                       "  f0 threads x=36 y=12\n"
                       "  f2 threads x=32 y=8\n");
    expect_found(dag_, nest, "f0: is computed after it is used");
}

TEST_F(PlantedViolation, FuncUsedOutsideItsKernel) {
    const Nest nest = parsed(dag_,
                             "kernel f2\n  f0 threads x=36 y=12\n  f2 threads x=32 y=8\n"
                             "kernel f1\n  f1 threads x=32 y=8\n");
    expect_found(dag_, nest, "f0: is used outside the kernel that it is computed in");
}

TEST_F(PlantedViolation, FuncUsedOutsideItsKernelThroughAnInlinedOne) {
    const Dag dag = example::diamond(128, 128);
    const Nest nest = parsed(dag,
                             "inline: left\n"
                             "kernel out\n  out threads x=32 y=8\n"
                             "kernel right\n  base threads x=32 y=12\n  right threads x=32 y=8\n");
    expect_found(dag, nest, "base: is used outside the kernel that it is computed in");
}

TEST_F(PlantedViolation, ThreadsOfOtherStagesThatReadAThreadsArray) {
    const Dag dag = example::diamond(128, 128);
    const Nest nest = parsed(dag,
                             "kernel out\n"
                             "  left threads x=33 y=8\n    base serial x=3\n    left serial\n"
                             "  right threads x=32 y=9\n"
                             "  out threads x=32 y=8\n");
    expect_found(dag, nest, "base: is computed per thread but used in other threads");
}

// Halide evaluates such a condition before the guard of a split loop.
TEST_F(PlantedViolation, SplitLoopOfAStageWhoseConditionReads) {
    Dag dag = dag_;
    dag.stages[example::find_stage(dag, "f2").index()].predicate_reads = true;
    expect_found(dag, nest_, "kernel f2: splits loop x, though its condition reads data");
}

TEST_F(PlantedViolation, FuncPerThreadWhereThereIsNoThreadLoop) {
    const Nest nest = parsed(dag_,
                             "inline: f0\n"
                             "kernel f2\n  f2 threads\n    f1 serial x=3 y=3\n    f2 serial\n");
    expect_found(dag_, nest, "f1: is computed per thread, but there is no thread loop");
}

TEST(Check, AcceptsAFuncInTheOnlyBlockOfAStageWithoutParallelLoops) {
    example::DagBuilder b;
    const FuncId f = b.func("f", {"x"}), out = b.output("out", {});
    const StageId sum = b.update(out, {b.reduction("r", 0, 99)}, {});
    b.reads(sum, f, {example::at(0)});
    const Dag dag = b.build();
    const Nest nest = parsed(dag,
                             "kernel out\nkernel out.update(0)\n  f threads x=100\n  "
                             "out.update(0) threads\n");
    EXPECT_EQ(check(dag, nest, Completeness::complete), std::vector<std::string>());
}

TEST_F(PlantedViolation, InlinedFuncThatHasUpdates) {
    const Dag dag = example::matmul(64);
    const Nest nest = parsed(dag, "inline: prod\nkernel out\n  out threads x=32\n");
    expect_found(dag, nest, "prod: is inlined, but has updates or must be stored");
}

TEST_F(PlantedViolation, FuncWithoutBoundsThatIsStored) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 63}});
    b.reads(f, in, {example::clamped(0, 0, 0, 0, 63)});
    b.reads(out, f, {example::anywhere(-kRegionLimit, kRegionLimit)}).must_inline(f);
    const Dag dag = b.build();
    expect_found(dag, parsed(dag, "kernel out\n  out threads x=32\nkernel f\n  f threads x=32\n"),
                 "f: has no bounds and must be inlined");
}

TEST_F(PlantedViolation, RowsInAKernelThatTheirUserHasAligned) {
    Dag dag = example::two_stencils(64, 64);
    dag.funcs[find_func(dag, "f0").index()].users_alignment = true;
    expect_found(dag, parsed(dag, "kernel f1\n  f0 threads x=34 y=10\n  f1 threads x=32 y=8\n"),
                 "f0: has rows that its user has aligned, and must not be in a kernel");
    EXPECT_EQ(
        check(dag,
              parsed(dag, "kernel f1\n  f1 threads x=32 y=8\nkernel f0\n  f0 threads x=32 y=8\n"),
              Completeness::complete),
        std::vector<std::string>{});
}

TEST_F(PlantedViolation, InlinedFuncThatIsNotListed) {
    Nest nest = parsed(dag_, "inline: f0 f1\nkernel f2\n  f2 threads x=32 y=8\n");
    damage_kernel(nest, 0, [](Kernel &kernel) { kernel.inlined.erase(kernel.inlined.begin()); });
    expect_found(dag_, nest, "kernel f2: evaluates f0 inline without listing it");
    nest_.kernels[0] = inline_func(nest_.kernels[0], find_func(dag_, "f0"));
    expect("kernel f2: lists f0 as inlined, which it is not");
}

TEST_F(PlantedViolation, HostStageOnTheDevice) {
    const Dag dag = example::host_in_the_middle(64, 64);
    const std::string rest =
        "kernel before\n  before threads x=32\nkernel out\n  out threads x=32\n";
    expect_found(dag, parsed(dag, rest + "kernel mid\n  mid threads x=32\n"),
                 "kernel mid: is on the wrong side of the device");
    expect_found(dag, parsed(dag, "kernel before host\nkernel mid host\nkernel out host\n"),
                 "kernel out: is on the wrong side of the device");
    expect_found(dag,
                 parsed(dag, "kernel before\nkernel out\n  mid threads x=34\n  out threads x=32\n"),
                 "mid: must stay on the host (it prints)");
    expect_found(dag, parsed(dag, "inline: mid\nkernel before\nkernel out\n  out threads x=32\n"),
                 "kernel out: inlines a Func that must stay on the host");
}

TEST_F(PlantedViolation, KernelWithoutThreads) {
    damage_blocks(nest_, [](Band &blocks) { blocks.body.clear(); });
    expect("kernel f2: must end with the threads of its own stage");
    damage_kernel(nest_, 0, [](Kernel &kernel) { kernel.blocks = nullptr; });
    expect("kernel f2: must end with the threads of its own stage");
}

TEST_F(PlantedViolation, BandsAtTheWrongLevel) {
    damage_threads(nest_, 1, [](Band &band) { band.level = Level::block; });
    expect("kernel f2, f2: is not at thread level");
}

TEST_F(PlantedViolation, ThreadsInsideThreads) {
    damage_threads(nest_, 1, [&](Band &band) {
        Band inner = *band.body[0];
        inner.level = Level::thread;
        band.body[0] = std::make_shared<const Band>(std::move(inner));
    });
    expect("kernel f2, f2: may hold only serial loops");
}

TEST_F(PlantedViolation, RoundsWithSomethingComputedInTheThreads) {
    const Nest nest =
        parsed(dag_,
               "kernel f2\n"
               "  f1 threads x=32 y=8\n    f0 serial x=3 y=3\n    f1 strided x=2 y=2\n"
               "  f2 threads x=32 y=8\n");
    expect_found(dag_, nest,
                 "kernel f2, f1: strides over its points, with something computed in its "
                 "threads");
}

TEST_F(PlantedViolation, FlatThreadsWithoutRounds) {
    damage_threads(nest_, 0, [](Band &band) { band.flat = true; });
    expect("kernel f2, f1: has flat threads that do not stride");
}

TEST_F(PlantedViolation, RoundsOfTheKernelsOwnStage) {
    damage_threads(nest_, 1, [](Band &band) {
        Band inner = *band.body[0];
        inner.level = Level::strided;
        band.body[0] = std::make_shared<const Band>(std::move(inner));
    });
    expect("kernel f2: has threads that stride without whole rows, or whole rows without");
}

TEST_F(PlantedViolation, SpreadPointsWithoutATileOfThem) {
    damage_threads(nest_, 1, [](Band &band) {
        Band inner = *band.body[0];
        inner.level = Level::spread;
        band.body[0] = std::make_shared<const Band>(std::move(inner));
    });
    expect("kernel f2: has spread points without a tile of them, or such a tile without");
}

TEST_F(PlantedViolation, SpreadPointsBesideOthers) {
    Nest nest = parsed(dag_, "kernel f2\n  f2 threads x=8 y=4\n    f2 spread x=4 y=2\n");
    Kernel kernel = *nest.kernels.back();
    kernel.tiling[1].rest = Rest::blocks;
    nest.kernels.back() = std::make_shared<const Kernel>(std::move(kernel));
    expect_found(dag_, nest, "kernel f2: has points that are spread and others that are not");
}

TEST_F(PlantedViolation, LoopsOfNoIteration) {
    damage_threads(nest_, 1, [](Band &band) { band.trips[0] = 0; });
    expect("kernel f2, f2: has an empty loop");
}

TEST_F(PlantedViolation, ThreadsWithoutAnAxis) {
    damage_threads(nest_, 1, [](Band &band) { band.axes.pop_back(); });
    expect("kernel f2, f2: has threads in a loop without an axis");
}

TEST_F(PlantedViolation, MoreThanThreeAxes) {
    damage_threads(nest_, 1, [](Band &band) { band.axes = {0, 1, 0, 1}; });
    expect("kernel f2, f2: has more than three thread dimensions");
}

TEST_F(PlantedViolation, RacingLoopOnThreads) {
    const Dag dag = example::matmul_output(64);
    Nest nest = parsed(dag,
                       "kernel out.update(0)\n  out.update(0) threads x=32\n"
                       "kernel out\n  out threads x=32\n");
    damage_threads(nest, 0, [](Band &band) { band.axes = {0, 2}; });
    expect_found(dag, nest, "out.update(0): runs loop k in parallel, which races");
}

class PlantedLoop : public testing::Test {
protected:
    const Dag dag_ = example::shifted_patches(128, 128);
    const std::string text_ =
        "kernel out\n"
        "  total threads x=32 y=8\n"
        "  diff threads x=34 y=8 in total.update(0)\n"
        "  patch threads x=32 y=8 in total.update(0)\n"
        "  total.update(0) threads x=32 y=8 in loop\n"
        "  out threads x=32 y=8\n";
    Nest nest_ = example::sound(dag_, text_);
    void expect(const std::string &words) { expect_found(dag_, nest_, words); }
};

TEST_F(PlantedLoop, FuncInALoopThatIsUsedBeforeIt) {
    damage_threads(nest_, 2, [](Band &band) { band.loop = StageId(); });
    expect("diff: is computed in a loop but used outside");
    expect("kernel out, diff: is in the loop of total.update(0), which ends before");
}

TEST_F(PlantedLoop, BandsBehindTheLoop) {
    const StageId update = find_stage(dag_, "total.update(0)");
    damage_threads(nest_, 4, [&](Band &band) { band.loop = update; });
    expect("kernel out, out: is in the loop of total.update(0), which ends before");
}

TEST_F(PlantedLoop, PureDefinitionInTheLoopOfItsUpdate) {
    const StageId update = find_stage(dag_, "total.update(0)");
    damage_threads(nest_, 0, [&](Band &band) { band.loop = update; });
    expect("kernel out, total: is in the loop of another update of its Func");
}

TEST_F(PlantedLoop, ReductionInsideTheThreadsAndOutside) {
    damage_threads(nest_, 3, [](Band &band) {
        Band inner = *band.body[0];
        inner.trips[2] = 5;
        band.body[0] = std::make_shared<const Band>(std::move(inner));
    });
    expect("kernel out, total.update(0): runs a loop outside its threads and inside");
}

TEST_F(PlantedLoop, OutermostLoopOfTheOnlyOne) {
    damage_threads(nest_, 3, [](Band &band) { band.loop.outside = Outside::outermost; });
    expect("kernel out, total.update(0): may have no loop");
    expect("kernel out, patch: is in the loop of total.update(0), which ends before");
}

// What is not the outermost loop may be inside, and only that.
TEST(PlantedOuterLoop, ReductionInsideTheThreadsAndOutside) {
    const Dag dag = example::patches_of_all_shifts(128, 128);
    Nest nest = example::sound(dag,
                               "kernel out\n"
                               "  total threads x=32 y=8\n"
                               "  diff threads x=34 y=8 in total.update(0)\n    diff serial i=5\n"
                               "  total.update(0) threads x=32 y=8 in outer_loop\n"
                               "    patch serial i=5\n    total.update(0) serial s=5\n"
                               "  out threads x=32 y=8\n");
    damage_threads(nest, 2, [](Band &band) {
        Band inner = *band.body[1];
        inner.trips[3] = 3;
        band.body[1] = std::make_shared<const Band>(std::move(inner));
    });
    expect_found(dag, nest, "kernel out, total.update(0): runs a loop outside its threads and");
}

TEST_F(PlantedLoop, LoopWithoutThreads) {
    damage_threads(nest_, 3, [](Band &band) { band.axes.clear(); });
    expect("kernel out, total.update(0): has a loop, but no threads in it");
}

TEST_F(PlantedLoop, LoopOfAStageThatReducesNothing) {
    damage_threads(nest_, 2, [](Band &band) { band.loop = band.stage; });
    expect("kernel out, patch: may have no loop");
}

TEST_F(PlantedLoop, LoopAroundTheKernelsOwnStage) {
    const Dag dag = example::matmul_output(64);
    Nest nest = parsed(dag,
                       "kernel out.update(0)\n  out.update(0) threads x=32\n"
                       "kernel out\n  out threads x=32\n");
    damage_threads(nest, 0, [](Band &band) { band.loop = band.stage; });
    expect_found(dag, nest, "kernel out.update(0), out.update(0): is at root and has a loop");
}

TEST(Check, AcceptsEveryExampleWrittenPlainly) {
    const std::pair<Dag, std::string> cases[] = {
        {example::two_outputs(64, 64), "kernel b\n  b threads x=32\nkernel a\n  a threads x=32\n"},
        {example::zero_dim(64), "kernel sum\nkernel sum.update(0)\n"},
        {example::iir(64, 64),
         "kernel out\n  out threads x=32\nkernel scan\n  scan threads x=32\n"
         "kernel scan.update(0)\n  scan.update(0) threads y=32\n"},
        {example::two_stencils(64, 64),
         "kernel f1\n  f0 threads x=32 y=8\n    f0 strided x=2 y=2\n  f1 threads x=32 y=8\n"},
        {example::clamped_stencil(64, 64),
         "inline: edge\nkernel out\n  blur threads x=34 y=10\n"
         "  out threads x=32 y=8\n"},
    };
    for (const auto &[dag, text] : cases) example::sound(dag, text);
}

TEST(Check, AcceptsSharedReductionsWhereThereAreAtomics) {
    const std::string text =
        "kernel hist.update(0) blocks r=480\n  rows threads i=256\n"
        "  rows.update(0) threads c=128\n    rows.update(0) serial c=5\n"
        "  hist.update(0) threads i=256\n"
        "kernel hist\n  hist threads i=32\nkernel out\n  out threads x=32 y=8\n";
    const Dag dag = example::row_histograms(640, 480);
    EXPECT_EQ(check(dag, parsed(dag, text), Completeness::complete), std::vector<std::string>{});
    const Dag without = example::row_histograms(640, 480, Atomics::no);
    const Nest nest = parsed(without, text);
    expect_found(without, nest,
                 "kernel hist.update(0): runs loop r in several blocks, which races");
    expect_found(without, nest, "rows.update(0): runs loop c in parallel, which races");
}

TEST(Check, FindsAFuncInTheThreadsOfASharedReduction) {
    const Dag dag = example::row_histograms(640, 480);
    const Nest nest = parsed(dag,
                             "kernel hist.update(0) blocks r=480\n"
                             "  hist.update(0) threads i=256\n    rows serial i=256\n"
                             "    rows.update(0) serial c=640\n    hist.update(0) serial\n"
                             "kernel hist\n  hist threads i=32\n"
                             "kernel out\n  out threads x=32 y=8\n");
    expect_found(dag, nest, "rows: is computed per thread of a reduction that threads share");
}

// How much the bins take is known if Funcs at root compute no more than is asked of them.
TEST(Check, FindsTilesRoundedUpWhereParametersDecideSizes) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), bins = b.func("bins", {"x", "z"});
    const FuncId mid = b.func("mid", {"x", "z"}), out = b.output("out", {{"x", 0, 1023}});
    const example::Index bin = example::anywhere(0, 9);
    const StageId count =
        b.update(bins, {b.reduction("r", 0, 15), b.over(0, "x")}, {example::at(1), bin});
    b.reads(count, bins, {example::at(1), bin}).reads(count, in, {example::sum(0, 1)});
    b.reads(mid, bins, {example::at(0), example::at(1)});
    b.reads(out, mid, {example::at(0), bin});
    b.computes_by_parameters(bins, 1, {0, 9}, Interval(0, 63));
    b.computes_by_parameters(mid, 1, {0, 9}, Interval(0, 63));
    Dag dag = b.build();
    dag.funcs[mid.index()].dims[1].rounds_up = true;
    const std::string in_block =
        "  bins threads x=32\n    bins serial z=10\n"
        "  bins.update(0) threads x=32\n    bins.update(0) serial r=16\n";
    const std::string root = "kernel out\n  out threads x=32\n";
    const Nest nest = parsed(
        dag, root + "kernel mid\n" + in_block + "  mid threads x=32\n    mid strided z=10\n");
    EXPECT_EQ(check(dag, nest, Completeness::complete), std::vector<std::string>{});
    Nest rounded = parsed(dag, root + "kernel mid\n" + in_block + "  mid threads x=32 z=4\n");
    damage_kernel(rounded, 1, [](Kernel &kernel) { kernel.aligned = true; });
    expect_found(dag, rounded, "rounds up loop z, and shared memory is as large as parameters say");
}

}  // namespace
}  // namespace autoschedule_gpu
