#include "scheduler/search/greedy_grouping.h"

#include <gtest/gtest.h>

#include "scheduler/model/analytical.h"
#include "scheduler/space/wrappers.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

State grouped(const Search &search, Fusion fusion, const CostModel &model) {
    SearchContext context(search.options);
    SearchResult result = greedy_grouping(search.space, {model, model}, context, fusion);
    EXPECT_EQ(result.best.size(), 1u);
    return std::move(result.best.front());
}

constexpr Fusion kModes[] = {Fusion::none, Fusion::overlap, Fusion::nested};

TEST(GreedyGrouping, LeadsToSoundNestsInEveryMode) {
    for (NamedDag &e : all()) {
        const Search search(with_wrapped_reductions(e.dag));
        const Analytical model(search.gpu);
        for (Fusion fusion : kModes) {
            const State state = grouped(search, fusion, model);
            EXPECT_EQ(check(search.dag, state.nest, Completeness::complete),
                      std::vector<std::string>{})
                << e.name << "\n"
                << to_text(search.dag, state.nest);
            EXPECT_GT(state.cost, 0) << e.name;
            EXPECT_EQ(state.id, state.nest.hash()) << e.name;
        }
    }
}

// So many rows make more blocks than a grid holds, whatever the tile. Of a Func without a kernel
// nothing would be computed.
TEST(GreedyGrouping, HasAKernelForEveryFuncEvenWhereNoTilingIsLegal) {
    constexpr int64_t kWidth = 512, kHeight = 1 << 28;
    for (const Dag &dag : {two_stencils(kWidth, kHeight), stencil_chain(3, kWidth, kHeight),
                           clamped_stencil(kWidth, kHeight)}) {
        const Search search(dag);
        for (Fusion fusion : kModes) {
            const State state = grouped(search, fusion, search.model);
            EXPECT_EQ(check(search.dag, state.nest, Completeness::complete),
                      std::vector<std::string>{})
                << to_text(search.dag, state.nest);
            EXPECT_GT(state.cost, 0);
        }
    }
}

// Draft, then verify: the search keeps what the draft has, and says so.
TEST(GreedyGrouping, IsADraftThatTheSearchIsNeverWorseThan) {
    for (NamedDag &e : all()) {
        for (double time_limit_s : {0.0, 1e6}) {
            Search search(with_wrapped_reductions(e.dag));
            search.options.limits.time_limit_s = time_limit_s;
            search.options.limits.num_passes = 1;
            const Nest draft = plain_state(search.space, search.model).nest;
            const SearchResult result = search.run(&draft);
            EXPECT_GT(result.report.draft_cost, 0) << e.name;
            EXPECT_LE(result.best.front().cost, result.report.draft_cost) << e.name;
        }
    }
}

// In no time, all that the search has is its draft and a plain completion.
TEST(GreedyGrouping, IsWhatASearchWithoutTimeReturns) {
    Search search(stencil_chain(8, 1536, 2560));
    const State draft = grouped(search, Fusion::nested, search.model);
    search.options.limits.time_limit_s = 0;
    const SearchResult result = search.run(&draft.nest);
    EXPECT_EQ(result.report.stop_reason.kind, StopReason::Kind::time_limit);
    EXPECT_EQ(result.best.front().id, draft.id);
    EXPECT_LT(draft.cost, search.run().best.front().cost);
}

TEST(GreedyGrouping, FusesNothingInTheModeWithoutFusion) {
    const Search search(stencil_chain(8, 1536, 2560));
    const State state = grouped(search, Fusion::none, search.model);
    for (Place placement : state.nest.places) EXPECT_FALSE(is_in_kernel(placement));
}

TEST(GreedyGrouping, MergesNothingWhoseRowsItsUserHasAligned) {
    Dag dag = stencil_chain(8, 1536, 1024);
    for (Func &func : dag.funcs) func.users_alignment = func.kind == Func::Kind::internal;
    const Search search(std::move(dag));
    const State state = grouped(search, Fusion::nested, search.model);
    for (Place placement : state.nest.places) EXPECT_FALSE(is_in_kernel(placement));
}

