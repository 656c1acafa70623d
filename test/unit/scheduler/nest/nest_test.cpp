#include "scheduler/nest/nest.h"

#include <gtest/gtest.h>

#include "scheduler/nest/edit.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::parsed;
using example::sound;

constexpr std::string_view kStaged =
    "kernel f1 blocks x=4 y=16\n"
    "  f0 threads x=34 y=10\n"
    "    f0 serial\n"
    "  f1 threads x=32 y=8\n"
    "    f1 serial\n";

TEST(EmptyNest, HasInputsAtRootAndNothingElseDecided) {
    const Dag dag = example::two_stencils(128, 128);
    const Nest nest = empty_nest(dag);
    EXPECT_TRUE(nest.kernels.empty());
    EXPECT_EQ(nest.place(FuncId(0)), Place::root);
    EXPECT_EQ(nest.place(FuncId(1)), Place::undecided);
    EXPECT_EQ(check(dag, nest, Completeness::partial), std::vector<std::string>{});
    EXPECT_EQ(check(dag, nest, Completeness::complete).size(), 2u);
}

TEST(Bands, AreListedInTheOrderOfExecution) {
    const Dag dag = example::two_stencils(128, 128);
    const Nest nest = sound(dag, kStaged);
    const Kernel &kernel = *nest.kernels[0];
    const auto threads = thread_bands(kernel);
    ASSERT_EQ(threads.size(), 2u);
    EXPECT_EQ(stage_name(dag, threads[0]->stage), "f0");
    EXPECT_EQ(root_threads(kernel), threads[1]);
    EXPECT_EQ(innermost_bands(*kernel.blocks).size(), 2u);
    EXPECT_EQ(innermost_bands(*threads[0])[0]->stage, threads[0]->stage);
    EXPECT_EQ(iterations(*threads[0]), 340);
    EXPECT_EQ(iterations(*kernel.blocks), 64);
}

TEST(Bands, DoNotExistOnTheHost) {
    const Dag dag = example::two_stencils(128, 128);
    const KernelPtr kernel = make_host_kernel(dag, StageId(1));
    EXPECT_EQ(root_threads(*kernel), nullptr);
    EXPECT_TRUE(thread_bands(*kernel).empty());
    EXPECT_EQ(block_size(*kernel).total(), 1);
    EXPECT_FALSE(is_guarded(dag, *kernel));
}

TEST(BlockSize, IsTheMaximumOverStagesInEachDimension) {
    const Dag dag = example::two_stencils(128, 128);
    const ThreadExtents size = block_size(*parsed(dag, kStaged).kernels[0]);
    EXPECT_EQ(size.x, 34);
    EXPECT_EQ(size.y, 10);
    EXPECT_EQ(size.z, 1);
    EXPECT_EQ(size.total(), 340);
}

TEST(ThreadExtents, FollowTheAxesAndNotTheOrderOfLoops) {
    // c is innermost in memory; y comes last.
    const Dag dag = example::interleaved(512, 256);
    const KernelPtr kernel = make_kernel(dag, StageId(0), {{1, 32}, {1, 2}, {1, 3}});
    EXPECT_EQ(root_threads(*kernel)->axes, (std::vector<int>{2, 0, 1}));
    const ThreadExtents extents = thread_extents(*root_threads(*kernel));
    EXPECT_EQ(extents.x, 3);
    EXPECT_EQ(extents.y, 32);
    EXPECT_EQ(extents.z, 2);
}

TEST(ChooseAxes, TakesTheFirstWideLoopInStorageOrder) {
    const Dag planar = example::copy(512, 256), packed = example::interleaved(512, 256);
    const auto axes = [](const Dag &dag, const std::vector<int64_t> &trips) {
        return choose_axes(dag, StageId(0), trips);
    };
    using Axes = std::vector<int>;
    EXPECT_EQ(axes(planar, {32, 8}), (Axes{0, 1}));
    EXPECT_EQ(axes(planar, {8, 32}), (Axes{1, 0}));  // x is too short
    EXPECT_EQ(axes(planar, {8, 4}), (Axes{0, 1}));   // neither is wide: in order
    EXPECT_EQ(axes(planar, {1, 4}), (Axes{1}));      // loops of one iteration are no threads
    EXPECT_EQ(axes(planar, {1, 1}), Axes{});
    EXPECT_EQ(axes(packed, {32, 4, 3}), (Axes{0, 2, 1}));
    EXPECT_EQ(axes(packed, {8, 4, 3}), (Axes{2, 0, 1}));
}

