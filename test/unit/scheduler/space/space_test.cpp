#include "scheduler/space/space.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "core/dag/storage_order.h"
#include "scheduler/nest/check.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/text.h"
#include "unit/example_dags.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

std::vector<std::string> names_of(const SearchSpace &space) {
    std::vector<std::string> names;
    for (const Step &step : space.steps()) {
        names.push_back(step.kind == Step::Kind::place
                            ? "place " + space.dag().func(step.func).name
                            : "tile " + stage_name(space.dag(), step.stage));
    }
    return names;
}

std::vector<std::string> inlined_at_first(const Dag &dag) {
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = space.initial();
    std::vector<std::string> names;
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        if (state.nest.place(FuncId(i)) == Place::inlined) names.push_back(dag.funcs[i].name);
    }
    return names;
}

using Names = std::vector<std::string>;

TEST(Steps, PlaceConsumersFirstAndTileEachStage) {
    const Dag chain = stencil_chain(3, 256, 256);
    EXPECT_EQ(names_of(SearchSpace(chain, kGpu, RuleBook(), Freedom::full)),
              (Names{"place f2", "tile f2", "place f1", "tile f1", "place f0", "tile f0"}));
    const Dag sum = reduced_stencil(256, 256);
    EXPECT_EQ(
        names_of(SearchSpace(sum, kGpu, RuleBook(), Freedom::full)),
        (Names{"place out", "tile out", "place total", "tile total", "tile total.update(0)"}));
}

TEST(Steps, LeaveOutInlinedFuncsAndTheTilesOfHostStages) {
    const Dag clamped = clamped_stencil(256, 256);
    EXPECT_EQ(names_of(SearchSpace(clamped, kGpu, RuleBook(), Freedom::full)),
              (Names{"place out", "tile out", "place blur", "tile blur", "place edge"}));
    const Dag host = host_in_the_middle(64, 64);
    EXPECT_EQ(names_of(SearchSpace(host, kGpu, RuleBook(), Freedom::full)),
              (Names{"place out", "tile out", "place mid", "place before", "tile before"}));
}

// in -> f -> out, where f does `ops` additions and is read `points` wide.
Dag through_f(double ops, int points) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 4095}});
    b.reads(f, in, {at(0, 0, 1)}, 2).ops(f, OpKind::add, ops);
    b.reads(out, f, {at(0, 0, points - 1)}, points);
    return b.build();
}

TEST(AlwaysInlined, AreFuncsReadPointByPointByOneStage) {
    EXPECT_EQ(inlined_at_first(through_f(100, 1)), Names{"f"});
    EXPECT_EQ(inlined_at_first(through_f(100, 2)), Names{});
}

TEST(AlwaysInlined, AreCheapFuncsReadPointByPointByMany) {
    for (const auto &[ops, inlined] : {std::pair(10.0, Names{"f"}), std::pair(100.0, Names{})}) {
        DagBuilder b;
        const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
        const FuncId a = b.output("a", {{"x", 0, 4095}}), c = b.output("b", {{"x", 0, 4095}});
        b.reads(f, in, {at(0, 0, 1)}, 2).ops(f, OpKind::add, ops);
        b.reads(a, f, {at(0)}).reads(c, f, {at(0)});
        EXPECT_EQ(inlined_at_first(b.build()), inlined) << ops;
    }
}

// Whether a point of x lies within bounds: `ops` operations of a kind, read by out three points
// wide.
Dag reading_conditions(OpKind kind, double ops) {
    DagBuilder b;
    const FuncId bound = b.func("bound", {}), inside = b.func("inside", {"x"});
    const FuncId both = b.func("both", {"x"}), out = b.output("out", {{"x", 0, 4095}});
    b.ops(bound, OpKind::add, 100);
    b.reads(inside, bound, {}).ops(inside, kind, ops);
    b.reads(both, inside, {at(0, 0, 1)}, 2).ops(both, OpKind::logic, 1);
    b.reads(out, both, {at(0, 0, 2)}, 3);
    return b.build();
}

