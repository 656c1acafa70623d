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

// Threads have a line each, and are at its first points together. There are so many lines that
// memory is busy all the time; few ones would wait longer at each step, for sectors that nobody has
// read.
TEST(ReorderStorage, TurnsWhatThreadsScanSideBySide) {
    const Search search(example::iir(256, 1 << 18));
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

// Four curves in a table that data looks up, which is larger than shared memory.
Dag looked_up_curves() {
    constexpr int64_t kEntries = 1 << 14;
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId curves = b.func("curves", {"v", "c"}), at_pixel = b.func("at", {"x", "y", "c"});
    const FuncId out = b.output("out", {{"x", 0, 2047}, {"y", 0, 2047}});
    b.ops(curves, OpKind::transcendental, 20);
    b.reads(at_pixel, in, {example::at(0), example::at(1)});
    b.reads(at_pixel, curves, {example::anywhere(0, kEntries - 1), example::at(2)});
    b.reads(out, at_pixel, {example::at(0), example::at(1), {.terms = {}, .lo = 0, .hi = 3}}, 4);
    Dag dag = b.build();
    // Where it looks does not depend on the channel.
    for (Load &load : dag.stages[dag.func(at_pixel).stages[0].index()].loads) {
        if (load.producer == curves) load.access.at(0, 2) = {0, true};
    }
    return dag;
}

TEST(ReorderStorage, BringsChannelsIntoThreadsThatLoadThemAtOnce) {
    const Search search(looked_up_curves());
    const State before = search.run().best[0];
    const FuncId curves = example::find_func(search.dag, "curves");
    const FuncId at_pixel = example::find_func(search.dag, "at");
    ASSERT_EQ(before.nest.place(curves), Place::root);
    ASSERT_EQ(before.nest.place(at_pixel), Place::inlined);
    const std::optional<ReorderedStorage> after = reordered(search, before);
    ASSERT_TRUE(after.has_value());
    EXPECT_EQ(innermost_dimension(after->dag->func(curves)), 1);
    EXPECT_EQ(after->state.nest.place(at_pixel), Place::threads);
    EXPECT_EQ(check(*after->dag, after->state.nest, Completeness::complete),
              std::vector<std::string>{});
}

TEST(ReorderStorage, LeavesAloneWhatIsToKeepItsOrder) {
    Dag dag = example::iir(1024, 512);
    keep_storage_orders(dag);
    const Search search(std::move(dag));
    EXPECT_FALSE(reordered(search, plain_state(search.space, search.model)));
}

}  // namespace
}  // namespace autoschedule_gpu