TEST(ChooseAxes, PutsSharedReductionsWhereTheirAccessesMoveLeast) {
    // Row by row, k moves a by 1 and b by 64: it is as near as x, and behind it.
    const Dag dag = example::matmul(64);
    const StageId update = example::find_stage(dag, "prod.update(0)");
    EXPECT_EQ(choose_axes(dag, update, {16, 16, 64}), (std::vector<int>{0, 2, 1}));
    EXPECT_EQ(choose_axes(dag, update, {1, 16, 64}), (std::vector<int>{2, 1}));
}

TEST(ChooseRootAxes, KeepsShortLoopsWhichTheNextOnesContinue) {
    // x has stride 3, c has stride 1.
    const Dag pixels = example::interleaved(512, 256);
    const StageId out = example::find_stage(pixels, "out");
    EXPECT_EQ(choose_root_axes(pixels, out, {32, 4, 3}), (std::vector<int>{2, 0, 1}));
    EXPECT_EQ(choose_root_axes(pixels, out, {32, 4, 2}), choose_axes(pixels, out, {32, 4, 2}));
    // A grid of 14 columns, of which the third dimension is wide.
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "z"});
    const FuncId grid = b.output("grid", {{"x", 0, 13}, {"y", 0, 8}, {"z", 0, 99}});
    b.reads(grid, in, {example::at(0), example::at(1), example::at(2)});
    const Dag dag = b.build();
    EXPECT_EQ(choose_root_axes(dag, StageId(0), {14, 9, 16}), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(choose_root_axes(dag, StageId(0), {14, 8, 16}), (std::vector<int>{2, 0, 1}));
    EXPECT_EQ(choose_root_axes(dag, StageId(0), {14, 1, 16}), (std::vector<int>{2, 0}));
}

TEST(ChooseAxes, LeavesOutTheFourth) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "z", "w"});
    const FuncId out = b.output("out", {{"x", 0, 7}, {"y", 0, 7}, {"z", 0, 7}, {"w", 0, 7}});
    b.reads(out, in, {example::at(0), example::at(1), example::at(2), example::at(3)});
    EXPECT_EQ(choose_axes(b.build(), StageId(0), {4, 4, 4, 4}), (std::vector<int>{0, 1, 2}));
}

TEST(SerialOrder, PutsTheTileInsideReductions) {
    const Dag dag = example::reduced_stencil(128, 128);  // the update's loops are r, x, y
    const StageId update = example::find_stage(dag, "total.update(0)");
    Band band{Level::serial, update, {3, 2, 4}, {}, {}};
    band.memory = MemoryKind::shared;
    EXPECT_EQ(serial_order(dag, band), (std::vector<size_t>{1, 2, 0}));
}

TEST(SerialOrder, PutsTermsThatAreWrittenOutInsideTheTileOfSumsInGlobalMemory) {
    const Dag dag = example::reduced_stencil(128, 128);
    const StageId update = example::find_stage(dag, "total.update(0)");
    Band band{Level::serial, update, {3, 2, 4}, {}, {}};
    EXPECT_EQ(serial_order(dag, band), (std::vector<size_t>{0, 1, 2}));
    band.unroll = Unroll::tile;
    EXPECT_EQ(serial_order(dag, band), (std::vector<size_t>{1, 2, 0}));
}

std::vector<bool> unrolled_loops(const Dag &dag, const Band &innermost) {
    const UnrolledLoops unrolled(dag, innermost);
    std::vector<bool> flags;
    for (size_t i = 0; i < innermost.trips.size(); ++i) flags.push_back(unrolled.is_whole(i));
    return flags;
}

