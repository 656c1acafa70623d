#include "search/revise.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/search/searched.h"

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
        const State after = revise_decisions(own.parts, before);
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
    const State revised = revise_decisions(own.parts, plain);
    EXPECT_LT(revised.cost, 0.7 * plain.cost);
    EXPECT_LT(revised.nest.kernels.size(), plain.nest.kernels.size());
    EXPECT_GT(own.report.states_scored, 0u);
}

// Of 70 kernels, the six cheapest and what only they read stay as they are.
TEST(ReviseDecisions, OfWhatIsFrozenLooksAtTheMostExpensiveOnly) {
    Search search(example::stencil_chain(static_cast<int>(kExpensiveKernels) + 6, 256, 128));
    const State plain = plain_state(search.space, search.model);
    ASSERT_EQ(plain.nest.kernels.size(), kExpensiveKernels + 6);
    const Decisions all(search.space, plain);
    OwnParts own(search);
    SearchParts frozen{search.space, search.options, own.pool, own.costs, own.book,
                       all,          own.report,     own.watch};
    const State revised = revise_decisions(frozen, plain);
    EXPECT_LT(revised.cost, plain.cost);
    const auto cheapest = std::min_element(plain.kernel_costs.begin(), plain.kernel_costs.end());
    const Kernel &kernel =
        *plain.nest.kernels[static_cast<size_t>(cheapest - plain.kernel_costs.begin())];
    const int32_t home = revised.home[kernel.stage.index()];
    ASSERT_GE(home, 0) << "still at root";
    EXPECT_TRUE(revised.nest.kernels[static_cast<size_t>(home)]->inlined.empty());
}

TEST(ReviseDecisions, LeavesEverythingAloneWhenTheTimeIsUp) {
    Search search(example::stencil_chain(4, 1536, 1024));
    const State state = plain_state(search.space, search.model);
    search.options.limits.time_limit_s = 0;
    OwnParts own(search);
    EXPECT_EQ(revise_decisions(own.parts, state).id, state.id);
}

}  // namespace
}  // namespace autoschedule_gpu