TEST(AlwaysInlined, IsWhatIsCheapAndReadsNoMemory) {
    EXPECT_EQ(inlined_at_first(reading_conditions(OpKind::compare, 5)),
              (Names{"bound", "inside", "both"}));
    EXPECT_EQ(inlined_at_first(reading_conditions(OpKind::compare, 50)), Names{"bound"});
    EXPECT_EQ(inlined_at_first(reading_conditions(OpKind::transcendental, 1)), Names{"bound"});
}

// in -> name -> edge, which is clamped -> out, three points wide; other -> out, point by point.
Dag copies() {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), name = b.func("name", {"x"});
    const FuncId edge = b.func("edge", {"x"}), other = b.func("other", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 4095}});
    b.reads(name, in, {at(0)});
    b.reads(edge, name, {clamped(0, 0, 0, 0, 4095)});
    b.reads(other, in, {at(0)});
    b.reads(out, edge, {at(0, 0, 2)}, 3).reads(out, other, {at(0)});
    return b.build();
}

TEST(AlwaysInlined, AreCopiesForCopiesAndCopiesReadPointByPoint) {
    EXPECT_EQ(inlined_at_first(copies()), (Names{"name", "other"}));
}

TEST(AlwaysInlined, AreAllCopiesWhereNothingIsFused) {
    const Dag dag = copies();
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::no_fusion);
    EXPECT_EQ(space.initial().nest.place(find_func(dag, "edge")), Place::inlined);
}

TEST(Copies, AreInlinedOrStagedButNeverAtRoot) {
    const Dag dag = copies();
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    EXPECT_EQ(names_of(space), (Names{"place out", "tile out", "place edge"}));
    const State state = walk(space, {kRoot, kAny});
    std::set<Place> kinds;
    for (const Decision &decision : moves_of(space, state, 2)) kinds.insert(decision.place);
    EXPECT_EQ(kinds, (std::set<Place>{Place::inlined, Place::block, Place::threads}));
    EXPECT_EQ(space.plain_decision(space.steps()[2]).place, Place::inlined);
    EXPECT_EQ(space.plain_decision(space.steps()[0]).place, Place::root);
}

// sum, a reduction -> activation -> out, three points wide.
TEST(Copies, AreNotWhatComesAfterAReduction) {
    DagBuilder b;
    const FuncId sum = b.func("sum", {"x"}), activation = b.func("activation", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 4095}});
    const StageId update = b.update(sum, {b.over(0, "x"), b.reduction("r", 0, 15)}, {at(0)});
    b.reads(update, sum, {at(0)});
    b.reads(activation, sum, {at(0)}).ops(activation, OpKind::min_max, 1);
    b.reads(out, activation, {at(0, 0, 2)}, 3);
    const Dag dag = b.build();
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    EXPECT_EQ(space.plain_decision(space.steps()[2]).place, Place::root);
}

TEST(AlwaysInlined, AreFuncsWithoutBoundsWhateverTheyCost) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 4095}});
    b.reads(f, in, {clamped(0, -1, 1, 0, 4095)}, 3).ops(f, OpKind::transcendental, 20);
    b.reads(out, f, {anywhere(-kRegionLimit, kRegionLimit)}, 2).must_inline(f);
    EXPECT_EQ(inlined_at_first(b.build()), Names{"f"});
}

TEST(AlwaysInlined, AreNeitherOutputsNorUpdatesNorOnTheHost) {
    EXPECT_EQ(inlined_at_first(two_outputs(256, 256)), Names{});
    EXPECT_EQ(inlined_at_first(matmul(256)), Names{});
    EXPECT_EQ(inlined_at_first(host_in_the_middle(256, 256)), Names{});
}

// in -> edge -> f -> out, of which `on_host` is; edge is a copy, read three points wide, and f does
// `ops` additions.
Dag read_on_host(double ops, const std::string &on_host, bool is_extern = false) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), edge = b.func("edge", {"x"}), f = b.func("f", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 4095}});
    b.reads(edge, in, {clamped(0, 0, 0, 0, 4095)});
    b.reads(f, edge, {at(0, -1, 1)}, 3).ops(f, OpKind::add, ops);
    b.reads(out, f, {at(0)}).ops(out, OpKind::add, 2);
    b.on_host(on_host == "f" ? f : out, "calls a function");
    Dag dag = b.build();
    dag.funcs[(on_host == "f" ? f : out).index()].is_extern = is_extern;
    return dag;
}