TEST(UnrolledLoops, AreTheTileThenShortReductionsOfKnownLength) {
    const Dag dag = example::reduced_stencil(128, 128);
    const StageId update = example::find_stage(dag, "total.update(0)");
    const auto unrolled = [&](std::vector<int64_t> trips) {
        return unrolled_loops(dag, Band{Level::serial, update, std::move(trips), {}, {}});
    };
    using Flags = std::vector<bool>;
    EXPECT_EQ(unrolled({3, 2, 4}), (Flags{true, true, true}));
    EXPECT_EQ(unrolled({3, kUnrollLimit, 1}), (Flags{false, true, true}));
    EXPECT_EQ(unrolled({3, kUnrollLimit, 2}), (Flags{false, true, false}));
    EXPECT_EQ(unrolled({3, 2 * kUnrollLimit, 1}), (Flags{false, false, false}));
    // The tile fits, the reduction inside it doesn't.
    EXPECT_EQ(unrolled({3, kReductionUnrollLimit, 1}), (Flags{false, true, true}));
}

TEST(UnrolledLoops, StopWhereTheBandDoes) {
    const Dag dag = example::reduced_stencil(128, 128);
    Band band{Level::serial, example::find_stage(dag, "total.update(0)"), {3, 2, 4}, {}, {}};
    band.unroll = Unroll::tile;
    EXPECT_EQ(unrolled_loops(dag, band), (std::vector<bool>{false, true, true}));
    band.unroll = Unroll::none;
    EXPECT_EQ(unrolled_loops(dag, band), (std::vector<bool>{false, false, false}));
}

// An array of the thread stays in registers only if the loop that indexes it is gone.
TEST(UnrolledLoops, AreReductionsOverArraysOfTheThreadUpToTheLimitOfTiles) {
    const Dag dag = example::reduced_stencil(128, 128);
    Band band{Level::serial, example::find_stage(dag, "total.update(0)"), {3, 16, 1}, {}, {}};
    EXPECT_EQ(unrolled_loops(dag, band), (std::vector<bool>{false, true, true}));
    band.reads_arrays = true;
    EXPECT_EQ(unrolled_loops(dag, band), (std::vector<bool>{true, true, true}));
    band.trips = {3, kUnrollLimit / 2, 1};
    EXPECT_EQ(unrolled_loops(dag, band), (std::vector<bool>{false, true, true}));
}

TEST(UnrolledLoops, WriteOutStepsOfTheFirstReductionThatStaysALoop) {
    const Dag dag = example::reduced_stencil(128, 128);
    Band band{Level::serial, example::find_stage(dag, "total.update(0)"), {3, 16, 2}, {}, {}};
    EXPECT_EQ(UnrolledLoops(dag, band).points(), 32) << "the reduction would make it too much";
    EXPECT_EQ(UnrolledLoops(dag, band).stepped(), 0u);
    band.trips = {100, 2, 4};
    band.steps = 4;
    const UnrolledLoops unrolled(dag, band);
    EXPECT_EQ(unrolled[0], 4);
    EXPECT_FALSE(unrolled.is_whole(0));
    EXPECT_EQ(unrolled.points(), 32);
    band.trips = {3, 2, 4};
    EXPECT_EQ(UnrolledLoops(dag, band).stepped(), std::nullopt) << "all is unrolled";
    band.trips = {3, 2 * kUnrollLimit, 1};
    EXPECT_EQ(UnrolledLoops(dag, band).stepped(), std::nullopt) << "the tile is a loop";
}

// The sum of `terms` values for each of 64 points, of those that the condition allows.
struct GuardedSum {
    explicit GuardedSum(int64_t terms, std::vector<bool> predicate_loops = {true, false}) {
        example::DagBuilder b;
        const FuncId in = b.input("in", {"x"}), out = b.output("out", {{"x", 0, 63}});
        update = b.update(out, {b.reduction("r", 0, terms - 1), b.over(0, "x")}, {example::at(1)});
        b.reads(update, out, {example::at(1)}).reads(update, in, {example::sum(1, 0)});
        dag = b.build();
        stage().has_predicate = !predicate_loops.empty();
        stage().predicate_loops = std::move(predicate_loops);
    }

    Stage &stage() { return dag.stages[update.index()]; }
    // A thread for each point.
    std::vector<int64_t> steps() const {
        return possible_steps(dag, *make_kernel(dag, update, {{}, {1, 32}}), update);
    }
    bool is_whole(bool reads_arrays = false) const {
        Band band = *find_innermost(*make_kernel(dag, update, {{}, {1, 32}}), update);
        band.reads_arrays = reads_arrays;
        return UnrolledLoops(dag, band).is_whole(0);
    }

