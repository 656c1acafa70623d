#include "scheduler/nest/edit.h"

#include <gtest/gtest.h>

#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

class Edits : public testing::Test {
protected:
    const Dag dag_ = example::stencil_chain(3, 128, 128);
    const FuncId f0_ = example::find_func(dag_, "f0"), f1_ = example::find_func(dag_, "f1");
    const StageId s0_ = example::find_stage(dag_, "f0"), s1_ = example::find_stage(dag_, "f1"),
                  s2_ = example::find_stage(dag_, "f2");
    const KernelPtr kernel_ = make_kernel(dag_, s2_, {{1, 32}, {2, 8}});
};

TEST_F(Edits, MakeAKernelSplitIntoBlocksThreadsAndSerialLoops) {
    EXPECT_EQ(to_text(dag_, *kernel_),
              "kernel f2 blocks x=4 y=8\n"
              "  f2 threads x=32 y=8\n"
              "    f2 serial y=2\n");
    EXPECT_FALSE(kernel_->on_host);
}

TEST_F(Edits, RoundTheBlocksUp) {
    const KernelPtr kernel = make_kernel(dag_, s2_, {{3, 32}, {1, 7}});  // 128 / 96, 128 / 7
    EXPECT_EQ(kernel->blocks->trips, (std::vector<int64_t>{2, 19}));
}

TEST_F(Edits, KeepLoopsThatRaceSerialInTheThread) {
    const Dag dag = example::matmul_output(64);
    const KernelPtr kernel =
        make_kernel(dag, example::find_stage(dag, "out.update(0)"), {{1, 16}, {4, 4}, {1, 1}});
    EXPECT_EQ(to_text(dag, *kernel),
              "kernel out.update(0) blocks x=4 y=4\n"
              "  out.update(0) threads x=16 y=4\n"
              "    out.update(0) serial y=4 k=64\n");
}

// What reduces over a Func in its threads is marked; nothing else is.
TEST_F(Edits, MarkReductionsThatReadArraysOfTheirThread) {
    const Dag dag = example::shifted_patches(512, 256);
    const StageId update = example::find_stage(dag, "total.update(0)");
    const Nest nest = parsed(dag,
                             "kernel out blocks x=16 y=256\n"
                             "  out threads x=32\n"
                             "    diff serial x=3 i=5\n"
                             "    patch serial i=5\n"
                             "    total serial\n"
                             "    total.update(0) serial s=5\n"
                             "    out serial\n");
    for (const Band *inner : innermost_bands(*root_threads(*nest.kernels[0]))) {
        EXPECT_EQ(inner->reads_arrays, inner->stage == update) << stage_name(dag, inner->stage);
    }
}

TEST_F(Edits, ShareEveryUntouchedBand) {
    const KernelPtr block = compute_in_block(dag_, kernel_, f1_, {34, 18}, {1, 1});
    EXPECT_EQ(block->blocks->body[1], kernel_->blocks->body[0]);
    const KernelPtr both = compute_in_block(dag_, block, f0_, {36, 20}, {1, 1});
    EXPECT_EQ(both->blocks->body[1], block->blocks->body[0]);
    EXPECT_EQ(both->blocks->body[2], kernel_->blocks->body[0]);

    const KernelPtr thread = compute_in_thread(dag_, block, s1_, f0_, {3, 3});
    EXPECT_EQ(thread->blocks->body[1], block->blocks->body[1]);
    EXPECT_EQ(thread->blocks->body[0]->body[1], block->blocks->body[0]->body[0]);

    EXPECT_EQ(inline_func(block, f0_)->blocks, block->blocks);
}

TEST_F(Edits, LeaveTheirArgumentAsItIs) {
    const std::string before = to_text(dag_, *kernel_);
    const uint64_t hash = kernel_->hash;
    compute_in_block(dag_, kernel_, f1_, {34, 18}, {2, 1});
    compute_in_thread(dag_, kernel_, s2_, f1_, {3, 4});
    inline_func(kernel_, f1_);
    EXPECT_EQ(to_text(dag_, *kernel_), before);
    EXPECT_EQ(kernel_->hash, hash);
    EXPECT_TRUE(kernel_->inlined.empty());
}

TEST_F(Edits, PutProducersInFrontOfTheirConsumers) {
    const KernelPtr block = compute_in_block(dag_, kernel_, f1_, {34, 18}, {1, 2});
    const KernelPtr both = compute_in_thread(dag_, block, s1_, f0_, {3, 4});
    EXPECT_EQ(to_text(dag_, *both),
              "kernel f2 blocks x=4 y=8\n"
              "  f1 threads x=34 y=9\n"
              "    f0 serial x=3 y=4\n"
              "    f1 serial y=2\n"
              "  f2 threads x=32 y=8\n"
              "    f2 serial y=2\n");
}

