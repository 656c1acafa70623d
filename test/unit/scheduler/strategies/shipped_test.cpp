#include "scheduler/strategies/shipped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scheduler/nest/structure.h"
#include "scheduler/search/beam_search.h"
#include "scheduler/search/greedy_grouping.h"
#include "scheduler/search/plain.h"
#include "scheduler/search/stage_inputs.h"
#include "unit/scheduler/strategies/problem.h"

namespace autoschedule_gpu {
namespace {

using example::part_names;
using example::Problem;

TEST(Strategies, FindCompleteSoundStatesBestFirst) {
    for (const char *name : {"beam", "greedy_grouping", "sampled", "plain"}) {
        for (example::NamedDag &e : example::all()) {
            const Problem problem(e.dag);
            const SearchResult result = problem.found_by(name);
            ASSERT_FALSE(result.best.empty()) << name << " " << e.name;
            double before = 0;
            for (const State &state : result.best) {
                EXPECT_EQ(check(*problem.dag, state.nest, Completeness::complete),
                          std::vector<std::string>{})
                    << name << " " << e.name;
                EXPECT_GE(state.cost, before);
                before = state.cost;
            }
        }
    }
}

TEST(BeamStrategy, StartsFromADraft) {
    const Problem problem(example::stencil_chain(8, 1536, 1024));
    const SearchReport report = problem.found_by("beam").report;
    ASSERT_FALSE(report.parts.empty());
    const SearchPart &draft = report.parts.front();
    EXPECT_EQ(draft.name, "draft");
    EXPECT_EQ(draft.seconds, report.times.draft);
    EXPECT_EQ(draft.cost_after, report.draft_cost);
    EXPECT_GT(draft.states, 0u);
    EXPECT_EQ(part_names(report), (std::vector<std::string>{
                                      "draft", "pass", "improve_tilings", "pass", "improve_tilings",
                                      "reconsider_places", "improve_members", "slide_windows"}));
}

TEST(BeamStrategy, GoesOnFromAStartInOnePass) {
    const Problem problem(example::stencil_chain(8, 1536, 1024));
    const State found = problem.found_by("beam").best.front();
    SearchContext context(problem.options);
    SearchProblem other = problem.value();
    other.start = &found.nest;
    const SearchResult result = StrategyRegistry().find("beam").value()->search(other, context);
    EXPECT_EQ(result.report.passes, 1);
    EXPECT_EQ(result.report.draft_cost, found.cost);
    EXPECT_LE(result.best.front().cost, found.cost);
    EXPECT_GT(context.clock.effort(), 0) << "the effort counts";
}

// The draft is that of nested fusion by the analytical model, whatever ranks the states.
TEST(BeamStrategy, IsGreedyGroupingThenBeamSearch) {
    const Problem problem(example::two_stencils(1536, 1024));
    SearchContext context(problem.options);
    const State draft =
        greedy_grouping(problem.space, problem.models.draft(), context, Fusion::nested)
            .best.front();
    const SearchResult by_hand =
        beam_search(problem.space, *problem.models.model, context, &draft.nest);
    const SearchResult found = problem.found_by("beam");
    ASSERT_EQ(found.best.size(), by_hand.best.size());
    for (size_t i = 0; i < found.best.size(); ++i) {
        EXPECT_EQ(found.best[i].id, by_hand.best[i].id);
    }
    EXPECT_EQ(found.report.draft_cost, by_hand.report.draft_cost);
}

TEST(BeamStrategy, HasNoDraftWithDropout) {
    Problem problem(example::stencil_chain(8, 1536, 1024));
    problem.options.random_dropout = 50;
    const SearchReport report = problem.found_by("beam").report;
    EXPECT_EQ(part_names(report), std::vector<std::string>{"pass"});
    EXPECT_EQ(report.draft_cost, 0);
    EXPECT_EQ(report.times.draft, 0);
}

TEST(BeamStrategy, DraftsWithoutFusionWhereTheSpaceHasNone) {
    const Problem problem(example::stencil_chain(8, 1536, 1024), Freedom::no_fusion);
    for (const State &state : problem.found_by("beam").best) {
        EXPECT_TRUE(std::ranges::none_of(state.nest.places, is_in_kernel));
    }
}

TEST(BeamStrategy, ReturnsItsDraftOrBetterWithoutTime) {
    Problem problem(example::stencil_chain(8, 1536, 1024));
    problem.options.limits.time_limit_s = 0;
    const SearchResult result = problem.found_by("beam");
    EXPECT_EQ(result.report.stop_reason.kind, StopReason::Kind::time_limit);
    EXPECT_EQ(result.report.stop_reason.limit, 0);
    EXPECT_GT(result.report.stop_reason.measured, 0);
    EXPECT_LE(result.best.front().cost, result.report.draft_cost);
}

// A Func that is read 9 x 9 and too dear to be computed anew in each block.
Dag wide_stencil() {
    using namespace example;
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f = b.func("f", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 2047}, {"y", 0, 2047}});
    b.reads(f, in, {at(0, -1, 1), at(1, -1, 1)}, 9).ops(f, OpKind::transcendental, 400);
    b.reads(out, f, {at(0, -4, 4), at(1, -4, 4)}, 81).ops(out, OpKind::add, 81);
    return b.build();
}