    Dag dag;
    StageId update;
};

TEST(UnrolledLoops, AreNoSumsOfManyTermsWithAConditionEach) {
    EXPECT_TRUE(GuardedSum(32, {}).is_whole());
    EXPECT_FALSE(GuardedSum(32).is_whole());
    EXPECT_TRUE(GuardedSum(8).is_whole()) << "few loads wait";
    EXPECT_TRUE(GuardedSum(32, {false, true}).is_whole()) << "one condition for all terms";
    EXPECT_TRUE(GuardedSum(32).is_whole(true)) << "or its array would not be in registers";
}

TEST(PossibleSteps, AreThereForSumsWithAConditionForEachTerm) {
    EXPECT_EQ(GuardedSum(32).steps(), (std::vector<int64_t>{1, 2, 4, 8, 16}));
    EXPECT_EQ(GuardedSum(32, {}).steps(), std::vector<int64_t>{1}) << "all are unrolled";
    EXPECT_EQ(GuardedSum(8).steps(), std::vector<int64_t>{1}) << "all are unrolled";
}

// Such a loop can have no steps, so that nothing is gained by leaving it one.
TEST(UnrolledLoops, AreSumsWithConditionsThatReadData) {
    GuardedSum sum(32);
    sum.stage().predicate_reads = true;
    EXPECT_TRUE(sum.is_whole());
    EXPECT_EQ(sum.steps(), std::vector<int64_t>{1});
}

// The sum of a product over 512 elements.
Nest product_nest(const Dag &dag, const std::string &update) {
    return parsed(dag,
                  "kernel out blocks x=64 y=64\n"
                  "  out threads x=8 y=8\n"
                  "    out serial\n"
                  "kernel out.update(0) blocks x=32 y=32\n"
                  "  out.update(0) threads x=8 y=8\n"
                  "    out.update(0) serial x=2 y=2 k=512" +
                      update + "\n");
}

TEST(PossibleSteps, FillTheCodeOfAPass) {
    const Dag dag = example::matmul_output(512);
    const StageId update = example::find_stage(dag, "out.update(0)");
    const KernelPtr kept = product_nest(dag, "").kernels.at(1);
    const Kernel &kernel = *kept;
    EXPECT_EQ(possible_steps(dag, kernel, update), (std::vector<int64_t>{1, 2, 4, 8}));
    const Dag few = example::matmul_output(4);
    const KernelPtr whole = make_kernel(few, update, {{1, 4}, {1, 4}, {}});
    EXPECT_EQ(possible_steps(few, *whole, update), std::vector<int64_t>{1}) << "all are unrolled";
}

// Halide evaluates such a condition before the guard of a split: it would read beyond the end.
TEST(PossibleSteps, AreOneWhereAConditionReadsData) {
    Dag dag = example::matmul_output(512);
    const StageId update = example::find_stage(dag, "out.update(0)");
    const KernelPtr kernel = product_nest(dag, "").kernels.at(1);
    dag.stages[update.index()].has_predicate = dag.stages[update.index()].predicate_reads = true;
    EXPECT_EQ(possible_steps(dag, *kernel, update), std::vector<int64_t>{1});
}

TEST(PossibleSteps, AreThereBesideALoopThatIsEmpty) {
    Dag dag = example::matmul_output(512);
    const StageId update = example::find_stage(dag, "out.update(0)");
    Loop empty = dag.stages[update.index()].loops.back();
    empty.range = {0, -1};
    empty.constant = true;
    dag.stages[update.index()].loops.push_back(empty);
    const KernelPtr kernel = make_kernel(dag, update, {{1, 4}, {1, 4}, {}, {}});
    EXPECT_FALSE(possible_steps(dag, *kernel, update).empty());
}

TEST(PossibleSteps, AreOneWhereThreadsShareTheLoop) {
    const Dag dag = example::row_histograms(256, 64);
    for (size_t i = 0; i < dag.stages.size(); ++i) {
        const Stage &stage = dag.stage(StageId(i));
        if (stage.index == 0) continue;
        Tiling tiling(stage.loops.size());
        for (size_t l = 0; l < tiling.size(); ++l) {
            if (!stage.loops[l].parallel) tiling[l] = {4, 32, true};
        }
        const KernelPtr kernel = make_kernel(dag, StageId(i), tiling);
        EXPECT_EQ(possible_steps(dag, *kernel, StageId(i)), std::vector<int64_t>{1});
    }
}

