#include "scheduler/search/reorder_storage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/dag/storage_order.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::Search;

std::optional<ReorderedStorage> reordered(const Search &search, const State &state) {
    SearchContext context(search.options);
    SearchReport report;
    return reorder_storage(search.space, search.model, context, state, report);
}

// Threads have a line each, and are at its first points together.
TEST(ReorderStorage, TurnsWhatThreadsScanSideBySide) {
    const Search search(example::iir(1024, 512));
    const State before = plain_state(search.space, search.model);
    const FuncId scan = example::find_func(search.dag, "scan");
    ASSERT_EQ(before.nest.place(scan), Place::root);
    const std::optional<ReorderedStorage> after = reordered(search, before);
    ASSERT_TRUE(after.has_value());
    EXPECT_LT(after->state.cost, before.cost);
    EXPECT_EQ(innermost_dimension(after->dag->func(scan)), 1);
    EXPECT_EQ(check(*after->dag, after->state.nest, Completeness::complete),
              std::vector<std::string>{});
    const Schedule schedule = directives(*after->dag, after->state.nest);
    const auto reorder = std::ranges::find(schedule, DirectiveOp::reorder_storage, &Directive::op);
    ASSERT_NE(reorder, schedule.end());
    EXPECT_EQ(describe(*reorder), "scan.reorder_storage(y, x)");
}

TEST(ReorderStorage, NeverCostsMoreAndMovesNothing) {
    for (example::NamedDag &e : example::all()) {
        const Search search(std::move(e.dag));
        const State before = plain_state(search.space, search.model);
        const std::optional<ReorderedStorage> after = reordered(search, before);
        if (!after) continue;
        EXPECT_LT(after->state.cost, before.cost) << e.name;
        EXPECT_EQ(after->state.nest.places, before.nest.places) << e.name;
        EXPECT_EQ(check(*after->dag, after->state.nest, Completeness::complete),
                  std::vector<std::string>{})
            << e.name;
    }
}

TEST(ReorderStorage, LeavesAloneWhatIsToKeepItsOrder) {
    Dag dag = example::iir(1024, 512);
    keep_storage_orders(dag);
    const Search search(std::move(dag));
    EXPECT_FALSE(reordered(search, plain_state(search.space, search.model)));
}

}  // namespace
}  // namespace autoschedule_gpu