// By the roofline, whose kernels take time to launch and whose traffic costs, a chain of cheap
// stencils on a small picture is better off in few kernels.
TEST(GreedyGrouping, MergesWhileThatPays) {
    const Search search(stencil_chain(8, 1536, 1024));
    const State apart = grouped(search, Fusion::none, search.model);
    const State merged = grouped(search, Fusion::overlap, search.model);
    EXPECT_LT(merged.nest.kernels.size(), apart.nest.kernels.size());
    EXPECT_LT(merged.cost, apart.cost);
    EXPECT_LE(apart.cost, plain_state(search.space, search.model).cost);
}

// total(x, y) += in(x + r, y), and out looks up points of it.
Dag looked_up_sums() {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), total = b.func("total", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 1535}, {"y", 0, 2559}});
    const StageId add =
        b.update(total, {b.reduction("r", -1, 1), b.over(0, "x"), b.over(1, "y")}, {at(1), at(2)});
    b.reads(add, total, {at(1), at(2)}).reads(add, in, {sum(1, 0), at(2)});
    b.ops(add, OpKind::add, 1);
    b.reads(out, in, {at(0), at(1)}).reads(out, total, {anywhere(0, 1535), anywhere(0, 2559)});
    return b.build();
}

// A reduction that nobody can compute for itself: all stages of it are in one kernel with what
// copies its sums, in the block's shared memory or each in its thread.
TEST(GreedyGrouping, ComputesAllStagesOfAReductionInOneKernel) {
    const Search search(with_wrapped_reductions(looked_up_sums()));
    const FuncId total = find_func(search.dag, "total");
    const State apart = grouped(search, Fusion::none, search.model);
    EXPECT_EQ(apart.nest.place(total), Place::root);
    EXPECT_EQ(apart.nest.kernels.size(), 3u);
    const State overlap = grouped(search, Fusion::overlap, search.model);
    const State nested = grouped(search, Fusion::nested, search.model);
    for (const State *state : {&overlap, &nested}) {
        EXPECT_TRUE(is_in_kernel(state->nest.place(total)));
        EXPECT_EQ(state->nest.kernels.size(), 2u);
    }
    EXPECT_LT(nested.cost, apart.cost);
    EXPECT_LT(nested.cost, overlap.cost);
}

// total(x, y) += patch(x, y, s) for 49 shifts s, where a patch is 7 x 7 points of a costly
// difference.
Dag costly_shifts() {
    DagBuilder b;
    const FuncId left = b.input("left", {"x", "y"}), right = b.input("right", {"x", "y"});
    const FuncId diff = b.func("diff", {"x", "y", "i"}), patch = b.func("patch", {"x", "y", "i"});
    const FuncId total = b.func("total", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 1535}, {"y", 0, 2559}});
    b.reads(diff, left, {at(0), at(1)}).reads(diff, right, {sum(0, 2), at(1)});
    b.ops(diff, OpKind::transcendental, 4);
    b.reads(patch, diff, {at(0, -3, 3), at(1, -3, 3), at(2)}, 49).ops(patch, OpKind::add, 48);
    const StageId add =
        b.update(total, {b.reduction("s", 0, 48), b.over(0, "x"), b.over(1, "y")}, {at(1), at(2)});
    b.reads(add, total, {at(1), at(2)}).reads(add, patch, {at(1), at(2), at(0)});
    b.ops(add, OpKind::add, 1);
    b.reads(out, total, {at(0), at(1)});
    return b.build();
}

