#include "scheduler/search/pad_rows.h"

#include <gtest/gtest.h>

#include "scheduler/nest/text.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::Search;
using example::state_by_text;

State padded(const Search &search, const State &state) {
    SearchContext context(search.options);
    SearchReport report;
    return pad_rows(search.space, search.model, context, state, report);
}

const std::string kTurned =
    "kernel out\n  mid threads x=32 y=8\n    mid serial y=4\n"
    "  out threads x=32 y=8\n    out serial y=4\n";

TEST(PadRows, PadsWhatLanesReadAlongColumns) {
    const Search search(example::there_and_back(4096, 2048));
    const State before = state_by_text(search, kTurned);
    const State after = padded(search, before);
    EXPECT_LT(after.cost, before.cost);
    EXPECT_EQ(after.id, after.nest.hash());
    EXPECT_EQ(after.nest.kernels[0]->blocks->body[0]->row, 33);
    EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{});
}

TEST(PadRows, LeavesAloneWhatLanesReadAlongRows) {
    const Search search(example::two_stencils(1536, 1024));
    const State before =
        state_by_text(search, "kernel f1\n  f0 threads x=34 y=10\n  f1 threads x=32 y=8\n");
    EXPECT_EQ(padded(search, before).id, before.id);
}

TEST(PadRows, LeavesAloneWhatNoRoomIsLeftFor) {
    const Search search(example::there_and_back(1536, 960));
    const State before = state_by_text(search,
                                       "kernel out\n  mid threads x=96 y=8\n    mid serial y=16\n"
                                       "  out threads x=128 y=8\n    out serial y=12\n");
    EXPECT_EQ(padded(search, before).id, before.id);
}

// Another tiling may come to be chosen afterwards.
TEST(PadRows, OfAKernelThatIsTiledAnewArePaddedAgain) {
    const Search search(example::there_and_back(4096, 2048));
    const State state = padded(search, state_by_text(search, kTurned));
    const StageId out = state.nest.kernels[0]->stage;
    const FuncId func = search.dag.stage(out).func;
    for (const auto &[threads, row] : {std::pair<int64_t, int64_t>{16, 17}, {15, 0}}) {
        const Tiling tiling = {{.threads = 32}, {.threads = threads}};
        const auto applied = search.space.apply(state, decide_tiling(func, 0, tiling));
        ASSERT_TRUE(std::holds_alternative<Successor>(applied));
        const Kernel &kernel = *std::get<Successor>(applied).changes[0].kernel;
        EXPECT_EQ(kernel.blocks->body[0]->row, row) << to_text(search.dag, kernel);
    }
}

TEST(PadRows, NeverCostsMoreAndChangesNothingElse) {
    for (example::NamedDag &e : example::all()) {
        const Search search(std::move(e.dag));
        const State before = search.run().best[0];
        const State after = padded(search, before);
        EXPECT_LE(after.cost, before.cost) << e.name;
        EXPECT_EQ(after.nest.places, before.nest.places) << e.name;
        EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{})
            << e.name;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
