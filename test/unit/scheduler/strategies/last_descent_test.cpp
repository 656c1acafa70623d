// Single decisions are changed as long as that pays.
#include "scheduler/strategies/last_descent.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scheduler/nest/launch.h"
#include "scheduler/search/launch_costs.h"
#include "scheduler/search/search_parts.h"
#include "unit/scheduler/strategies/problem.h"

namespace autoschedule_gpu {
namespace {

using example::Problem;

CompleteState complete(const Problem &problem, State state) {
    return {problem.dag, std::move(state), problem.space.freedom()};
}

// Plainly scheduled: each Func in a kernel of its own, with tiles that nobody has chosen.
State plain(const Problem &problem) {
    SearchContext context(problem.options);
    return StrategyRegistry().find("plain").value()->search(problem.value(), context).best.front();
}

CompleteState descended(const Problem &problem, const State &from, SearchReport *report = nullptr) {
    SearchContext context(problem.options);
    SearchReport own;
    CompleteState result = last_descent(problem.value(), context, complete(problem, from),
                                        report == nullptr ? own : *report);
    return result;
}

TEST(LastDescent, FindsBetterDecisions) {
    const Problem problem(example::two_stencils(1536, 1024));
    const State before = plain(problem);
    SearchReport report;
    const CompleteState after = descended(problem, before, &report);
    EXPECT_LT(after.state.cost, 0.9 * before.cost);
    EXPECT_EQ(check(*after.dag, after.state.nest, Completeness::complete),
              std::vector<std::string>{});
    ASSERT_EQ(report.parts.size(), 1u);
    EXPECT_EQ(report.parts[0].name, "last_descent");
    EXPECT_EQ(report.parts[0].cost_before, before.cost);
    EXPECT_EQ(report.parts[0].cost_after, after.state.cost);
}

TEST(LastDescent, CostsWhatTheModelSays) {
    const Problem problem(example::derivatives(1536, 1024));
    const CompleteState after = descended(problem, plain(problem));
    const SearchSpace space(*after.dag, problem.models.gpu, problem.rules, after.freedom);
    SearchContext context(problem.options);
    SearchReport report;
    Workbench bench(space, *problem.models.model, context, report);
    const State anew =
        with_costs_of_launches(*after.dag, problem.models.gpu, *problem.models.model,
                               with_costs(bench.costs, space.adopt(after.state.nest)));
    EXPECT_TRUE(shares_launches(after.state.nest));
    EXPECT_DOUBLE_EQ(after.state.cost, anew.cost);
    EXPECT_EQ(after.state.id, anew.id);
}

TEST(LastDescent, NeverCostsMore) {
    for (example::NamedDag &e : example::all()) {
        const Problem problem(e.dag);
        const State before = problem.found_by("greedy_grouping").best.front();
        const CompleteState after = descended(problem, before);
        EXPECT_LE(after.state.cost, before.cost) << e.name;
        EXPECT_EQ(check(*after.dag, after.state.nest, Completeness::complete),
                  std::vector<std::string>{})
            << e.name;
    }
}

TEST(LastDescent, DoesNotDependOnThreads) {
    Problem problem(example::stencil_chain(8, 1536, 1024));
    const State before = plain(problem);
    const uint64_t by_one = descended(problem, before).state.id;
    problem.options.limits.threads = 4;
    EXPECT_EQ(descended(problem, before).state.id, by_one);
}

TEST(LastDescent, LeavesKindsThatAreSwitchedOff) {
    Problem problem(example::two_stencils(1536, 1024));
    const State before = plain(problem);
    problem.options.disabled_decisions = {"place",     "serial",       "threads", "unroll",
                                          "vectors",   "rows",         "steps",   "padding",
                                          "multiples", "compute_with", "sliding"};
    EXPECT_EQ(descended(problem, before).state.id, before.id);
    problem.options.disabled_decisions = {"place"};
    const CompleteState after = descended(problem, before);
    EXPECT_LT(after.state.cost, before.cost);
    EXPECT_EQ(std::ranges::count(after.state.nest.places, Place::root),
              std::ranges::count(before.nest.places, Place::root));
}

TEST(LastDescent, LeavesAllWhereTimeIsUp) {
    Problem problem(example::two_stencils(1536, 1024));
    const State before = plain(problem);
    problem.options.limits.time_limit_s = 0;
    EXPECT_EQ(descended(problem, before).state.id, before.id);
}

}  // namespace
}  // namespace autoschedule_gpu
