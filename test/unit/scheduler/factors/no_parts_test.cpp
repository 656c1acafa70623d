#include "scheduler/factors/no_parts.h"

#include <gtest/gtest.h>

#include "scheduler/factors/factor_directives.h"
#include "unit/scheduler/factors/reductions.h"

namespace autoschedule_gpu {
namespace {

using namespace test;

// Whether the reduction, as often as it runs, may have no parts.
bool may_have_none(Dag dag, Factoring factoring, bool may_be_empty = true) {
    const StageId update = dag.funcs.back().stages.back();
    dag.stages[update.index()].loops[0].may_be_empty = may_be_empty;
    const FactoredStage stage{update, factoring};
    const std::vector<StageId> found = may_have_no_parts(dag, factor_directives(dag, {&stage, 1}));
    EXPECT_TRUE(found.empty() || found == std::vector<StageId>{update});
    return !found.empty();
}

TEST(NoParts, AreOfReductionsInAsManyChunksAsTheyRun) {
    EXPECT_TRUE(may_have_none(full_sum(1'000'000), {256, 32}));
    EXPECT_TRUE(may_have_none(row_sums(100'000, 64), {1, 32}));
    EXPECT_FALSE(may_have_none(full_sum(1'000'000), {256, 32}, false));
}

TEST(NoParts, AreOfLanesThatHaveNeighbours) {
    EXPECT_FALSE(may_have_none(row_sums(1024, 4096), {32, 0}));
    EXPECT_FALSE(may_have_none(column_sums(1'000'000, 1024), {1, 0}));
    EXPECT_TRUE(may_have_none(row_sums(1024, 4096, Partials::in_order), {32, 0}));
}

TEST(NoParts, AreFoundInEachScheduleOfSeveralSizes) {
    Dag dag = full_sum(1'000'000);
    const StageId update = dag.funcs.back().stages.back();
    dag.stages[update.index()].loops[0].may_be_empty = true;
    const FactoredStage stage{update, {256, 32}};
    const Schedule one = factor_directives(dag, {&stage, 1});
    Directive sizes;
    sizes.op = DirectiveOp::for_sizes;
    Schedule both = {sizes};
    both.push_back(sizes);
    both.insert(both.end(), one.begin(), one.end());
    EXPECT_EQ(may_have_no_parts(dag, both), std::vector<StageId>{update});
}

}  // namespace
}  // namespace autoschedule_gpu
