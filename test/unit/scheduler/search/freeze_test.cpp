#include "scheduler/search/freeze.h"

#include <gtest/gtest.h>

#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::Search;

class Freezing : public testing::Test {
protected:
    Freezing() : search_(example::stencil_chain(12, 1536, 1024), Freedom::no_fusion) {}

    State without_fusion() {
        search_.options.freeze = Switch::off;
        return search_.run().best[0];
    }
    Search search_;
};

TEST_F(Freezing, LeavesTheLogarithmOfTheFuncsFree) {
    const State state = plain_state(search_.space, search_.model);  // twelve kernels
    const Decided frozen = frozen_decisions(search_.space, state);
    EXPECT_EQ(frozen.funcs(), 12 - 4);
}

TEST_F(Freezing, LeavesTheMostExpensiveFree) {
    const State decided = without_fusion();
    const Decided frozen = frozen_decisions(search_.space, decided);
    ASSERT_GT(frozen.funcs(), 0);
    double free = 1e300, kept = 0;
    for (size_t k = 0; k < decided.nest.kernels.size(); ++k) {
        const FuncId func = search_.dag.stage(decided.nest.kernels[k]->stage).func;
        double &of_its_kind = frozen.has(func) ? kept : free;
        of_its_kind = frozen.has(func) ? std::max(kept, decided.kernel_costs[k])
                                       : std::min(free, decided.kernel_costs[k]);
    }
    EXPECT_GE(free, kept);
}

TEST(Freeze, MakesTheSearchLookAtFewerStatesAndSaysSo) {
    Search search(example::stencil_chain(16, 1536, 1024));
    const SearchReport free = search.run().report;
    search.options.freeze = Switch::on;
    const SearchResult frozen = search.run();
    EXPECT_FALSE(free.freeze);
    EXPECT_EQ(free.funcs_frozen, 0);
    EXPECT_TRUE(frozen.report.freeze);
    EXPECT_GE(frozen.report.funcs_frozen, 8);
    EXPECT_LT(frozen.report.states_scored, free.states_scored);
    EXPECT_EQ(check(search.dag, frozen.best[0].nest, Completeness::complete),
              std::vector<std::string>{});
}

TEST(Freeze, IsAutomaticForLongPipelines) {
    Search search(example::stencil_chain(static_cast<int>(kFreezeFuncs), 256, 128));
    search.options.limits.beam_size = 1;
    search.options.limits.num_passes = 1;
    EXPECT_TRUE(search.run().report.freeze);
    search.options.freeze = Switch::off;
    EXPECT_FALSE(search.run().report.freeze);
}

}  // namespace
}  // namespace autoschedule_gpu
