// What is decided after the search: reads that are staged in the kernel that reads them.
#include <gtest/gtest.h>

#include <map>

#include "scheduler/nest/check.h"
#include "scheduler/nest/edit.h"
#include "scheduler/space/wrappers.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;
using Names = std::vector<std::string>;

// A nest of a pipeline, adopted by the space over the pipeline with wrapped reads.
struct Adopted {
    Adopted(const Dag &before, const std::string &text)
        : wrapped(with_wrapped_reads(before, sound(before, text))),
          space(wrapped.dag, kGpu, RuleBook(), Freedom::full),
          state(space.adopt(wrapped.nest)) {
        state.kernel_costs.resize(state.nest.kernels.size());
    }
    FuncId func(const std::string &name) const { return find_func(wrapped.dag, name); }
    std::vector<Decision> moves(const std::string &copy, RuleCounts &rejected) const {
        return space.staging_decisions(state, func(copy), rejected);
    }
    std::vector<Decision> moves(const std::string &copy) const {
        RuleCounts ignored{};
        return moves(copy, ignored);
    }

    WrappedReads wrapped;
    SearchSpace space;
    State state;
};

const char kApart[] =
    "kernel f1 blocks x=48 y=128\n  f1 threads x=32 y=8\n    f1 serial\n"
    "kernel f0 blocks x=49 y=129\n  f0 threads x=32 y=8\n    f0 serial\n";

TEST(Adopt, ListsTheWrappersInTheKernelsThatReadThem) {
    const Adopted a(two_stencils(1536, 1024), kApart);
    EXPECT_EQ(check(a.wrapped.dag, a.state.nest, Completeness::complete), Names{});
    EXPECT_EQ(to_text(a.wrapped.dag, a.state.nest), "inline: f0_in_f1\n" + std::string(kApart));
    EXPECT_EQ(a.state.nest.kernels[0]->inlined, std::vector<FuncId>{a.func("f0_in_f1")});
    EXPECT_TRUE(a.state.nest.kernels[1]->inlined.empty());
    EXPECT_EQ(consumer_kernels(a.wrapped.dag, a.state, a.func("f0_in_f1")), std::vector<size_t>{0});
    EXPECT_EQ(consumer_kernels(a.wrapped.dag, a.state, a.func("f0")), std::vector<size_t>{0});
    EXPECT_EQ(a.state.id, a.state.nest.hash());
}

TEST(Adopt, TakesHostKernelsAsTheyAre) {
    const Adopted a(host_in_the_middle(512, 256),
                    "kernel out\n  out threads x=32 y=8\nkernel mid host\n"
                    "kernel before\n  before threads x=32 y=8\n");
    EXPECT_EQ(check(a.wrapped.dag, a.state.nest, Completeness::complete), Names{});
    EXPECT_EQ(consumer_kernels(a.wrapped.dag, a.state, a.func("before")), std::vector<size_t>{1});
}

TEST(Steps, AreNoneForWrappersOfOneReader) {
    const Adopted a(two_stencils(1536, 1024), kApart);
    for (const Step &step : a.space.steps()) EXPECT_NE(step.func, a.func("f0_in_f1"));
    EXPECT_TRUE(std::any_of(a.space.steps().begin(), a.space.steps().end(),
                            [&](const Step &step) { return step.func == a.func("f0"); }));
}

// After its reader's and before that of the Func that it wraps.
TEST(Steps, OfAWrapperThatWasGivenOneComputeItInlineOrInItsReadersKernel) {
    const Adopted a(two_stencils(1536, 1024), kApart);
    const FuncId wrapper = a.func("f0_in_f1");
    const SearchSpace with = a.space.with_steps_of(std::vector{wrapper});
    ASSERT_EQ(with.steps().size(), a.space.steps().size() + 1);
    EXPECT_EQ(a.space.with_steps_of({}).steps().size(), a.space.steps().size());
    State state = with.initial();
    EXPECT_EQ(state.nest.place(wrapper), Place::undecided);
    std::vector<FuncId> order;
    for (const Step &step : with.steps()) {
        if (step.kind == Step::Kind::place) order.push_back(step.func);
        if (step.func == wrapper) break;
        RuleCounts ignored{};
        const std::vector<Decision> moves = with.decisions(state, step, Retile::no, ignored);
        state = *taken(with, state, moves.back());
    }
    EXPECT_EQ(order, (std::vector{a.func("f1"), wrapper}));
    std::map<Place, int> kinds;
    RuleCounts ignored{};
    for (const Decision &decision :
         with.decisions(state, {Step::Kind::place, wrapper, StageId()}, Retile::yes, ignored)) {
        ++kinds[decision.place];
        const std::optional<State> next = taken(with, state, decision);
        if (!next) continue;
        EXPECT_EQ(check(a.wrapped.dag, next->nest, Completeness::partial), Names{});
    }
    EXPECT_EQ(kinds[Place::inlined], 1);
    EXPECT_GT(kinds[Place::block], 0);
    EXPECT_GT(kinds[Place::threads], 0);
    EXPECT_EQ(kinds[Place::root], 0);
}

