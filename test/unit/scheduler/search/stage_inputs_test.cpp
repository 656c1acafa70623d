#include "scheduler/search/stage_inputs.h"

#include <gtest/gtest.h>

#include "scheduler/search/kernel_costs.h"
#include "scheduler/space/wrappers.h"
#include "unit/scheduler/nest/parsed.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

std::vector<double> costs_of(const Search &search, const Dag &dag,
                             const std::vector<KernelPtr> &kernels) {
    ThreadPool pool(1);
    std::vector<double> costs(kernels.size());
    ModelCosts(dag, search.gpu, search.model, pool).compute(kernels, costs);
    return costs;
}

double sum_of(const std::vector<double> &costs) {
    double sum = 0;
    for (double cost : costs) sum += cost;
    return sum;
}

// A state of a search's space with the given nest, and its costs.
State state_of(const Search &search, const std::string &text) {
    State state = search.space.adopt(sound(search.dag, text));
    state.kernel_costs = costs_of(search, search.dag, state.nest.kernels);
    state.cost = sum_of(state.kernel_costs);
    return state;
}

std::optional<StagedReads> staged(const Search &search, const State &state, SearchReport &report) {
    SearchContext context(search.options);
    return stage_inputs(search.space, search.model, context, state, report);
}
std::optional<StagedReads> staged(const Search &search, const State &state) {
    SearchReport ignored;
    return staged(search, state, ignored);
}

// f is read 9 x 9 by out: many times each point, so it pays to stage it. It is too dear to be
// computed anew for the border of every block.
Dag wide_stencil() {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 2047}, {"y", 0, 2047}});
    b.reads(f, in, {at(0, -1, 1), at(1, -1, 1)}, 9).ops(f, OpKind::transcendental, 400);
    b.reads(out, f, {at(0, -4, 4), at(1, -4, 4)}, 81).ops(out, OpKind::add, 81);
    return b.build();
}

const char kApart[] =
    "kernel out\n  out threads x=32 y=8\nkernel f\n  f threads x=32 y=8\n    f serial y=2\n";

TEST(StageReads, StagesWhatAKernelReadsOftenAndLeavesTheOthersAlone) {
    const Search search(wide_stencil());
    const State before = state_of(search, kApart);
    SearchReport report;
    const std::optional<StagedReads> after = staged(search, before, report);
    ASSERT_TRUE(after);
    EXPECT_LT(after->state.cost, before.cost);
    EXPECT_DOUBLE_EQ(after->state.cost, sum_of(after->state.kernel_costs));
    EXPECT_GT(report.times.stage, 0);
    EXPECT_EQ(check(after->dag), std::vector<std::string>{});
    EXPECT_EQ(check(after->dag, after->state.nest, Completeness::complete),
              std::vector<std::string>{});
    EXPECT_TRUE(is_in_kernel(after->state.nest.place(find_func(after->dag, "f_in_out"))));
    EXPECT_EQ(after->state.nest.place(find_func(after->dag, "f")), Place::root);
    ASSERT_EQ(after->state.nest.kernels.size(), 2u);
}

TEST(StageReads, CostsAreThoseOfTheNestAnew) {
    const Search search(wide_stencil());
    const std::optional<StagedReads> after = staged(search, state_of(search, kApart));
    ASSERT_TRUE(after);
    EXPECT_EQ(costs_of(search, after->dag, after->state.nest.kernels), after->state.kernel_costs);
    // The text is the nest, so what is reported can be read back.
    EXPECT_EQ(parsed(after->dag, to_text(after->dag, after->state.nest)).hash(),
              after->state.nest.hash());
}

TEST(StageReads, NeverCostsMoreAndLeadsToASoundNest) {
    int count = 0;
    for (NamedDag &e : all()) {
        Search search(with_wrapped_reductions(e.dag));
        search.options.limits.beam_size = 2;
        search.options.limits.num_passes = 1;
        std::vector<State> states = search.run().best;
        states.push_back(plain_state(search.space, search.model));
        for (const State &before : states) {
            const std::optional<StagedReads> after = staged(search, before);
            if (!after) continue;
            ++count;
            EXPECT_LT(after->state.cost, before.cost) << e.name;
            EXPECT_EQ(check(after->dag, after->state.nest, Completeness::complete),
                      std::vector<std::string>{})
                << e.name << "\n"
                << to_text(after->dag, after->state.nest);
        }
    }
    EXPECT_GT(count, 0);
}

