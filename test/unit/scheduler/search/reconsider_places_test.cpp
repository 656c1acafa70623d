#include "scheduler/search/reconsider_places.h"

#include <gtest/gtest.h>

#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::OwnParts;
using example::Search;

TEST(ReviseDecisions, NeverCostsMoreAndLeavesACompleteState) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.refine = false;
        search.options.limits.beam_size = 1;
        search.options.limits.num_passes = 1;
        const State before = search.run().best[0];
        OwnParts own(search);
        const State after = reconsider_places(own.parts, before);
        EXPECT_LE(after.cost, before.cost) << e.name;
        EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{})
            << e.name;
        EXPECT_GT(own.report.times.revise, 0) << e.name;
    }
}

// Twelve stencils at root: each may be computed in the kernel of its reader.
TEST(ReviseDecisions, FindsOtherPlacesThanRoot) {
    Search search(example::stencil_chain(12, 1536, 1024));
    OwnParts own(search);
    const State plain = plain_state(search.space, search.model);
    const State revised = reconsider_places(own.parts, plain);
    EXPECT_LT(revised.cost, 0.7 * plain.cost);
    EXPECT_LT(revised.nest.kernels.size(), plain.nest.kernels.size());
    EXPECT_GT(own.report.states_scored, 0u);
}

// Of 84 kernels, twenty are not among the most expensive.
TEST(ReviseDecisions, OfWhatIsFrozenLooksAtTheMostExpensiveOnly) {
    Search search(example::stencil_chain(static_cast<int>(kExpensiveKernels) + 20, 256, 128));
    const State plain = plain_state(search.space, search.model);
    ASSERT_EQ(plain.nest.kernels.size(), kExpensiveKernels + 20);
    OwnParts free(search), frozen(search);
    frozen.bench.decided = Decided(search.space, plain);
    EXPECT_LT(reconsider_places(frozen.parts, plain).cost, plain.cost);
    reconsider_places(free.parts, plain);
    EXPECT_LT(frozen.report.states_scored, free.report.states_scored);
}

// The most expensive first, and no more than are looked at.
TEST(MostExpensiveKernels, AreInOrderOfTheirCosts) {
    State state;
    for (size_t i = 0; i < kExpensiveKernels + 5; ++i) {
        state.nest.kernels.push_back(nullptr);
        state.kernel_costs.push_back(static_cast<double>((7 * i) % (kExpensiveKernels + 5)));
    }
    const std::vector<size_t> kernels = most_expensive_kernels(state);
    ASSERT_EQ(kernels.size(), kExpensiveKernels);
    for (size_t i = 0; i < kernels.size(); ++i) {
        EXPECT_EQ(state.kernel_costs[kernels[i]], double(kExpensiveKernels + 4 - i));
    }
}

TEST(ReviseOnce, LooksAtTheGivenFuncsOnly) {
    Search search(example::stencil_chain(6, 1536, 1024));
    OwnParts own(search);
    const State plain = plain_state(search.space, search.model);
    EXPECT_EQ(reconsider_once(own.parts, plain, {}).id, plain.id);
    const FuncId last(search.dag.funcs.size() - 1);
    const State revised = reconsider_once(own.parts, plain, std::vector{last});
    EXPECT_LT(revised.cost, plain.cost);
    // Decided anew: the Func and what it reads. All others are where they were.
    for (size_t i = 0; i + 2 < search.dag.funcs.size(); ++i) {
        EXPECT_EQ(revised.nest.place(FuncId(i)), plain.nest.place(FuncId(i))) << i;
    }
}

TEST(ReviseDecisions, LeavesEverythingAloneWhenTheTimeIsUp) {
    Search search(example::stencil_chain(4, 1536, 1024));
    const State state = plain_state(search.space, search.model);
    search.options.limits.time_limit_s = 0;
    OwnParts own(search);
    EXPECT_EQ(reconsider_places(own.parts, state).id, state.id);
}

}  // namespace
}  // namespace autoschedule_gpu
