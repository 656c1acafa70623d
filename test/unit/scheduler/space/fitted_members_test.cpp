#include "scheduler/space/fitted_members.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "scheduler/nest/edit.h"
#include "unit/example_dags.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::Search;
using example::state_by_text;

constexpr int64_t kWarp = 32;

class FittedMembersTest : public testing::Test {
protected:
    // How f1 is tiled, so many of f0 being needed.
    Tiling of_f1(const Tiling &tiling, std::array<int64_t, 2> needed) const {
        const FittedMember f0{FuncId(1), needed};
        return narrowed(dag_, example::find_stage(dag_, "f1"), tiling, {&f0, 1}, kWarp);
    }
    // Points of f0 per thread of a kernel of f1 that is tiled so.
    std::vector<int64_t> of_f0(const Tiling &tiling, std::array<int64_t, 2> needed) const {
        const KernelPtr kernel = make_kernel(dag_, example::find_stage(dag_, "f1"), tiling);
        return fitted_serial(dag_, *kernel, FuncId(1), needed, kWarp);
    }

    const Dag dag_ = example::stencil_chain(2, 1536, 1024);
};

TEST_F(FittedMembersTest, ATileIsNarrowerByTheBorderWhereThatLeavesLessIdle) {
    EXPECT_EQ(of_f1({{2, 64}, {8, 4}}, {130, 34}), (Tiling{{2, 63}, {8, 4}}))
        << "a third point would leave 20 of 64 threads idle; along y a ninth leaves none";
    EXPECT_EQ(of_f1({{1, 32}, {1, 16}}, {34, 18}), (Tiling{{1, 30}, {1, 14}}));
    EXPECT_EQ(of_f1({{2, 64}, {8, 4}}, {128, 32}), (Tiling{{2, 64}, {8, 4}})) << "no border";
    EXPECT_EQ(of_f1({{1, 32}, {1, 4}}, {64, 8}), (Tiling{{1, 32}, {1, 4}}))
        << "that is no border but another resolution";
}

TEST_F(FittedMembersTest, ANarrowedTileStaysAsItIs) {
    EXPECT_EQ(of_f1({{2, 63}, {8, 4}}, {128, 34}), (Tiling{{2, 63}, {8, 4}}));
    EXPECT_EQ(of_f1({{1, 30}, {1, 14}}, {32, 16}), (Tiling{{1, 30}, {1, 14}}));
}

TEST_F(FittedMembersTest, AThreadHasAsManyPointsAsItTakes) {
    EXPECT_EQ(of_f0({{2, 63}, {8, 4}}, {128, 34}), (std::vector<int64_t>{2, 9}));
    EXPECT_EQ(of_f0({{1, 30}, {1, 14}}, {32, 16}), (std::vector<int64_t>{1, 1}));
    EXPECT_EQ(of_f0({{1, 32}, {1, 8}}, {34, 10}), (std::vector<int64_t>{2, 2}));
}

TEST_F(FittedMembersTest, FitsNothingWhoseLoopsWouldBeOtherThreads) {
    EXPECT_EQ(of_f0({{1, 8}, {1, 16}}, {10, 18}), std::vector<int64_t>{})
        << "of nine rows the second loop is the first that is wide";
}

// The same kernel as one that is written so; and tiled anew, it is fitted again.
TEST(FittedTiles, NarrowTheTileAndKeepItNarrowed) {
    const Search search(example::stencil_chain(2, 1536, 1024));
    State state = state_by_text(search,
                                "kernel f1\n  f0 threads x=65 y=9\n    f0 serial x=2 y=4\n"
                                "  f1 threads x=64 y=4\n    f1 serial x=2 y=8\n");
    const State written = state_by_text(search,
                                        "kernel f1\n  f0 threads x=64 y=4\n    f0 serial x=2 y=9\n"
                                        "  f1 threads x=63 y=4\n    f1 serial x=2 y=8\n");
    const Tiling own = state.nest.kernels[0]->tiling;
    const std::vector<Decision> moves = search.space.fitted_tiles(state, 0, own);
    ASSERT_EQ(moves.size(), 1u);
    const auto applied = search.space.apply(state, moves[0]);
    ASSERT_TRUE(std::holds_alternative<Successor>(applied));
    state = materialise(search.dag, state, std::get<Successor>(applied), {0.0});
    EXPECT_EQ(state.nest.hash(), written.nest.hash()) << to_text(search.dag, state.nest);
    EXPECT_EQ(widened(search.dag, *state.nest.kernels[0], kWarp), own);
    EXPECT_EQ(widened(search.dag, *written.nest.kernels[0], kWarp), written.nest.kernels[0]->tiling)
        << "nothing says that it is fitted";

    const FuncId func = search.dag.stage(state.nest.kernels[0]->stage).func;
    const Tiling other = {{4, 32}, {8, 4}};
    const auto again = search.space.apply(state, decide_tiling(func, 0, other));
    ASSERT_TRUE(std::holds_alternative<Successor>(again));
    EXPECT_EQ(std::get<Successor>(again).changes[0].kernel->tiling, (Tiling{{4, 31}, {8, 4}}));
}

TEST(FittedTiles, AreWidenedToNoMoreThanTheLoop) {
    const Dag dag = example::stencil_chain(2, 20, 1024);
    const std::vector<int64_t> needed{22, 10}, serial{2, 2};
    const auto widened_from = [&](const Tiling &tiling) {
        KernelDraft draft(dag, example::find_stage(dag, "f1"), tiling);
        draft.compute_in_block(dag, FuncId(1), needed, serial, {}, MemberTile::fitted);
        return widened(dag, *std::move(draft).finish(), kWarp);
    };
    EXPECT_EQ(widened_from({{1, 20}, {1, 14}}), (Tiling{{1, 20}, {1, 16}}));
    EXPECT_EQ(widened_from({{1, 14}, {1, 14}}), (Tiling{{1, 16}, {1, 16}}));
}

}  // namespace
}  // namespace autoschedule_gpu
