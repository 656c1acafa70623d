// Moves that run a reduction outside the threads of a block, and compute Funcs in its loop.
#include <gtest/gtest.h>

#include <algorithm>

#include "scheduler/nest/check.h"
#include "scheduler/nest/text.h"
#include "scheduler/space/space.h"
#include "unit/example_dags.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

Wanted in_block_with(BlockLoop loop) {
    return [loop](const Decision &decision) {
        return is_in_block(decision.place) && decision.loop == loop;
    };
}

using AllLoops = std::vector<BlockLoop>;

// Loops of the moves that compute a Func in a block, in the order of the moves.
AllLoops loops_among(const std::vector<Decision> &moves) {
    AllLoops loops;
    for (const Decision &decision : moves) {
        if (!is_in_block(decision.place)) continue;
        if (std::ranges::find(loops, decision.loop) == loops.end()) loops.push_back(decision.loop);
    }
    return loops;
}

// Steps: out, its tiling, total, its two tilings, patch, its tiling, diff, its tiling.
class Loops : public testing::Test {
protected:
    const Dag dag_ = shifted_patches(1536, 1024);
    const SearchSpace space_{dag_, kGpu, RuleBook(), Freedom::full};
    const StageId loop_ = find_stage(dag_, "total.update(0)");
    const Wanted tile_ = tiled({{1, 32}, {1, 8}}), looped_ = in_block_with(loop_),
                 not_looped_ = in_block_with(StageId());
    using Loop = AllLoops;
};

TEST_F(Loops, AreOfferedToAReductionThatMayHoldWhatItReads) {
    const State state = walk(space_, {kRoot, tile_});
    EXPECT_EQ(loops_among(moves_of(space_, state, 2)), (Loop{StageId(), loop_}));
    const Dag product = matmul(512);  // of inputs
    const SearchSpace space(product, kGpu, RuleBook(), Freedom::full);
    EXPECT_EQ(loops_among(moves_of(space, walk(space, {kRoot, kAny}), 2)), Loop{StageId()});
}

// total(x) += f(x + s, t, t) over s and t: the iterations over s have points in common.
TEST(LoopsOf, StencilsAreOfferedWithoutWhatIsReadSeveralTimes) {
    for (const bool stencil : {true, false}) {
        DagBuilder b;
        const FuncId in = b.input("in", {"x", "i"}), f = b.func("f", {"x", "i", "j"});
        const FuncId total = b.func("total", {"x"}), out = b.output("out", {{"x", 0, 65535}});
        b.reads(f, in, {at(0, 0, 1), at(1)}, 2).ops(f, OpKind::mul, 20);
        const StageId add = b.update(
            total, {DagBuilder::over(0, "x"), b.reduction("s", 0, 4), b.reduction("t", 0, 4)},
            {at(0)});
        b.reads(add, total, {at(0)});
        if (stencil) {
            b.reads(add, f, {sum(0, 1), at(2), at(2)});
        } else {
            b.reads(add, f, {at(0), at(1), at(2)});
        }
        b.reads(out, total, {at(0)});
        const Dag dag = b.build();
        const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
        const auto loops = loops_among(moves_of(space, walk(space, {kRoot, kAny}), 2));
        EXPECT_EQ(loops.size(), stencil ? 2u : 3u);
    }
}