TEST(AlwaysInlined, IsWhatIsCheapWhereTheHostReadsIt) {
    EXPECT_EQ(inlined_at_first(read_on_host(2, "out")), Names{"f"});
    EXPECT_EQ(inlined_at_first(read_on_host(100, "out")), Names{});
    EXPECT_EQ(inlined_at_first(read_on_host(2, "out", true)), Names{}) << "it takes a buffer";
}

TEST(Moves, LeaveCopiesInlineOnTheHost) {
    const auto places = [](bool is_extern) {
        const Dag dag = read_on_host(2, "f", is_extern);
        const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
        const State state = walk(space, {kRoot, kAny, kRoot});
        RuleCounts rejected{};
        std::vector<Place> found;
        for (const Decision &move : space.decisions(
                 state, {Step::Kind::place, find_func(dag, "edge"), {}}, Retile::no, rejected)) {
            found.push_back(move.place);
        }
        return found;
    };
    EXPECT_EQ(places(false), std::vector{Place::inlined});
    EXPECT_EQ(places(true), std::vector{Place::root}) << "it takes a buffer";
}

TEST(Moves, HaveAFixedOrder) {
    const Dag dag = two_stencils(1536, 1024);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, tiled({{1, 32}, {1, 8}})});
    const std::vector<Decision> moves = moves_of(space, state, 2);
    ASSERT_EQ(moves.size(), 18u);  // 15 serial tiles of 34 x 10 in the block
    EXPECT_EQ(moves.front().place, Place::inlined);
    for (size_t i = 1; i <= 15; ++i) {
        EXPECT_TRUE(is_in_block(moves[i].place));
        EXPECT_EQ(moves[i].extents, (std::vector<int64_t>{34, 10}));
    }
    EXPECT_EQ(moves[1].serial, (std::vector<int64_t>{1, 1}));
    EXPECT_EQ(moves[2].serial, (std::vector<int64_t>{1, 2}));
    EXPECT_EQ(moves[15].serial, (std::vector<int64_t>{8, 4}));
    EXPECT_EQ(moves[16].place, Place::threads);
    EXPECT_EQ(moves[16].extents, (std::vector<int64_t>{3, 3}));
    EXPECT_EQ(moves[17].place, Place::root);
}

std::string text_after(const SearchSpace &space, const State &state, const Decision &decision) {
    const std::optional<State> next = taken(space, state, decision);
    return next ? to_text(space.dag(), next->nest) : "rejected";
}

TEST(Moves, TileAKernelAnewForWhatIsComputedInIt) {
    const Dag dag = stencil_chain(3, 1536, 1024);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    // f1 in the block of f2, tiled 4 x 2 per thread; f0 into that.
    const State state = walk(space, {kRoot, tiled({{4, 16}, {2, 8}}), in_block({4, 2}), kAny});
    RuleCounts counts{};
    const std::vector<Decision> plain = moves_of(space, state, 4);
    const std::vector<Decision> all = space.decisions(state, space.steps()[4], Retile::yes, counts);
    ASSERT_GT(all.size(), plain.size());
    std::set<std::string> texts;
    size_t legal = 0;
    for (const Decision &decision : all) {
        const std::string text = text_after(space, state, decision);
        if (text == "rejected") continue;
        ++legal;
        texts.insert(text);
        const std::optional<State> next = taken(space, state, decision);
        EXPECT_EQ(check(dag, next->nest, Completeness::complete), Names{});
        EXPECT_EQ(parse_nest(dag, text).value().hash(), next->id);
    }
    EXPECT_GT(texts.size(), plain.size());
    EXPECT_GT(texts.size(), legal / 2) << "most of them differ";
}