TEST(Steps, DecideWrappersOfReductionsUnlessAllIsAtRoot) {
    const Dag dag = with_wrapped_reductions(reduced_stencil(1024, 512));
    const FuncId wrapper = find_func(dag, "total_global_wrapper$0");
    const auto has_step = [&](Freedom freedom) {
        const SearchSpace space(dag, kGpu, RuleBook(), freedom);
        return std::any_of(space.steps().begin(), space.steps().end(),
                           [&](const Step &step) { return step.func == wrapper; });
    };
    EXPECT_TRUE(has_step(Freedom::full));
    EXPECT_TRUE(has_step(Freedom::no_fusion));
    EXPECT_FALSE(has_step(Freedom::root_only));
}

TEST(Moves, ComputeAReductionAtTheThreadsOfItsWrapper) {
    const Dag dag = with_wrapped_reductions(reduced_stencil(1024, 512));
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state =
        walk(space, {kRoot, kAny, kRoot, tiled({{1, 32}, {4, 8}}), kThread, kAny, kAny});
    EXPECT_EQ(check(dag, state.nest, Completeness::complete), Names{});
    EXPECT_EQ(to_text(dag, *state.nest.kernels[1]),
              "kernel total_global_wrapper$0 blocks x=33 y=16\n  total_global_wrapper$0 threads "
              "x=32 y=8\n"
              "    total serial y=4\n    total.update(0) serial r=3 y=4\n    "
              "total_global_wrapper$0 serial y=4\n");
}

TEST(StagingMoves, LeadToSoundNestsOfEveryForm) {
    const Adopted a(two_stencils(1536, 1024), kApart);
    std::map<std::string, int> forms;
    for (const Decision &decision : a.moves("f0_in_f1")) {
        const std::optional<State> next = taken(a.space, a.state, decision);
        if (!next) continue;
        EXPECT_EQ(check(a.wrapped.dag, next->nest, Completeness::complete), Names{});
        EXPECT_TRUE(is_in_kernel(next->nest.place(a.func("f0_in_f1"))));
        EXPECT_EQ(next->nest.kernels[1], a.state.nest.kernels[1]) << "that of f0 is untouched";
        const std::string text = to_text(a.wrapped.dag, next->nest);
        EXPECT_EQ(parsed(a.wrapped.dag, text).hash(), next->id) << text;
        ++forms[decision.place == Place::threads           ? "thread"
                : decision.tile == MemberTile::cooperative ? "dealt"
                : decision.tile == MemberTile::one_point   ? "one point"
                                                           : "given"];
    }
    for (const char *form : {"thread", "dealt", "one point", "given"}) {
        EXPECT_GT(forms[form], 0) << form;
    }
}

std::string after_dealing(const Adopted &a, const std::string &copy) {
    for (const Decision &decision : a.moves(copy)) {
        if (decision.tile != MemberTile::cooperative || decision.tiling) continue;
        const std::optional<State> next = taken(a.space, a.state, decision);
        return next ? to_text(a.wrapped.dag, *next->nest.kernels[0]) : "rejected";
    }
    return "not offered";
}

TEST(StagingMoves, DealTheBorderInRoundsToTheRootStagesThreads) {
    // 34 x 10 points to 32 x 8 threads.
    EXPECT_EQ(after_dealing(Adopted(two_stencils(1536, 1024), kApart), "f0_in_f1"),
              "kernel f1 blocks x=48 y=128\n  f0_in_f1 threads x=32 y=8\n"
              "    f0_in_f1 strided x=2 y=2\n  f1 threads x=32 y=8\n    f1 serial\n");
    // 34 x 6 points to 32 x 1 threads, of which each computes four.
    EXPECT_EQ(after_dealing(Adopted(two_stencils(1536, 1024),
                                    "kernel f1\n  f1 threads x=32\n    f1 serial y=4\n"
                                    "kernel f0\n  f0 threads x=32 y=8\n"),
                            "f0_in_f1"),
              "kernel f1 blocks x=48 y=256\n  f0_in_f1 threads x=32\n"
              "    f0_in_f1 strided x=2 y=6\n  f1 threads x=32\n    f1 serial y=4\n");
}