TEST(StepStage, TakesTheGreatestPossible) {
    const Dag dag = example::matmul_output(512);
    const StageId update = example::find_stage(dag, "out.update(0)");
    const KernelPtr kernel = product_nest(dag, "").kernels.at(1);
    const KernelPtr four = step_stage(dag, kernel, update, 7);
    EXPECT_EQ(find_innermost(*four, update)->steps, 4);
    EXPECT_NE(four->hash, kernel->hash);
    EXPECT_EQ(step_stage(dag, four, update, 1)->hash, kernel->hash);
    EXPECT_EQ(step_stage(dag, kernel, update, 1000)->hash,
              step_stage(dag, kernel, update, 8)->hash);
    EXPECT_EQ(unroll_stage(dag, four, update, Unroll::all)->hash, kernel->hash);
}

TEST(NestText, HasSteps) {
    const Dag dag = example::matmul_output(512);
    const Nest nest = product_nest(dag, " steps 4");
    EXPECT_EQ(find_innermost(*nest.kernels.at(1), example::find_stage(dag, "out.update(0)"))->steps,
              4);
    EXPECT_EQ(to_text(dag, parsed(dag, to_text(dag, nest))), to_text(dag, nest));
    EXPECT_NE(to_text(dag, nest).find("k=512 steps 4\n"), std::string::npos) << to_text(dag, nest);
}

TEST(DifferingUnrolls, AreTheGreatestOfThoseThatUnrollTheSame) {
    const Dag dag = example::reduced_stencil(128, 128);
    const StageId update = example::find_stage(dag, "total.update(0)");
    const auto differing = [&](std::vector<int64_t> trips) {
        return differing_unrolls(dag, Band{Level::serial, update, std::move(trips), {}, {}});
    };
    using Unrolls = std::vector<Unroll>;
    EXPECT_EQ(differing({3, 2, 4}), (Unrolls{Unroll::none, Unroll::tile, Unroll::all}));
    EXPECT_EQ(differing({3, 1, 1}), (Unrolls{Unroll::tile, Unroll::all}));
    EXPECT_EQ(differing({1, 2, 4}), (Unrolls{Unroll::none, Unroll::all}));
    EXPECT_EQ(differing({3, kUnrollLimit, 1}), (Unrolls{Unroll::none, Unroll::all}));
    EXPECT_EQ(differing({1, 1, 1}), (Unrolls{Unroll::all}));
}

TEST(Unroll, IsReadBackByItsName) {
    for (const Unroll unroll : {Unroll::none, Unroll::tile, Unroll::all}) {
        EXPECT_EQ(parse_unroll(to_string(unroll)), unroll);
    }
    EXPECT_EQ(parse_unroll("half"), std::nullopt);
}

TEST(UnrolledLoops, AreNeverReductionsOfUnknownLength) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 63}});
    const StageId update =
        b.update(out, {b.reduction("r", 0, 2, false, false), b.over(0, "x")}, {example::at(1)});
    b.reads(update, in, {example::sum(1, 0)});
    const Dag dag = b.build();
    EXPECT_EQ(unrolled_loops(dag, Band{Level::serial, update, {3, 4}, {}, {}}),
              (std::vector<bool>{false, true}));
}

TEST(IsGuarded, HoldsForUpdatesAndForSinglePointsAlone) {
    const Dag dag = example::two_stencils(128, 128);
    const StageId f1 = example::find_stage(dag, "f1");
    EXPECT_TRUE(is_guarded(dag, *make_kernel(dag, f1, {{1, 32}, {1, 8}})));
    EXPECT_FALSE(is_guarded(dag, *make_kernel(dag, f1, {{1, 32}, {2, 8}})));
    EXPECT_FALSE(is_guarded(dag, *parsed(dag, kStaged).kernels[0]));
    const Dag product = example::matmul_output(64);
    const StageId update = example::find_stage(product, "out.update(0)");
    EXPECT_TRUE(is_guarded(product, *make_kernel(product, update, {{4, 16}, {1, 8}, {1, 1}})));
}