// What comes of the tilings that the fifth step may give f2's kernel, with f1 in its blocks.
std::vector<std::pair<Tiling, State>> tiled_anew(const SearchSpace &space, const State &state) {
    std::vector<std::pair<Tiling, State>> result;
    RuleCounts counts{};
    for (const Decision &decision : space.decisions(state, space.steps()[4], Retile::yes, counts)) {
        const std::optional<State> next = taken(space, state, decision);
        if (!decision.tiling || !next || !is_in_block(decision.place)) continue;
        result.emplace_back(*decision.tiling, *next);
    }
    return result;
}

TEST(Moves, KeepWhatIsInAKernelWhenTheyTileItAnew) {
    const Dag dag = stencil_chain(3, 1536, 1024);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, tiled({{1, 32}, {1, 8}}), kBlock, kAny});
    const auto retiled = tiled_anew(space, state);
    for (const auto &[tiling, next] : retiled) {
        const Kernel &kernel = *next.nest.kernels[0];
        EXPECT_EQ(kernel.tiling, tiling);
        // f0, then f1 over the tile of f2 with a halo of one, at one point per thread.
        ASSERT_EQ(kernel.blocks->body.size(), 3u);
        EXPECT_EQ(
            kernel.blocks->body[1]->trips,
            (std::vector<int64_t>{kernel.tiling[0].points() + 2, kernel.tiling[1].points() + 2}));
    }
    EXPECT_GT(retiled.size(), 0u);
}

TEST(Moves, LeaveSwitchedOffWhatIsWhenTheyTileAKernelAnew) {
    const Dag dag = stencil_chain(3, 1536, 1024);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    State state = walk(space, {kRoot, tiled({{1, 32}, {1, 8}}), kBlock, kAny});
    for (const KernelOption &option : kKernelOptions) {
        state.nest.kernels[0] = switched(state.nest.kernels[0], option.is_on, false);
    }
    const auto retiled = tiled_anew(space, state);
    for (const auto &[tiling, next] : retiled) {
        for (const KernelOption &option : kKernelOptions) {
            const bool on = (*next.nest.kernels[0]).*option.is_on;
            EXPECT_TRUE(!on || option.is_on == &Kernel::along_stores) << option.off;
        }
    }
    EXPECT_GT(retiled.size(), 0u);
}

TEST(Moves, NeverFuseWhenAskedNotTo) {
    const Dag dag = two_stencils(1536, 1024);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::no_fusion);
    const State state = walk(space, {kRoot, kAny});
    const std::vector<Decision> moves = moves_of(space, state, 2);
    ASSERT_EQ(moves.size(), 2u);
    EXPECT_EQ(moves[0].place, Place::inlined);
    EXPECT_EQ(moves[1].place, Place::root);
}

TEST(Moves, AreRootAloneAsTheLastResort) {
    const Dag dag = clamped_stencil(1024, 512);  // edge would be inlined
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::root_only);
    EXPECT_EQ(names_of(space), (Names{"place out", "tile out", "place blur", "tile blur",
                                      "place edge", "tile edge"}));
    State state = space.initial();
    for (size_t i = 0; i < space.steps().size(); ++i) {
        const std::vector<Decision> moves = moves_of(space, state, i);
        for (const Decision &decision : moves) {
            EXPECT_TRUE(decision.place == Place::root || is_tiling(decision));
        }
        state = *taken(space, state, moves[0]);
    }
    EXPECT_EQ(state.nest.kernels.size(), 3u);
    EXPECT_EQ(check(dag, state.nest, Completeness::complete), Names{});
}

TEST(Moves, OfAnOutputAreRootAlone) {
    const Dag dag = two_outputs(640, 480);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, kAny});
    const std::vector<Decision> moves = moves_of(space, state, 2);  // place a, which b reads
    ASSERT_EQ(moves.size(), 1u);
    EXPECT_EQ(moves[0].place, Place::root);
}

TEST(Moves, OfAFusedFuncsTileAreToKeepIt) {
    const Dag dag = two_stencils(1536, 1024);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, kAny, kInline});
    const std::vector<Decision> moves = moves_of(space, state, 3);
    ASSERT_EQ(moves.size(), 1u);
    EXPECT_TRUE(is_nothing(moves[0]));
}