TEST_F(Edits, RoundTheThreadsOfAStagedFuncUp) {
    const KernelPtr block = compute_in_block(dag_, kernel_, f1_, {34, 18}, {8, 4});
    EXPECT_EQ(block->blocks->body[0]->trips, (std::vector<int64_t>{5, 5}));
    EXPECT_EQ(block->blocks->body[0]->body[0]->trips, (std::vector<int64_t>{8, 4}));
    // No more per thread than there is.
    const KernelPtr small = compute_in_block(dag_, kernel_, f1_, {3, 18}, {8, 1});
    EXPECT_EQ(small->blocks->body[0]->trips, (std::vector<int64_t>{1, 18}));
    EXPECT_EQ(small->blocks->body[0]->body[0]->trips, (std::vector<int64_t>{3, 1}));
}

TEST_F(Edits, StageAllDefinitionsOfAFuncInOrder) {
    const Dag dag = example::reduced_stencil(128, 128);
    const FuncId total = example::find_func(dag, "total");
    const KernelPtr kernel = make_kernel(dag, example::find_stage(dag, "out"), {{1, 32}, {1, 8}});
    EXPECT_EQ(to_text(dag, *compute_in_block(dag, kernel, total, {34, 8}, {1, 1})),
              "kernel out blocks x=4 y=16\n"
              "  total threads x=34 y=8\n"
              "    total serial\n"
              "  total.update(0) threads x=34 y=8\n"
              "    total.update(0) serial r=3\n"
              "  out threads x=32 y=8\n"
              "    out serial\n");
    EXPECT_EQ(to_text(dag, *compute_in_thread(dag, kernel, kernel->stage, total, {3, 1})),
              "kernel out blocks x=4 y=16\n"
              "  out threads x=32 y=8\n"
              "    total serial x=3\n"
              "    total.update(0) serial r=3 x=3\n"
              "    out serial\n");
}

TEST_F(Edits, RunAReductionOutsideTheThreadsOfAnUpdate) {
    const Dag dag = example::shifted_patches(128, 128);
    const FuncId total = example::find_func(dag, "total"), diff = example::find_func(dag, "diff");
    const FuncId patch = example::find_func(dag, "patch");
    const StageId loop = example::find_stage(dag, "total.update(0)");
    const KernelPtr kernel = make_kernel(dag, example::find_stage(dag, "out"), {{1, 32}, {1, 8}});
    const KernelPtr looped = compute_in_block(dag, kernel, total, {32, 8}, {1, 2}, loop);
    EXPECT_NE(looped->hash, compute_in_block(dag, kernel, total, {32, 8}, {1, 2})->hash);
    const KernelPtr inside = compute_in_block(dag, looped, patch, {32, 8, 1}, {1, 1, 1}, loop);
    const KernelPtr before = compute_in_block(dag, inside, diff, {34, 8, 5}, {1, 4, 1});
    EXPECT_EQ(to_text(dag, *before),
              "kernel out blocks x=4 y=16\n"
              "  diff threads x=34 y=2 i=5\n"
              "    diff serial y=4\n"
              "  total threads x=32 y=4\n"
              "    total serial y=2\n"
              "  patch threads x=32 y=8 in total.update(0)\n"
              "    patch serial\n"
              "  total.update(0) threads x=32 y=4 in loop\n"
              "    total.update(0) serial y=2\n"
              "  out threads x=32 y=8\n"
              "    out serial\n");
    EXPECT_EQ(loop_around(dag, *before, patch), loop);
    EXPECT_FALSE(loop_around(dag, *before, total).valid());
    EXPECT_FALSE(loop_around(dag, *before, diff).valid());
    EXPECT_EQ(loops_of(*before), std::vector<BlockLoop>{loop});
    EXPECT_EQ(loop_iterations(dag, loop), 5);
}

TEST_F(Edits, RunTheOutermostLoopOfAReductionOutsideTheThreads) {
    const Dag dag = example::patches_of_all_shifts(128, 128);
    const FuncId total = example::find_func(dag, "total"), diff = example::find_func(dag, "diff");
    const StageId update = example::find_stage(dag, "total.update(0)");
    const BlockLoop loop{update, Outside::outermost};
    const KernelPtr kernel = make_kernel(dag, example::find_stage(dag, "out"), {{1, 32}, {1, 8}});
    const KernelPtr looped = compute_in_block(dag, kernel, total, {32, 8}, {1, 2}, loop);
    EXPECT_NE(looped->hash, compute_in_block(dag, kernel, total, {32, 8}, {1, 2}, update)->hash);
    const KernelPtr inside = compute_in_block(dag, looped, diff, {34, 8, 5, 1}, {1, 1, 5, 1}, loop);
    const KernelPtr split = resplit_in_block(dag, inside, update, {32, 8, 1, 1}, {1, 1, 5, 1});
    EXPECT_EQ(to_text(dag, *split),
              "kernel out blocks x=4 y=16\n"
              "  total threads x=32 y=4\n"
              "    total serial y=2\n"
              "  diff threads x=34 y=8 in total.update(0)\n"
              "    diff serial i=5\n"
              "  total.update(0) threads x=32 y=8 in outer_loop\n"
              "    total.update(0) serial s=5\n"
              "  out threads x=32 y=8\n"
              "    out serial\n");
    EXPECT_EQ(loops_of(*split), std::vector<BlockLoop>{loop});
    EXPECT_EQ(looped->members[0].place, Place::block_outer_loop);
    EXPECT_EQ(loop_iterations(dag, loop), 3);
    EXPECT_EQ(loop_iterations(dag, update), 15);
}

