#include "search/revise.h"

#include <gtest/gtest.h>

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

// Of 84 kernels, twenty are not among the most expensive.
TEST(ReviseDecisions, OfWhatIsFrozenLooksAtTheMostExpensiveOnly) {
    Search search(example::stencil_chain(static_cast<int>(kExpensiveKernels) + 20, 256, 128));
    const State plain = plain_state(search.space, search.model);
    ASSERT_EQ(plain.nest.kernels.size(), kExpensiveKernels + 20);
    const Decisions all(search.space, plain);
    OwnParts free(search), own(search);
    SearchParts frozen{search.space, search.options, own.pool, own.costs, own.book,
                       all,          own.report,     own.watch};
    EXPECT_LT(revise_decisions(frozen, plain).cost, plain.cost);
    revise_decisions(free.parts, plain);
    EXPECT_LT(own.report.states_scored, free.report.states_scored);
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