// Of two loops the outermost alone, if the other makes a difference to what may be computed in it.
TEST(LoopsOf, SeveralLoopsAreOfferedWithTheOutermostOutside) {
    const Dag dag = patches_of_all_shifts(1536, 1024);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const StageId update = find_stage(dag, "total.update(0)");
    const BlockLoop outermost{update, Outside::outermost};
    const Wanted tile = tiled({{1, 32}, {1, 8}}), looped = in_block_with(outermost);
    EXPECT_EQ(loops_among(moves_of(space, walk(space, {kRoot, tile}), 2)),
              (AllLoops{StageId(), update, outermost}));
    const State state = walk(space, {kRoot, tile, looped, kAny, kAny});
    EXPECT_EQ(found(moves_of(space, state, 5), looped)->extents,
              (std::vector<int64_t>{32, 8, 5, 1}));
    const Wanted split = [&](const Decision &decision) {
        return looped(decision) && decision.serial == std::vector<int64_t>{1, 1, 5, 1};
    };
    const State all = walk(space, {kRoot, tile, looped, kAny, kAny, kThread, kAny, split});
    EXPECT_EQ(to_text(dag, all.nest),
              "kernel out blocks x=48 y=128\n"
              "  total threads x=32 y=8\n    total serial\n"
              "  diff threads x=34 y=8 in total.update(0)\n    diff serial i=5\n"
              "  total.update(0) threads x=32 y=8 in outer_loop\n"
              "    patch serial i=5\n    total.update(0) serial s=5\n"
              "  out threads x=32 y=8\n    out serial\n");
}

// total(x) += f(x, t) over s and t.
TEST(LoopsOf, LoopsThatMakeNoDifferenceStayOutside) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "i"}), f = b.func("f", {"x", "i"});
    const FuncId total = b.func("total", {"x"}), out = b.output("out", {{"x", 0, 65535}});
    b.reads(f, in, {at(0, 0, 1), at(1)}, 2).ops(f, OpKind::mul, 20);
    const StageId add = b.update(
        total, {DagBuilder::over(0, "x"), b.reduction("s", 0, 4), b.reduction("t", 0, 4)}, {at(0)});
    b.reads(add, total, {at(0)}).reads(add, f, {at(0), at(2)}).reads(out, total, {at(0)});
    const Dag dag = b.build();
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    EXPECT_EQ(loops_among(moves_of(space, walk(space, {kRoot, kAny}), 2)), AllLoops{StageId()});
}

TEST_F(Loops, HoldWhatIsReadInThemOnly) {
    const State looped = walk(space_, {kRoot, tile_, looped_, kAny, kAny});
    const std::vector<Decision> moves = moves_of(space_, looped, 5);
    EXPECT_EQ(loops_among(moves), (Loop{StageId(), loop_}));
    EXPECT_EQ(found(moves, looped_)->extents, (std::vector<int64_t>{32, 8, 1}));
    EXPECT_EQ(found(moves, not_looped_)->extents, (std::vector<int64_t>{32, 8, 5}));
    EXPECT_EQ(found(moves, kThread)->extents, (std::vector<int64_t>{1, 1, 1}));
    // What is read outside of the loop is computed there.
    const State before =
        walk(space_, {kRoot, tiled({{1, 32}, {1, 4}}), looped_, kAny, kAny, not_looped_, kAny});
    EXPECT_EQ(loops_among(moves_of(space_, before, 7)), Loop{StageId()});
    const State plain = walk(space_, {kRoot, tile_, not_looped_, kAny, kAny});
    EXPECT_EQ(loops_among(moves_of(space_, plain, 5)), Loop{StageId()});
}

TEST_F(Loops, AreMadeAsTheTextSays) {
    const State all = walk(space_, {kRoot, tile_, looped_, kAny, kAny, looped_, kAny, looped_});
    EXPECT_EQ(to_text(dag_, all.nest),
              "kernel out blocks x=48 y=128\n"
              "  total threads x=32 y=8\n    total serial\n"
              "  diff threads x=34 y=8 in total.update(0)\n    diff serial\n"
              "  patch threads x=32 y=8 in total.update(0)\n    patch serial\n"
              "  total.update(0) threads x=32 y=8 in loop\n    total.update(0) serial\n"
              "  out threads x=32 y=8\n    out serial\n");
}