// With updates the pure definition may cover less than a tile of the Func's region.
TEST(IsGuarded, HoldsForThePureDefinitionOfAFuncWithUpdates) {
    const Dag dag = example::matmul_output(64);
    const StageId pure = example::find_stage(dag, "out");
    EXPECT_TRUE(is_guarded(dag, *make_kernel(dag, pure, {{4, 16}, {1, 8}})));
}

// The output may come smaller than it was estimated, and nothing is as large as a shifted tile
// then.
TEST(IsGuarded, WhereATileCoversMostOfAnOutputWhoseSizeIsNotFixed) {
    Dag dag = example::copy(192, 4096);
    const StageId out = example::find_stage(dag, "out");
    const auto guarded = [&](const Tiling &tiling) {
        return is_guarded(dag, *make_kernel(dag, out, tiling));
    };
    EXPECT_FALSE(guarded({{2, 48}, {1, 4}}));  // half of the columns
    EXPECT_TRUE(guarded({{2, 64}, {1, 4}}));
    EXPECT_TRUE(guarded({{2, 96}, {1, 4}}));
    dag.funcs[example::find_func(dag, "out").index()].dims[0].fixed = true;
    EXPECT_FALSE(guarded({{2, 96}, {1, 4}}));
    const Dag narrow = example::copy(48, 4096);  // such as channels
    EXPECT_FALSE(is_guarded(
        narrow, *make_kernel(narrow, example::find_stage(narrow, "out"), {{2, 24}, {1, 4}})));
}

TEST(KernelHash, DependsOnContentAlone) {
    const Dag dag = example::two_stencils(128, 128);
    const StageId f1 = example::find_stage(dag, "f1");
    const Tiling tiling = {{1, 32}, {2, 8}};
    const KernelPtr kernel = make_kernel(dag, f1, tiling);
    EXPECT_EQ(kernel->hash, make_kernel(dag, f1, tiling)->hash);
}

TEST(KernelHash, SeesEveryDecision) {
    const Dag dag = example::two_stencils(128, 128);
    const StageId f0 = example::find_stage(dag, "f0"), f1 = example::find_stage(dag, "f1");
    const FuncId func = example::find_func(dag, "f0");
    const KernelPtr kernel = make_kernel(dag, f1, {{1, 32}, {1, 8}});
    const std::vector<KernelPtr> different = {
        kernel,
        make_kernel(dag, f1, {{1, 32}, {2, 8}}),
        make_kernel(dag, f1, {{2, 32}, {1, 8}}),
        make_kernel(dag, f1, {{1, 32}, {8, 1}}),
        make_kernel(dag, f1, {{1, 32}, {1, 1}}),
        make_kernel(dag, f1, {{8, 4}, {1, 8}}),
        make_kernel(dag, f0, {{1, 32}, {1, 8}}),
        make_host_kernel(dag, f1),
        make_host_kernel(dag, f0),
        inline_func(kernel, func),
        compute_in_block(dag, kernel, func, {34, 10}, {1, 1}),
        compute_in_block(dag, kernel, func, {34, 10}, {2, 1}),
        compute_in_block(dag, kernel, func, {34, 12}, {1, 1}),
        compute_in_thread(dag, kernel, f1, func, {3, 3}),
    };
    for (size_t i = 0; i < different.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
            EXPECT_NE(different[i]->hash, different[j]->hash) << i << " and " << j;
        }
    }
}

TEST(NestHash, SeesKernelsAndPlacements) {
    const Dag dag = example::two_stencils(128, 128);
    const Nest staged = parsed(dag, kStaged);
    const Nest inlined =
        parsed(dag, "inline: f0\nkernel f1\n  f1 threads x=32 y=8\n    f1 serial\n");
    EXPECT_NE(staged.hash(), inlined.hash());
    EXPECT_NE(staged.hash(), empty_nest(dag).hash());
    EXPECT_EQ(staged.hash(), parsed(dag, kStaged).hash());
    Nest undecided = staged;
    undecided.places[1] = Place::undecided;
    EXPECT_NE(staged.hash(), undecided.hash());
}

}  // namespace
}  // namespace autoschedule_gpu