TEST_F(Edits, UnrollTheLoopsOfOneStage) {
    const KernelPtr block = compute_in_block(dag_, kernel_, f1_, {34, 18}, {1, 2});
    const KernelPtr changed = unroll_stage(dag_, block, s1_, Unroll::none);
    EXPECT_EQ(to_text(dag_, *changed),
              "kernel f2 blocks x=4 y=8\n"
              "  f1 threads x=34 y=9\n"
              "    f1 serial y=2 unroll none\n"
              "  f2 threads x=32 y=8\n"
              "    f2 serial y=2\n");
    EXPECT_NE(changed->hash, block->hash);
    EXPECT_EQ(changed->blocks->body[1], block->blocks->body[1]);
    EXPECT_EQ(unroll_stage(dag_, changed, s1_, Unroll::all)->hash, block->hash);
    // Of the same code.
    EXPECT_EQ(unroll_stage(dag_, block, s1_, Unroll::tile)->hash, block->hash);
}

TEST_F(Edits, AllowALoopForTheOnlyReductionOfAFunc) {
    const Dag sum = example::reduced_stencil(128, 128);
    EXPECT_TRUE(may_have_loop(sum, example::find_stage(sum, "total.update(0)")));
    EXPECT_FALSE(may_have_loop(sum, example::find_stage(sum, "total")));
    const StageId only = example::find_stage(sum, "total.update(0)");
    EXPECT_FALSE(may_have_loop(sum, {only, Outside::outermost}));
    using example::at;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 63}});
    for (const char *name : {"r", "s"}) {
        const StageId update = b.update(f, {b.over(0, "x"), b.reduction(name, 0, 4)}, {at(0)});
        b.reads(update, f, {at(0)}).reads(update, in, {example::sum(0, 1)});
    }
    b.reads(out, f, {at(0, -1, 1)}, 3);
    const Dag twice = b.build();
    EXPECT_FALSE(may_have_loop(twice, example::find_stage(twice, "f.update(0)")));
}

// The split of an update ends in a guard, behind which extents are not constant.
TEST_F(Edits, SplitAStagedUpdateOnlyWhereItDivides) {
    const Dag dag = example::reduced_stencil(128, 128);
    const FuncId total = example::find_func(dag, "total");
    const KernelPtr kernel = make_kernel(dag, example::find_stage(dag, "out"), {{1, 32}, {1, 8}});
    const KernelPtr block = compute_in_block(dag, kernel, total, {34, 8}, {4, 4});
    EXPECT_EQ(block->blocks->body[0]->trips, (std::vector<int64_t>{9, 2}));      // x, y
    EXPECT_EQ(block->blocks->body[1]->trips, (std::vector<int64_t>{1, 34, 2}));  // r, x, y
    EXPECT_EQ(block->blocks->body[1]->body[0]->trips, (std::vector<int64_t>{3, 1, 4}));
}

TEST_F(Edits, LeaveTheFourthParallelLoopInTheThread) {
    example::DagBuilder b;
    using example::at;
    const FuncId in = b.input("in", {"x", "y", "z", "w"});
    const FuncId f = b.func("f", {"x", "y", "z", "w"});
    const FuncId out = b.output("out", {{"x", 0, 63}, {"y", 0, 7}, {"z", 0, 7}, {"w", 0, 7}});
    b.reads(f, in, {at(0), at(1), at(2), at(3)});
    b.reads(out, f, {at(0, 0, 1), at(1), at(2), at(3)}, 2);
    const Dag dag = b.build();
    const KernelPtr kernel = make_kernel(dag, StageId(1), {{1, 16}, {1, 2}, {1, 2}, {2, 1}});
    const KernelPtr block = compute_in_block(dag, kernel, f, {17, 2, 2, 2}, {1, 1, 1, 1});
    EXPECT_EQ(block->blocks->body[0]->trips, (std::vector<int64_t>{17, 2, 2, 1}));
    EXPECT_EQ(block->blocks->body[0]->body[0]->trips, (std::vector<int64_t>{1, 1, 1, 2}));
}

TEST_F(Edits, KeepTheListOfInlinedFuncsSorted) {
    const KernelPtr kernel = inline_func(inline_func(kernel_, f1_), f0_);
    EXPECT_EQ(kernel->inlined, (std::vector<FuncId>{f0_, f1_}));
    EXPECT_TRUE(is_inlined(*kernel, f1_));
    EXPECT_FALSE(is_inlined(*kernel_, f1_));
    EXPECT_EQ(kernel->hash, inline_func(inline_func(kernel_, f0_), f1_)->hash);
}

}  // namespace
}  // namespace autoschedule_gpu
