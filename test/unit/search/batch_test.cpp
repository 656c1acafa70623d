#include <gtest/gtest.h>

#include <set>

#include "nest/check.h"
#include "unit/search/searched.h"

namespace autoschedule_gpu {
namespace {

TEST(OneShotBatch, IsTheFullSearchesBestAndManyDifferentGreedyOnes) {
    example::Search search(example::stencil_chain(5, 1536, 1024));
    const std::vector<State> batch = one_shot_batch(search.space, search.model, search.options, 20);
    ASSERT_EQ(batch.size(), 21u);
    EXPECT_EQ(batch[0].id, search.run().best[0].id);
    std::set<uint64_t> different;
    for (const State &state : batch) {
        EXPECT_EQ(check(search.dag, state.nest, Completeness::complete),
                  std::vector<std::string>{});
        different.insert(state.id);
    }
    EXPECT_GT(different.size(), 10u);
}

TEST(OneShotBatch, DependsOnTheSeedAlone) {
    example::Search search(example::two_stencils(1536, 1024));
    const auto ids = [&] {
        std::vector<uint64_t> all;
        for (const State &s : one_shot_batch(search.space, search.model, search.options, 6)) {
            all.push_back(s.id);
        }
        return all;
    };
    const std::vector<uint64_t> once = ids();
    search.options.limits.threads = 4;
    EXPECT_EQ(ids(), once);
    search.options.seed = 77;
    EXPECT_NE(ids(), once);
}

TEST(OneShotBatch, HasSeventyNineGreedySamplesIfNothingElseIsSaid) {
    example::Search search(example::copy(64, 64));
    EXPECT_EQ(one_shot_batch(search.space, search.model, search.options).size(), 80u);
}

}  // namespace
}  // namespace autoschedule_gpu
