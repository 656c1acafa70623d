#include "core/support/strong_id.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

namespace autoschedule_gpu {
namespace {

TEST(StrongId, KeepsTablesApart) {
    static_assert(!std::is_convertible_v<FuncId, StageId>);
    static_assert(!std::is_constructible_v<FuncId, StageId>);
    static_assert(!std::is_convertible_v<int, FuncId>);
    static_assert(sizeof(FuncId) == 4);
}

TEST(StrongId, IsInvalidUntilItIsGivenAnIndex) {
    EXPECT_FALSE(FuncId().valid());
    EXPECT_TRUE(FuncId(0).valid());
    EXPECT_EQ(FuncId(3).index(), 3u);
}

TEST(StrongId, IsOrderedByIndexAndHashes) {
    EXPECT_LT(FuncId(1), FuncId(2));
    EXPECT_EQ(FuncId(1), FuncId(1));
    const std::unordered_set<FuncId> ids = {FuncId(1), FuncId(2), FuncId(1)};
    EXPECT_EQ(ids.size(), 2u);
}

}  // namespace
}  // namespace autoschedule_gpu
