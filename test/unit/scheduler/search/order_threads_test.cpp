#include "scheduler/search/order_threads.h"

#include <gtest/gtest.h>

#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::at;
using example::Search;

State ordered(const Search &search, const State &state) {
    SearchContext context(search.options);
    SearchReport report;
    return order_threads(search.space, search.model, context, state, report);
}

// prod(x, y) += left(y, k) * right(k, x): what is loaded lies along y.   out = prod
Dag product_of_columns_and_rows(int64_t size) {
    example::DagBuilder b;
    const FuncId left = b.input("a", {"x", "y"}), right = b.input("b", {"x", "y"});
    const FuncId prod = b.func("prod", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, size - 1}, {"y", 0, size - 1}});
    const StageId sum = b.update(
        prod, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, size - 1)}, {at(0), at(1)});
    b.reads(sum, prod, {at(0), at(1)}).reads(sum, left, {at(1), at(2)});
    b.reads(sum, right, {at(2), at(0)}).ops(sum, OpKind::mul, 1).ops(sum, OpKind::add, 1);
    return b.reads(out, prod, {at(0), at(1)}).build();
}

TEST(OrderThreads, GoAlongWhatIsLoadedWhereThatIsMore) {
    const Search search(product_of_columns_and_rows(1024));
    const State before = search.run().best[0];
    const State after = ordered(search, before);
    EXPECT_LT(after.cost, 0.9 * before.cost);
    EXPECT_EQ(after.id, after.nest.hash());
    EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{});
    bool across = false;
    for (const KernelPtr &kernel : after.nest.kernels) across |= !kernel->along_stores;
    EXPECT_TRUE(across);
}

TEST(OrderThreads, GoAlongWhatIsStoredIfThatIsAllThereIs) {
    const Search search(example::two_stencils(1536, 1024));
    const State before = search.run().best[0];
    EXPECT_EQ(ordered(search, before).id, before.id);
}

TEST(OrderThreads, MakeNoMoreBlocksAlongADimensionThanADeviceAllows) {
    // Of what is loaded along y, millions of blocks along x would be the grid's second dimension.
    example::DagBuilder b;
    const FuncId in = b.input("in", {"y", "k", "x"});
    const FuncId sum = b.func("sum", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 7'999'999}, {"y", 0, 31}});
    const StageId add =
        b.update(sum, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, 7)}, {at(0), at(1)});
    b.reads(add, sum, {at(0), at(1)}).reads(add, in, {at(1), at(2), at(0)});
    const Search search(b.reads(out, sum, {at(0), at(1)}).build());
    const State after = ordered(search, search.run().best[0]);
    for (const KernelPtr &kernel : after.nest.kernels) {
        EXPECT_FALSE(search.space.rejection(*kernel).has_value());
    }
}

TEST(OrderThreads, NeverCostMore) {
    for (example::NamedDag &e : example::all()) {
        const Search search(std::move(e.dag));
        const State before = search.run().best[0];
        const State after = ordered(search, before);
        EXPECT_LE(after.cost, before.cost) << e.name;
        EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{})
            << e.name;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
