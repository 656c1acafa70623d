#include "scheduler/search/fit_blocks.h"

#include <gtest/gtest.h>

#include "scheduler/nest/text.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::Search;
using example::state_by_text;

State with_fitted_blocks(const Search &search, const State &state) {
    SearchContext context(search.options);
    SearchReport report;
    return fit_blocks(search.space, search.model, context, state, report);
}

TEST(FitBlocks, LetsTheSameThreadsComputeABorder) {
    const Search search(example::stencil_chain(2, 1536, 1024));
    const State before = state_by_text(search,
                                       "kernel f1\n  f0 threads x=65 y=9\n    f0 serial x=2 y=4\n"
                                       "  f1 threads x=64 y=4\n    f1 serial x=2 y=8\n");
    const State after = with_fitted_blocks(search, before);
    EXPECT_LT(after.cost, 0.99 * before.cost) << to_text(search.dag, after.nest);
    EXPECT_EQ(after.id, after.nest.hash());
    EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{});
    const Kernel &kernel = *after.nest.kernels[0];
    const ThreadExtents root = thread_extents(*root_threads(kernel)), block = block_size(kernel);
    EXPECT_EQ(kernel.members[0].tile, MemberTile::fitted);
    EXPECT_EQ(block.x % search.gpu.warp_size, 0) << to_text(search.dag, kernel);
    EXPECT_LT(root.x, block.x);
}

TEST(FitBlocks, LeavesAloneWhatIsComputedByItself) {
    const Search search(example::stencil_chain(3, 1536, 1024));
    const State before = plain_state(search.space, search.model);
    EXPECT_EQ(with_fitted_blocks(search, before).id, before.id);
}

TEST(FitBlocks, NeverCostsMoreAndIsSound) {
    for (example::NamedDag &e : example::all()) {
        const Search search(std::move(e.dag));
        const State before = search.run().best.front(), after = with_fitted_blocks(search, before);
        EXPECT_LE(after.cost, before.cost) << e.name;
        EXPECT_EQ(after.id, after.nest.hash()) << e.name;
        EXPECT_EQ(check(search.dag, after.nest, Completeness::complete), std::vector<std::string>{})
            << e.name;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
