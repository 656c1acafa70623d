#include "scheduler/search/slide_windows.h"

#include <gtest/gtest.h>

#include "scheduler/nest/sliding.h"
#include "scheduler/search/windows.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::find_func;
using example::Search;
using example::state_by_text;

std::optional<State> slid(const Search &search, const State &state) {
    const SearchContext context(search.options);
    SearchReport report;
    return slide_windows(search.space, search.model, context, state, report);
}

const std::string kStepsApart =
    "kernel f1\n  f1 threads x=32 y=8 z=2\nkernel f0\n  f0 threads x=32 y=8 z=2\n";

TEST(SlideWindows, MakesOneKernelThatWalksOfTwoStepsInAVolume) {
    const Search search(example::crosses_in_a_cube(2, 256));
    const State before = state_by_text(search, kStepsApart);
    const std::optional<State> after = slid(search, before);
    ASSERT_TRUE(after);
    ASSERT_EQ(after->nest.kernels.size(), 1u);
    EXPECT_GT(walk_of(after->nest.kernels[0]->tiling), 1);
    EXPECT_LT(after->cost, before.cost);
    EXPECT_EQ(check(search.dag, after->nest, Completeness::complete), std::vector<std::string>{});
    EXPECT_EQ(after->id, after->nest.hash());
}

TEST(SlideWindows, TakesWhatIsInlinedIntoItsReadersBlocks) {
    const Search search(example::crosses_in_a_cube(2, 256));
    const State before =
        state_by_text(search, "inline: f0\nkernel f1\n  f1 threads x=32 y=8 z=2\n");
    const std::optional<State> after = slid(search, before);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->nest.place(find_func(search.dag, "f0")), Place::block);
    EXPECT_GT(walk_of(after->nest.kernels[0]->tiling), 1);
}

TEST(SlideWindows, IsNothingWithoutAWindow) {
    const Search search(example::copy(512, 256));
    EXPECT_FALSE(slid(search, state_by_text(search, "kernel out\n  out threads x=32 y=8\n")));
}

TEST(SlideWindows, IsNothingWhereALoopIsShort) {
    const Search search(example::crosses_in_a_cube(2, 48));
    EXPECT_FALSE(slid(search, state_by_text(search, kStepsApart)));
}

TEST(Windows, AreOfKernelsThatCostEnough) {
    const Search search(example::crosses_in_a_cube(2, 256));
    const State state = state_by_text(search, kStepsApart);
    const std::vector<Window> found = windows(search.dag, state, 0.1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].func, find_func(search.dag, "f0"));
    EXPECT_EQ(found[0].kernels.size(), 2u);
    ASSERT_TRUE(found[0].joined);
    EXPECT_EQ(found[0].joined->tiling, state.nest.kernels[found[0].kernels.back()]->tiling);
    EXPECT_TRUE(windows(search.dag, state, 0.9).empty());
}

}  // namespace
}  // namespace autoschedule_gpu