TEST(BeamStrategy, FinishesByStagingInputs) {
    const Problem problem(wide_stencil());
    SearchContext context(problem.options);
    SearchReport report;
    const State before = plain_state(problem.space, *problem.models.model);
    const auto finished = make_beam()->finish(problem.value(), context, before, report);
    ASSERT_TRUE(finished);
    EXPECT_LT(finished->state.cost, before.cost);
    EXPECT_EQ(finished->freedom, Freedom::full);
    EXPECT_NE(finished->dag->funcs.size(), problem.dag->funcs.size()) << "with wrappers";
    EXPECT_EQ(check(*finished->dag, finished->state.nest, Completeness::complete),
              std::vector<std::string>{});
    EXPECT_EQ(part_names(report),
              (std::vector<std::string>{"stage_inputs", "reorder_storage", "fit_blocks", "pad_rows",
                                        "choose_steps", "order_threads", "share_launches",
                                        "copy_reordered"}));
    EXPECT_EQ(report.parts[report.parts.size() - 2].cost_after, finished->state.cost);
}

TEST(BeamStrategy, StagesNothingWithoutFusion) {
    const Problem problem(wide_stencil(), Freedom::no_fusion);
    SearchContext context(problem.options);
    SearchReport report;
    const State before = plain_state(problem.space, *problem.models.model);
    const auto finished = make_beam()->finish(problem.value(), context, before, report);
    EXPECT_TRUE(!finished || finished->state.nest.places == before.nest.places);
    // The kernels of both orders are refined.
    EXPECT_EQ(part_names(report),
              (std::vector<std::string>{"reorder_storage", "fit_blocks", "pad_rows", "choose_steps",
                                        "order_threads", "fit_blocks", "pad_rows", "choose_steps",
                                        "order_threads", "share_launches", "copy_reordered"}));
}

// What the search left of the time is not enough: the reads that are not staged were cut off.
TEST(BeamStrategy, SaysThatStagingWasCutShort) {
    const Problem problem(wide_stencil());
    int asked = 0;
    SearchContext context(problem.options, SearchClock(2, [&] { return double(asked++); }));
    SearchReport report;
    const State before = plain_state(problem.space, *problem.models.model);
    make_beam()->finish(problem.value(), context, before, report);
    EXPECT_EQ(context.clock.stop_reason().kind, StopReason::Kind::time_limit);
    EXPECT_EQ(context.clock.stop_reason().measured, 3);
}

TEST(GreedyStrategy, IsGreedyGroupingAlone) {
    Problem problem(example::stencil_chain(8, 1536, 1024));
    const SearchResult result = problem.found_by("greedy_grouping");
    EXPECT_EQ(result.best.size(), 1u);
    EXPECT_EQ(result.report.draft_cost, 0);
    EXPECT_EQ(part_names(result.report), std::vector<std::string>{"greedy_grouping"});
    EXPECT_EQ(result.report.parts[0].cost_after, result.best[0].cost);
    SearchContext context(problem.options);
    SearchReport report;
    EXPECT_FALSE(make_greedy_grouping()->finish(problem.value(), context, result.best[0], report));
}

TEST(GreedyStrategy, FusesAsItIsAskedTo) {
    Problem problem(example::stencil_chain(8, 1536, 1024));
    const auto fused = [&](Fusion fusion) {
        problem.options.fusion = fusion;
        const Nest nest = problem.found_by("greedy_grouping").best[0].nest;
        return std::ranges::count_if(nest.places, is_in_kernel);
    };
    EXPECT_EQ(fused(Fusion::none), 0);
    EXPECT_GT(fused(Fusion::nested), 0);
}

// What the tuner draws: without a draft, which would be the best of nearly all.
TEST(SampledStrategy, FindsOtherStructuresUnderOtherSeeds) {
    Problem problem(example::stencil_chain(8, 1536, 1024));
    problem.options.limits.beam_size = 1;
    problem.options.limits.num_passes = 1;
    std::set<uint64_t> states, places;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        problem.options.seed = seed;
        const SearchResult result = problem.found_by("sampled");
        EXPECT_EQ(part_names(result.report), std::vector<std::string>{"pass"});
        states.insert(result.best.front().id);
        places.insert(structural_hash(result.best.front().nest, 2));
    }
    EXPECT_GE(states.size(), 18u);
    EXPECT_GE(places.size(), 5u);
}

// Of its paper's model and a second's time, unless the user wants otherwise.
TEST(Strategies, TellWhatGoesWithThem) {
    EXPECT_EQ(make_greedy_grouping()->info().pace, Pace::quick);
    EXPECT_EQ(make_sampled()->info().pace, Pace::quick);
    EXPECT_EQ(make_greedy_grouping()->info().own_model, ModelKind::analytical);
    for (const auto &strategy : {make_beam(), make_plain(), make_host()}) {
        const bool searches = strategy->info().name == "beam";
        EXPECT_EQ(strategy->info().pace, searches ? Pace::thorough : Pace::none);
        EXPECT_FALSE(strategy->info().own_model) << strategy->info().name;
    }
}

TEST(PlainAndHost, SearchNothing) {
    const Problem problem(example::stencil_chain(4, 1536, 1024));
    EXPECT_EQ(problem.found_by("plain").report.passes, 0);
    EXPECT_EQ(problem.found_by("plain").best[0].id,
              plain_state(problem.space, *problem.models.model).id);
    EXPECT_EQ(problem.found_by("host").report.passes, 0);
    EXPECT_EQ(problem.found_by("host").best[0].id, host_state(problem.space).id);
}

}  // namespace
}  // namespace autoschedule_gpu
