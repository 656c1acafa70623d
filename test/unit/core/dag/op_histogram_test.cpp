#include "core/dag/op_histogram.h"

#include <gtest/gtest.h>

#include <set>

namespace autoschedule_gpu {
namespace {

TEST(OpHistogram, StartsEmptyAndSumsAllCells) {
    OpHistogram ops;
    EXPECT_EQ(ops.total(), 0);
    ops.at(OpKind::add, OpType::single) = 3;
    ops.at(OpKind::other, OpType::wide_float) = 2;
    EXPECT_EQ(ops.total(), 5);
    EXPECT_EQ(ops.at(OpKind::add, OpType::single), 3);
    EXPECT_EQ(ops.at(OpKind::add, OpType::half), 0);
}

TEST(OpHistogram, EveryKindHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (size_t kind = 0; kind < kOpKindCount; kind++) {
        names.insert(to_string(static_cast<OpKind>(kind)));
    }
    EXPECT_EQ(names.size(), kOpKindCount);
    EXPECT_EQ(names.count(""), 0u);
    EXPECT_EQ(to_string(OpKind::min_max), "min_max");
}

}  // namespace
}  // namespace autoschedule_gpu