TEST_F(Loops, AreKeptWhenTheirKernelIsTiledAnew) {
    const State state = walk(space_, {kRoot, tile_, looped_, kAny, kAny, looped_, kAny});
    RuleCounts counts{};
    size_t in_loop = 0, before_loop = 0;
    for (const Decision &decision :
         space_.decisions(state, space_.steps()[7], Retile::yes, counts)) {
        const std::optional<State> next = taken(space_, state, decision);
        if (!decision.tiling || !next || !is_in_block(decision.place)) continue;
        EXPECT_EQ(check(dag_, next->nest, Completeness::complete), std::vector<std::string>{});
        const Kernel &kernel = *next->nest.kernels[0];
        const FuncId diff = find_func(dag_, "diff");
        EXPECT_EQ(kernel.tiling, *decision.tiling);
        EXPECT_EQ(loop_around(dag_, kernel, diff), decision.loop);
        EXPECT_EQ(loop_around(dag_, kernel, find_func(dag_, "patch")), loop_);
        EXPECT_EQ(loops_of(kernel), AllLoops{loop_});
        ++(decision.loop.valid() ? in_loop : before_loop);
    }
    EXPECT_GT(in_loop, 10u);
    EXPECT_GT(before_loop, 10u);
}

// total(x) += patch(x, s) for 21 s, patch(x, s) reads base(x - 1 ... x + 1), the same for all s.
TEST(LoopsOf, ManyIterationsRejectWhatIsTheSameInAll) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), base = b.func("base", {"x"});
    const FuncId patch = b.func("patch", {"x", "i"}), total = b.func("total", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 65535}});
    b.reads(base, in, {at(0)}).ops(base, OpKind::mul, 20);
    b.reads(patch, base, {at(0, -1, 1)}, 3).ops(patch, OpKind::mul, 20);
    const StageId add =
        b.update(total, {DagBuilder::over(0, "x"), b.reduction("s", 0, 20)}, {at(0)});
    b.reads(add, total, {at(0)}).reads(add, patch, {at(0), at(1)});
    b.reads(out, total, {at(0)});
    const Dag dag = b.build();
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const StageId loop = find_stage(dag, "total.update(0)");
    const Wanted looped = in_block_with(loop);
    const State state = walk(space, {kRoot, kAny, looped, kAny, kAny, looped, kAny});
    const std::vector<Decision> moves = moves_of(space, state, 7);
    EXPECT_EQ(rejection(space, state, *found(moves, looped)), "excess_recompute");
    EXPECT_EQ(rejection(space, state, *found(moves, in_block_with(StageId()))), std::nullopt);
    // In a thread of the loop, three points each.
    EXPECT_EQ(rejection(space, state, *found(moves, kThread)), "excess_recompute");
}

// The block and the root stage's own threads remain.
TEST_F(Loops, AreRejectedWithTheThreadsOfMembersWhereARuleSaysSo) {
    RuleBook rules;
    rules.switch_on(id_of("nested_fusion"));
    const SearchSpace flat(dag_, kGpu, rules, Freedom::full);
    const State tiled_out = walk(flat, {kRoot, tile_});
    const std::vector<Decision> of_total = moves_of(flat, tiled_out, 2);
    EXPECT_EQ(rejection(flat, tiled_out, *found(of_total, looped_)), "nested_fusion");
    EXPECT_EQ(rejection(flat, tiled_out, *found(of_total, not_looped_)), std::nullopt);
    EXPECT_EQ(rejection(flat, tiled_out, *found(of_total, kThread)), std::nullopt);
    const std::vector<Wanted> total_in_block{kRoot, tile_, not_looped_, kAny, kAny};
    const State in_block = walk(flat, total_in_block);
    const std::vector<Decision> of_patch = moves_of(flat, in_block, 5);
    EXPECT_EQ(rejection(flat, in_block, *found(of_patch, kThread)), "nested_fusion");
    // As many threads as it has points, which is too many.
    EXPECT_EQ(rejection(flat, in_block, *found(of_patch, not_looped_)), "hardware_threads");
    EXPECT_EQ(rejection(space_, walk(space_, total_in_block), *found(of_patch, kThread)),
              std::nullopt);
}

}  // namespace
}  // namespace autoschedule_gpu
