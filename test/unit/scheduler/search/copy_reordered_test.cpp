#include "scheduler/search/copy_reordered.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/dag/storage_order.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::at;
using example::Search;

std::optional<ReorderedStorage> copied(const Search &search, const State &state) {
    SearchContext context(search.options);
    SearchReport report;
    return copy_reordered(search.space, search.model, context, state, report);
}

// prod(x, y) += left(k, y) * right(k, x), where left and right are inputs under other names; out =
// prod.
Dag product_of_rows(int64_t width, int64_t height, int64_t depth) {
    example::DagBuilder b;
    const FuncId a = b.input("a", {"x", "y"}), c = b.input("b", {"x", "y"});
    const FuncId left = b.func("left", {"x", "y"}), right = b.func("right", {"x", "y"});
    const FuncId prod = b.func("prod", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(left, a, {at(0), at(1)}).reads(right, c, {at(0), at(1)});
    const StageId sum = b.update(
        prod, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, depth - 1)}, {at(0), at(1)});
    b.reads(sum, prod, {at(0), at(1)}).reads(sum, left, {at(2), at(1)});
    b.reads(sum, right, {at(2), at(0)}).ops(sum, OpKind::mul, 1).ops(sum, OpKind::add, 1);
    b.reads(out, prod, {at(0), at(1)});
    return b.build();
}

TEST(CopyReordered, TransposesOneOfTwoMatricesThatLieAlongTheirSum) {
    const Search search(product_of_rows(1024, 1024, 1024));
    const State before = search.run().best[0];
    const std::optional<ReorderedStorage> after = copied(search, before);
    ASSERT_TRUE(after.has_value());
    EXPECT_LT(after->state.cost, 0.8 * before.cost);
    EXPECT_EQ(check(*after->dag, after->state.nest, Completeness::complete),
              std::vector<std::string>{});
    int copies = 0;
    for (const char *name : {"left", "right"}) {
        const FuncId func = example::find_func(search.dag, name);
        if (after->state.nest.place(func) != Place::root) continue;
        ++copies;
        EXPECT_EQ(innermost_dimension(after->dag->func(func)), 1) << name;
    }
    EXPECT_GE(copies, 1);
}

// A copy takes longer than what it would save.
TEST(CopyReordered, LeavesInlineWhatIsReadOnce) {
    const Search search(product_of_rows(2048, 1, 2048));
    EXPECT_FALSE(copied(search, search.run().best[0]));
}

TEST(CopyReordered, LeavesAloneWhatIsToKeepItsOrder) {
    Dag dag = product_of_rows(1024, 1024, 1024);
    keep_storage_orders(dag);
    const Search search(std::move(dag));
    EXPECT_FALSE(copied(search, search.run().best[0]));
}

TEST(CopyReordered, NeverCostsMore) {
    for (example::NamedDag &e : example::all()) {
        const Search search(std::move(e.dag));
        const State before = search.run().best[0];
        const std::optional<ReorderedStorage> after = copied(search, before);
        if (!after) continue;
        EXPECT_LT(after->state.cost, before.cost) << e.name;
        EXPECT_EQ(check(*after->dag, after->state.nest, Completeness::complete),
                  std::vector<std::string>{})
            << e.name;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