// Wrappers that are inlined cost nothing.
TEST(StageReads, StartsFromTheCostsOfTheSearch) {
    for (NamedDag &e : all()) {
        const Search search(with_wrapped_reductions(e.dag));
        const State before = plain_state(search.space, search.model);
        const WrappedReads wrapped = with_wrapped_reads(search.dag, before.nest);
        const SearchSpace wider(wrapped.dag, search.gpu, RuleBook(), Freedom::full);
        const State adopted = wider.adopt(wrapped.nest);
        EXPECT_EQ(check(wrapped.dag, adopted.nest, Completeness::complete),
                  std::vector<std::string>{})
            << e.name;
        const std::vector<double> costs = costs_of(search, wrapped.dag, adopted.nest.kernels);
        ASSERT_EQ(costs.size(), before.kernel_costs.size()) << e.name;
        for (size_t k = 0; k < costs.size(); ++k) {
            EXPECT_DOUBLE_EQ(costs[k], before.kernel_costs[k])
                << e.name << "\n"
                << to_text(wrapped.dag, *adopted.nest.kernels[k]);
        }
    }
}

// Where it does not pay: two points are all that is read of f.
TEST(StageReads, StagesWhatItIsToldToStageUnlessItCostsTooMuch) {
    const Search search(two_stencils(512, 512));
    const State before = state_of(search,
                                  "kernel f1\n  f1 threads x=32 y=8\n"
                                  "kernel f0\n  f0 threads x=32 y=8\n");
    const auto staged_place = [&](std::vector<size_t> kernels, double most_rise) {
        const WrappedReads wrapped = with_wrapped_reads(search.dag, before.nest);
        const Search wider(wrapped.dag);
        OwnParts own(wider);
        const State after = with_staged_reads(own.parts, wrapped, kernels, most_rise);
        EXPECT_EQ(check(wrapped.dag, after.nest, Completeness::complete),
                  std::vector<std::string>{});
        EXPECT_LE(after.cost, std::max(1.0, most_rise) * before.cost);
        return after.nest.place(find_func(wrapped.dag, "f0_in_f1"));
    };
    EXPECT_EQ(staged_place({0}, 10), Place::block);
    EXPECT_EQ(staged_place({1}, 10), Place::inlined);
    EXPECT_EQ(staged_place({0}, 0.5), Place::inlined);
}

TEST(StageReads, IsNothingWhereNothingIsReadTwice) {
    const Search copy(example::copy(512, 256));
    EXPECT_FALSE(staged(copy, copy.run().best[0]));
    // f is at root, since it is dear and read by two kernels; but each of those reads every point
    // of it once, in a mirror.
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    b.reads(f, in, {at(0, -1, 1), at(1, -1, 1)}, 9).ops(f, OpKind::transcendental, 200);
    for (const char *name : {"a", "b"}) {
        const FuncId out = b.output(name, {{"x", 0, 2047}, {"y", 0, 2047}});
        b.reads(out, f, {times(0, -1, 2047, 2047), at(1)}).ops(out, OpKind::add, 40);
    }
    const Search mirrored(b.build());
    const State best = mirrored.run().best[0];
    ASSERT_EQ(best.nest.place(f), Place::root);
    EXPECT_FALSE(staged(mirrored, best));
}

TEST(StageReads, IsNothingWhenTheTimeIsUp) {
    Search search(wide_stencil());
    const State before = state_of(search, kApart);
    search.options.limits.time_limit_s = 0;
    EXPECT_FALSE(staged(search, before));
}

TEST(StageReads, IsTheSameForOneThreadAndForTwo) {
    for (Dag (*make)(int64_t, int64_t) : {two_stencils, diamond, down_and_up, reduced_stencil}) {
        Search search(with_wrapped_reductions(make(1536, 1024)));
        const State before = plain_state(search.space, search.model);
        const std::optional<StagedReads> one = staged(search, before);
        search.options.limits.threads = 2;
        const std::optional<StagedReads> two = staged(search, before);
        ASSERT_EQ(one.has_value(), two.has_value());
        if (one) {
            EXPECT_EQ(one->state.id, two->state.id);
        }
    }
}

}  // namespace
}  // namespace autoschedule_gpu