// out(c) = what is in a row of 16 values.
Dag rows_of_sixteen() {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), values = b.func("values", {"i", "c"});
    const FuncId out = b.output("out", {{"c", 0, 16383}});
    b.reads(values, in, {{.terms = {{0, 1}, {1, 16}}}}).ops(values, OpKind::add, 100);
    b.reads(out, values, {{.terms = {}, .lo = 0, .hi = 15}, at(0)}, 16);
    return b.build();
}

// 16 x 256 points to 256 threads in a row, of which one row of points would keep 16 busy.
TEST(StagingMoves, DealShortRowsOneAfterTheOther) {
    EXPECT_EQ(after_dealing(Adopted(rows_of_sixteen(),
                                    "kernel out\n  out threads c=256\n"
                                    "kernel values\n  values threads i=16 c=16\n"),
                            "values_in_out"),
              "kernel out blocks c=64\n  values_in_out flat i=16 c=16\n"
              "    values_in_out strided c=16\n  out threads c=256\n    out serial\n");
    // 40 threads have room for two whole rows.
    EXPECT_EQ(after_dealing(Adopted(rows_of_sixteen(),
                                    "kernel out\n  out threads c=40\n"
                                    "kernel values\n  values threads i=16 c=16\n"),
                            "values_in_out"),
              "kernel out blocks c=410\n  values_in_out flat i=16 c=2\n"
              "    values_in_out strided c=20\n  out threads c=40\n    out serial\n");
}

// What is computed in a block has threads that suit the usual order of the block's own.
TEST(Retiling, LeavesNoExchangedThreadsInABlockThatComputesMore) {
    const Adopted a(two_stencils(1536, 1024), kApart);
    State across = a.state;
    KernelPtr &kernel = across.nest.kernels[0];
    kernel = switched(kernel, &Kernel::along_stores, false);
    ASSERT_FALSE(kernel->along_stores);
    Decision into = decide_place(a.func("f0_in_f1"), Place::block);
    into.extents = {34, 10};
    into.serial = {1, 1};
    const auto text = [&](const State &before) {
        return to_text(a.wrapped.dag, *taken(a.space, before, into)->nest.kernels[0]);
    };
    EXPECT_EQ(text(across), text(a.state));
}

// As it is tiled, four points per thread, it would need 34 threads along x, of which the root stage
// has eight. A border of two is no reason.
TEST(Retiling, DealsACopyThatWouldWidenTheBlock) {
    const Adopted a(two_stencils(1536, 1024), kApart);
    Decision into = decide_place(a.func("f0_in_f1"), Place::block);
    into.extents = {34, 10};
    into.serial = {1, 4};
    const State staged = *taken(a.space, a.state, into);
    Decision retile = decide_place(a.func("f1"), Place::undecided);
    const auto after = [&](const Tiling &tiling) {
        retile.tiling = &tiling;
        return to_text(a.wrapped.dag, *taken(a.space, staged, retile)->nest.kernels[0]);
    };
    EXPECT_EQ(after({{1, 64}, {1, 8}}),
              "kernel f1 blocks x=24 y=128\n  f0_in_f1 threads x=66 y=3\n"
              "    f0_in_f1 serial y=4\n  f1 threads x=64 y=8\n    f1 serial\n");
    EXPECT_EQ(after({{4, 8}, {1, 16}}),
              "kernel f1 blocks x=48 y=64\n  f0_in_f1 threads x=16 y=8\n"
              "    f0_in_f1 strided x=3 y=3\n  f1 threads x=8 y=16\n    f1 serial x=4\n");
}

// 3 threads along y are more than the one of the root stage, but not than the ten of f1.
TEST(Retiling, DealsNoCopyThatNeedsNoMoreThreadsThanAnotherStageOfTheBlock) {
    const Adopted a(stencil_chain(3, 1536, 1024),
                    "kernel f2\n  f1 threads x=34 y=10\n    f1 serial\n"
                    "  f2 threads x=32\n    f2 serial y=8\n"
                    "kernel f0\n  f0 threads x=32 y=8\n    f0 serial\n");
    Decision into = decide_place(a.func("f0_in_f1"), Place::block);
    into.extents = {36, 12};
    into.serial = {1, 4};
    const State staged = *taken(a.space, a.state, into);
    Decision retile = decide_place(a.func("f2"), Place::undecided);
    const Tiling tiling{{1, 64}, {8, 1}};
    retile.tiling = &tiling;
    EXPECT_EQ(to_text(a.wrapped.dag, *taken(a.space, staged, retile)->nest.kernels[0]),
              "kernel f2 blocks x=24 y=128\n  f0_in_f1 threads x=68 y=3\n"
              "    f0_in_f1 serial y=4\n  f1 threads x=66 y=10\n    f1 serial\n"
              "  f2 threads x=64\n    f2 serial y=8\n");
}