TEST(Moves, ExistAtEveryStepOfEveryExample) {
    for (const NamedDag &example : all()) {
        const SearchSpace space(example.dag, kGpu, RuleBook(), Freedom::full);
        State state = space.initial();
        for (size_t i = 0; i < space.steps().size(); ++i) {
            const std::vector<Decision> moves = moves_of(space, state, i);
            ASSERT_FALSE(moves.empty()) << example.name;
            std::optional<State> next;
            for (size_t m = 0; m < moves.size() && !next; ++m) next = taken(space, state, moves[m]);
            ASSERT_TRUE(next) << example.name << " has no legal move at step " << i;
            state = std::move(*next);
        }
        EXPECT_EQ(check(example.dag, state.nest, Completeness::complete), Names{}) << example.name;
    }
}

TEST(Apply, IsPure) {
    const Dag dag = stencil_chain(3, 1536, 1024);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const State state = walk(space, {kRoot, tiled({{1, 32}, {1, 8}}), kBlock, kAny});
    const std::string before = to_text(dag, state.nest);
    const uint64_t id = state.id;
    for (const Decision &decision : moves_of(space, state, 4)) {
        const std::optional<State> once = taken(space, state, decision);
        const std::optional<State> twice = taken(space, state, decision);
        ASSERT_EQ(once.has_value(), twice.has_value());
        if (once) {
            EXPECT_EQ(once->id, twice->id);
        }
    }
    EXPECT_EQ(to_text(dag, state.nest), before);
    EXPECT_EQ(state.nest.hash(), id);
}

TEST(Apply, InlinesIntoEveryKernelThatUsesAFunc) {
    const Dag dag = diamond(1024, 512);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    // out, right and left at root; base into both arms.
    const State state = walk(space, {kRoot, kAny, kRoot, kAny, kRoot, kAny, kInline});
    EXPECT_TRUE(state.nest.kernels[0]->inlined.empty());
    EXPECT_EQ(state.nest.kernels[1]->inlined, std::vector<FuncId>{find_func(dag, "base")});
    EXPECT_EQ(state.nest.kernels[2]->inlined, std::vector<FuncId>{find_func(dag, "base")});
    EXPECT_EQ(check(dag, state.nest, Completeness::complete), Names{});
}

TEST(Apply, CarriesForcedInlinesIntoNewAndChangedKernels) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), tone = b.func("tone", {"x", "y"});
    const FuncId blur = b.func("blur", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 1023}, {"y", 0, 511}});
    b.reads(tone, in, {at(0), at(1)}).ops(tone, OpKind::add, 20);
    b.reads(blur, tone, {at(0), at(1)}).ops(blur, OpKind::add, 20);
    b.reads(out, blur, {at(0, -1, 1), at(1, -1, 1)}, 9);
    const Dag dag = b.build();
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    ASSERT_EQ(inlined_at_first(dag), Names{"tone"});
    const State apart = walk(space, {kRoot, kAny, kRoot, kAny});
    EXPECT_TRUE(apart.nest.kernels[0]->inlined.empty());
    EXPECT_EQ(apart.nest.kernels[1]->inlined, std::vector<FuncId>{tone});
    for (const Wanted &place : {kInline, kBlock, kThread}) {
        const State state = walk(space, {kRoot, tiled({{1, 32}, {1, 8}}), place, kAny});
        EXPECT_TRUE(is_inlined(*state.nest.kernels[0], tone));
        EXPECT_EQ(check(dag, state.nest, Completeness::complete), Names{});
    }
}

TEST(PlainMove, IsRootAndThenToKeepTheDefaultTile) {
    const Dag dag = two_stencils(1536, 1024);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    State state = space.initial();
    for (const Step &step : space.steps()) {
        state = *taken(space, state, space.plain_decision(step));
    }
    EXPECT_EQ(to_text(dag, state.nest),
              "kernel f1 blocks x=48 y=128\n  f1 threads x=32 y=8\n    f1 serial\n"
              "kernel f0 blocks x=49 y=129\n  f0 threads x=32 y=8\n    f0 serial\n");
}

