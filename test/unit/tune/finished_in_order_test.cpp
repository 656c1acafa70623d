#include "tune/executors/finished_in_order.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "core/support/parallel.h"

namespace autoschedule_gpu {
namespace {

TEST(FinishedInOrder, WaitsForThoseBeforeAndForNoOthers) {
    std::vector<size_t> seen;
    FinishedInOrder pieces(4, [&](size_t piece) {
        seen.push_back(piece);
        return Status(Ok{});
    });
    pieces.finish(1);
    EXPECT_TRUE(seen.empty());
    pieces.finish(0);
    EXPECT_EQ(seen, (std::vector<size_t>{0, 1}));
    pieces.finish(3);
    EXPECT_EQ(seen.size(), 2U);
    pieces.finish(2);
    EXPECT_EQ(seen, (std::vector<size_t>{0, 1, 2, 3}));
}

TEST(FinishedInOrder, EndsAtTheFirstError) {
    int calls = 0;
    FinishedInOrder pieces(3, [&](size_t piece) {
        ++calls;
        return piece == 1 ? Status(Error{"no"}) : Status(Ok{});
    });
    pieces.finish(0);
    EXPECT_TRUE(pieces.status());
    pieces.finish(2);
    pieces.finish(1);
    ASSERT_FALSE(pieces.status());
    EXPECT_EQ(pieces.status().error().message, "no");
    EXPECT_EQ(calls, 2);
}

TEST(FinishedInOrder, TakesPiecesOfManyThreads) {
    std::vector<size_t> seen, all(200);
    std::iota(all.begin(), all.end(), size_t{0});
    FinishedInOrder pieces(all.size(), [&](size_t piece) {
        seen.push_back(piece);
        return Status(Ok{});
    });
    ThreadPool(4).for_each(all.size(), [&](size_t i) { pieces.finish(i); });
    EXPECT_EQ(seen, all);
}

}  // namespace
}  // namespace autoschedule_gpu
