#include "scheduler/search/choose_steps.h"

#include <gtest/gtest.h>

#include "scheduler/nest/regions.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::Search;

State chosen(Search &search, const State &state) {
    SearchContext context(search.options);
    SearchReport report;
    return choose_steps(search.space, search.model, context, state, report);
}

TEST(ChooseSteps, NeverCostsMoreAndChangesNothingElse) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        const State before = plain_state(search.space, search.model);
        const State after = chosen(search, before);
        EXPECT_LE(after.cost, before.cost) << e.name;
        EXPECT_EQ(after.id, after.nest.hash()) << e.name;
        EXPECT_EQ(after.nest.places, before.nest.places) << e.name;
        EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{})
            << e.name;
        ASSERT_EQ(after.nest.kernels.size(), before.nest.kernels.size()) << e.name;
        for (size_t k = 0; k < before.nest.kernels.size(); ++k) {
            if (has_cut_tiles(search.dag, *before.nest.kernels[k])) continue;
            EXPECT_EQ(after.nest.kernels[k]->tiling, before.nest.kernels[k]->tiling) << e.name;
        }
    }
}

TEST(ChooseSteps, WritesOutStepsOfALongScan) {
    Search search(example::iir(1024, 512));
    const StageId scan = example::find_stage(search.dag, "scan.update(0)");
    const State after = chosen(search, plain_state(search.space, search.model));
    const Kernel &kernel = *after.nest.kernels[static_cast<size_t>(after.home[scan.index()])];
    EXPECT_GT(find_innermost(kernel, scan)->steps, 1);
}

// Of 500 lines, tiles of 32 cut the last one off, where each step would have a guard.
TEST(ChooseSteps, HasWholeTilesForThem) {
    Search search(example::iir(1024, 500));
    const StageId scan = example::find_stage(search.dag, "scan.update(0)");
    const State before = plain_state(search.space, search.model);
    const size_t k = static_cast<size_t>(before.home[scan.index()]);
    ASSERT_TRUE(has_cut_tiles(search.dag, *before.nest.kernels[k]));
    const State after = chosen(search, before);
    const Kernel &kernel = *after.nest.kernels[k];
    EXPECT_FALSE(has_cut_tiles(search.dag, kernel));
    EXPECT_GT(find_innermost(kernel, scan)->steps, 1);
}

TEST(ReductionsAsLoops, HaveNoSteps) {
    Search search(example::iir(1024, 512));
    const State before = plain_state(search.space, search.model);
    const State stepped = chosen(search, before);
    ASSERT_NE(stepped.id, before.id);
    example::OwnParts own(search);
    State after = stepped;
    for (size_t k = 0; k < after.nest.kernels.size(); ++k) {
        after = with_reductions_as_loops(own.parts, std::move(after), k);
    }
    EXPECT_EQ(after.id, before.id);
    EXPECT_EQ(after.cost, before.cost);
}

TEST(FewerSteps, AreHalfAsManyOfOneStage) {
    Search search(example::iir(1024, 512));
    const StageId scan = example::find_stage(search.dag, "scan.update(0)");
    const State before = chosen(search, plain_state(search.space, search.model));
    const size_t k = static_cast<size_t>(before.home[scan.index()]);
    const int64_t steps = find_innermost(*before.nest.kernels[k], scan)->steps;
    example::OwnParts own(search);
    const std::vector<State> others = with_fewer_steps(own.parts, before, k);
    ASSERT_EQ(others.size(), 1u);
    EXPECT_EQ(find_innermost(*others[0].nest.kernels[k], scan)->steps, steps / 2);
    EXPECT_EQ(others[0].id, others[0].nest.hash());
    const State plain = plain_state(search.space, search.model);
    EXPECT_TRUE(with_fewer_steps(own.parts, plain, k).empty());
}

TEST(MoreSteps, AreTwiceAsManyOfOneStage) {
    Search search(example::iir(1024, 512));
    const StageId scan = example::find_stage(search.dag, "scan.update(0)");
    const State before = plain_state(search.space, search.model);
    const size_t k = static_cast<size_t>(before.home[scan.index()]);
    ASSERT_EQ(find_innermost(*before.nest.kernels[k], scan)->steps, 1);
    example::OwnParts own(search);
    const std::vector<State> others = with_more_steps(own.parts, before, k);
    ASSERT_EQ(others.size(), 1u);
    EXPECT_EQ(find_innermost(*others[0].nest.kernels[k], scan)->steps, 2);
    State most = others[0];
    for (std::vector<State> more = others; !more.empty();) {
        most = more[0];
        more = with_more_steps(own.parts, most, k);
    }
    EXPECT_EQ(find_innermost(*most.nest.kernels[k], scan)->steps,
              possible_steps(search.dag, *most.nest.kernels[k], scan).back());
}

// Whoever asks: the user has switched them off.
TEST(MoreSteps, AreNoneWhereStepsAreNotToBeDecided) {
    Search search(example::iir(1024, 512));
    const State before = plain_state(search.space, search.model);
    const State stepped = chosen(search, before);
    ASSERT_NE(stepped.id, before.id);
    search.options.disabled_decisions = {"steps"};
    example::OwnParts own(search);
    for (size_t k = 0; k < before.nest.kernels.size(); ++k) {
        EXPECT_TRUE(with_more_steps(own.parts, before, k).empty());
        EXPECT_TRUE(with_fewer_steps(own.parts, stepped, k).empty());
    }
}

TEST(ReductionsAsLoops, StayUnrolledWhereThatIsNotToBeDecided) {
    Search search(example::reduced_stencil(1024, 512));
    const State before = plain_state(search.space, search.model);
    const StageId sum = example::find_stage(search.dag, "total.update(0)");
    const size_t k = static_cast<size_t>(before.home[sum.index()]);
    example::OwnParts own(search);
    ASSERT_NE(with_reductions_as_loops(own.parts, before, k).id, before.id) << "three iterations";
    search.options.disabled_decisions = {"unroll"};
    example::OwnParts without(search);
    EXPECT_EQ(with_reductions_as_loops(without.parts, before, k).id, before.id);
}

TEST(ChooseSteps, LeavesWhatHasNoReductionAlone) {
    Search search(example::stencil_chain(4, 1536, 1024));
    const State before = plain_state(search.space, search.model);
    EXPECT_EQ(chosen(search, before).id, before.id);
}

}  // namespace
}  // namespace autoschedule_gpu