TEST(StagingMoves, DealNothingWhereTheBlockIsTooNarrowForTheOrderInMemory) {
    // 10 x 18 points: columns, of at least 16, come first (scheduler/nest/edit.h, choose_axes); but
    // eight threads hold fewer, which would put rows first again.
    EXPECT_EQ(after_dealing(Adopted(two_stencils(1536, 1024),
                                    "kernel f1\n  f1 threads x=8 y=2\n    f1 serial y=8\n"
                                    "kernel f0\n  f0 threads x=32 y=8\n"),
                            "f0_in_f1"),
              "rejected");
}

TEST(StagingMoves, KeepACopyDealtWhenItsKernelIsTiledAnew) {
    const Adopted a(two_stencils(1536, 1024), kApart);
    const std::vector<Decision> moves = a.moves("f0_in_f1");
    const std::optional<Decision> dealt = found(moves, [](const Decision &decision) {
        return decision.tile == MemberTile::cooperative && decision.tiling == nullptr;
    });
    ASSERT_TRUE(dealt);
    const State staged = *taken(a.space, a.state, *dealt);
    Decision retile;
    retile.func = a.func("f1");
    const Tiling tiling{{1, 64}, {2, 4}};
    retile.tiling = &tiling;
    const std::optional<State> next = taken(a.space, staged, retile);
    ASSERT_TRUE(next);
    // 66 x 10 points.
    EXPECT_EQ(to_text(a.wrapped.dag, *next->nest.kernels[0]),
              "kernel f1 blocks x=24 y=128\n  f0_in_f1 threads x=64 y=4\n"
              "    f0_in_f1 strided x=2 y=3\n  f1 threads x=64 y=4\n    f1 serial y=2\n");
}

// in -> blur (3 x 3) -> edge, a copy that is clamped -> out (3 x 3).
Dag copy_of_a_blur() {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId blur = b.func("blur", {"x", "y"}), edge = b.func("edge", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 1023}, {"y", 0, 511}});
    b.reads(blur, in, {at(0, -1, 1), at(1, -1, 1)}, 9).ops(blur, OpKind::add, 30);
    b.reads(edge, blur, {clamped(0, 0, 0, 0, 1023), clamped(1, 0, 0, 0, 511)});
    b.reads(out, edge, {at(0, -1, 1), at(1, -1, 1)}, 9).ops(out, OpKind::add, 30);
    return b.build();
}

TEST(StagingMoves, NeverComputeACopyBeforeWhatItReads) {
    const Adopted a(copy_of_a_blur(),
                    "inline: edge\nkernel out\n  blur threads x=34 y=10\n  out threads x=32 y=8\n");
    RuleCounts rejected{};
    for (const Decision &decision : a.moves("edge", rejected)) {
        const std::optional<State> next = taken(a.space, a.state, decision);
        if (!next) continue;
        ASSERT_EQ(check(a.wrapped.dag, next->nest, Completeness::complete), Names{})
            << to_text(a.wrapped.dag, next->nest);
    }
    EXPECT_GT(counted(rejected, "halide_nesting"), 0u);
    // With blur at root there is nothing against it.
    const Adopted apart(copy_of_a_blur(),
                        "inline: edge\nkernel out\n  out threads x=32 y=8\n"
                        "kernel blur\n  blur threads x=32 y=8\n");
    EXPECT_FALSE(apart.moves("edge").empty());
}

TEST(StagingMoves, AreNoneForACopyThatSeveralKernelsRead) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"}), tap = b.func("tap", {"x"});
    const FuncId left = b.output("left", {{"x", 0, 4095}}),
                 right = b.output("right", {{"x", 0, 4095}});
    b.reads(f, in, {at(0, -1, 1)}, 3).ops(f, OpKind::add, 30);
    b.reads(tap, f, {at(0, -1, 1)}, 3).ops(tap, OpKind::add, 30);
    b.reads(left, tap, {at(0, -1, 1)}, 3).reads(right, tap, {at(0, -1, 1)}, 3);
    const Adopted a(b.build(),
                    "inline: tap\nkernel left\n  left threads x=32\n"
                    "kernel right\n  right threads x=32\nkernel f\n  f threads x=32\n");
    EXPECT_TRUE(a.moves("f_in_tap").empty());
}

}  // namespace
}  // namespace autoschedule_gpu