// Threads share the iterations of the reduction, each of which reads what min and max bound: that
// has a size known before it runs where a block computes them all.
TEST(Moves, IntoABlockKeepAReductionWholeThatIsBoundedByMinAndMax) {
    DagBuilder b;
    const FuncId in = b.input("in", {"r", "y"}), f = b.func("f", {"r", "y"});
    const FuncId hist = b.func("hist", {"i", "y"});
    const FuncId out = b.output("out", {{"i", 0, 255}, {"y", 0, 479}});
    b.reads(f, in, {at(0), at(1)}).ops(f, OpKind::transcendental, 9);
    const StageId add =
        b.update(hist, {b.reduction("r", 0, 31, true), b.over(1, "y")}, {anywhere(0, 255), at(1)});
    b.reads(add, hist, {anywhere(0, 255), at(1)});
    b.reads(add, f, {clamped(0, -1, 1, 0, 31), at(1)}, 3).atomics(add);
    b.reads(out, hist, {at(0), at(1)});
    const Dag dag = b.build();
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    // Steps: place and tile out, place hist, tile both stages of it, place f.
    const State state = walk(space, {kRoot, kAny, kRoot, kAny, kAny});
    RuleCounts counts{};
    size_t in_block = 0;
    for (const Decision &decision : space.decisions(state, space.steps()[5], Retile::yes, counts)) {
        if (decision.place != Place::block || !decision.tiling) continue;
        ++in_block;
        EXPECT_EQ((*decision.tiling)[0].points(), 32);
    }
    EXPECT_GT(in_block, 0u);
}

TEST(Apply, SharesReductionsInABlockAmongItsThreads) {
    const Dag dag = row_histograms(640, 480);
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    // Steps: place and tile out, place hist, tile both stages of it, place rows.
    const State state =
        walk(space, {kRoot, kAny, kRoot, kAny, tiled({{1, 1, true}, {1, 256}}), in_block({1, 1})});
    EXPECT_EQ(to_text(dag, *state.nest.kernels[2]),
              "kernel hist.update(0) blocks r=480\n"
              "  rows threads i=256\n    rows serial\n"
              "  rows.update(0) threads c=256\n    rows.update(0) serial c=3\n"
              "  hist.update(0) threads i=256\n    hist.update(0) serial\n");
    EXPECT_EQ(check(dag, state.nest, Completeness::complete), std::vector<std::string>{});
}

// Calls `use` for every Func of some pipelines of odd sizes that is stored in another order.
template <typename Use>
void for_each_order(const Use &use) {
    for (const Dag &dag : {stencil_chain(3, 251, 63), diamond(517, 33), shifted_patches(61, 47),
                           clamped_stencil(129, 77), row_histograms(97, 41)}) {
        const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
        for (size_t f = 0; f < dag.funcs.size(); ++f) {
            if (!may_reorder_storage(dag, FuncId(f))) continue;
            for (size_t d = 0; d < dag.funcs[f].dims.size(); ++d) {
                use(space, with_innermost(dag, FuncId(f), static_cast<int>(d)));
            }
        }
    }
}

TEST(StoredOtherwise, IsTheSpaceThatWouldBeMadeAnew) {
    size_t changed = 0;
    for_each_order([&](const SearchSpace &space, const Dag &dag) {
        const SearchSpace anew(dag, kGpu, RuleBook(), Freedom::full);
        const SearchSpace other = space.stored_otherwise(dag);
        EXPECT_EQ(&other.dag(), &dag);
        EXPECT_EQ(names_of(other), names_of(anew));
        EXPECT_EQ(other.facts().copies, anew.facts().copies);
        EXPECT_EQ(other.facts().always_inlined, anew.facts().always_inlined);
        for (size_t i = 0; i < dag.stages.size(); ++i) {
            const StageId stage(i);
            EXPECT_EQ(other.facts().tilings_of(stage), anew.facts().tilings_of(stage));
            changed += anew.tilings(stage) != space.tilings(stage) ? 1 : 0;
        }
    });
    EXPECT_GT(changed, 0u);  // there is something to list anew
}

}  // namespace
}  // namespace autoschedule_gpu