// What an iteration of the reduction needs is computed in it: shared memory for one shift, and no
// kernel but the reader's.
TEST(GreedyGrouping, ComputesInTheLoopOfAReductionWhatItsIterationsNeed) {
    const Search search(with_wrapped_reductions(costly_shifts()));
    const Analytical merging(search.gpu, Analytical::Phase::merging), tiling(search.gpu);
    const auto kernels = [&](Fusion fusion) {
        SearchContext context(search.options);
        return greedy_grouping(search.space, {merging, tiling}, context, fusion)
            .best.front()
            .nest.kernels;
    };
    const std::vector<KernelPtr> nested = kernels(Fusion::nested);
    ASSERT_EQ(nested.size(), 1u);
    EXPECT_EQ(loops_of(*nested[0]).size(), 1u) << to_text(search.dag, *nested[0]);
    for (const KernelPtr &kernel : kernels(Fusion::overlap)) {
        EXPECT_TRUE(loops_of(*kernel).empty());
    }
}

// The sums of a product are in the threads that store them, several in each: operands are shared.
TEST(GreedyGrouping, GivesAThreadSeveralSumsOfAProduct) {
    const Search search(matmul(1536));
    const Analytical model(search.gpu);
    const State state = grouped(search, Fusion::nested, model);
    ASSERT_EQ(state.nest.kernels.size(), 1u);
    const Kernel &kernel = *state.nest.kernels[0];
    EXPECT_EQ(thread_bands(kernel).size(), 1u) << to_text(search.dag, kernel);
    int64_t points = 1;
    for (const LoopTile &loop : kernel.tiling) points *= loop.serial;
    EXPECT_GT(points, 1);
    EXPECT_LT(state.cost, grouped(search, Fusion::overlap, model).cost);
}

TEST(GreedyGrouping, InlinesWhatIsCheaperToComputeAgain) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), cheap = b.func("cheap", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 2047}, {"y", 0, 2047}});
    b.reads(cheap, in, {at(0), at(1)}).ops(cheap, OpKind::add, 20);
    b.reads(out, cheap, {at(0, 0, 1), at(1)}, 2).ops(out, OpKind::add, 1);
    const Search search(b.build());
    const State state = grouped(search, Fusion::none, search.model);
    EXPECT_EQ(state.nest.place(cheap), Place::inlined);
    EXPECT_EQ(state.nest.kernels.size(), 1u);
}

TEST(GreedyGrouping, KeepsBlocksOfWholeWarps) {
    const Search search(stencil_chain(3, 1536, 2560));
    const Analytical model(search.gpu);
    for (const KernelPtr &kernel : grouped(search, Fusion::nested, model).nest.kernels) {
        EXPECT_EQ(block_size(*kernel).total() % search.gpu.warp_size, 0);
    }
}

// Halide moves a tile that is larger than the output out of it.
TEST(GreedyGrouping, NeverTilesBeyondTheOutput) {
    for (auto [width, height] : {std::pair{4, 3}, {2, 2}, {1, 1}, {30, 5}, {100, 3}}) {
        const Search search(copy(width, height));
        const Analytical model(search.gpu);
        for (const KernelPtr &kernel : grouped(search, Fusion::nested, model).nest.kernels) {
            EXPECT_LE(block_size(*kernel).x, width);
            EXPECT_LE(block_size(*kernel).y, height);
        }
    }
}

TEST(GreedyGrouping, IsTheSameForOneThreadAndForTwo) {
    Search search(stencil_chain(8, 1536, 1024));
    const State one = grouped(search, Fusion::nested, search.model);
    search.options.limits.threads = 2;
    EXPECT_EQ(grouped(search, Fusion::nested, search.model).id, one.id);
}

TEST(GreedyGrouping, ReturnsSomethingCompleteWhenTheTimeIsUp) {
    Search search(stencil_chain(8, 1536, 1024));
    search.options.limits.time_limit_s = 0;
    SearchContext context(search.options);
    const SearchResult result =
        greedy_grouping(search.space, {search.model, search.model}, context, Fusion::nested);
    EXPECT_EQ(result.report.stop_reason.kind, StopReason::Kind::time_limit);
    EXPECT_EQ(check(search.dag, result.best[0].nest, Completeness::complete),
              std::vector<std::string>{});
}

}  // namespace
}  // namespace autoschedule_gpu
