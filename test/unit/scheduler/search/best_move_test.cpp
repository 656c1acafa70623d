#include "scheduler/search/best_move.h"

#include <gtest/gtest.h>

#include <set>

#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::Search;

class BestMove : public testing::Test {
protected:
    // Moves that tile the only kernel in every way.
    std::vector<Decision> tilings() const {
        std::vector<Decision> moves;
        for (const Tiling &tiling : search_.space.tilings(StageId(0))) {
            Decision &decision = moves.emplace_back();
            decision.func = search_.dag.stage(StageId(0)).func;
            decision.tiling = &tiling;
        }
        return moves;
    }

    Search search_{example::copy(512, 256)};
    State plain_ = plain_state(search_.space, search_.model);
    example::OwnParts own_{search_};
};

TEST_F(BestMove, IsTheCheapestOfAllOneByOne) {
    double least = plain_.cost;
    for (const Decision &decision : tilings()) {
        const std::optional<State> next = best_of(own_.parts, plain_, {decision});
        if (next) least = std::min(least, next->cost);
    }
    const std::optional<State> best = best_of(own_.parts, plain_, tilings());
    ASSERT_TRUE(best);
    EXPECT_DOUBLE_EQ(best->cost, least);
    EXPECT_LT(best->cost, plain_.cost);
    EXPECT_FALSE(best_of(own_.parts, *best, tilings())) << "nothing is cheaper than the cheapest";
}

TEST_F(BestMove, CheapestMayCostMoreThanTheState) {
    const State best = *best_of(own_.parts, plain_, tilings());
    std::vector<Decision> others = tilings();
    std::erase_if(others, [&](const Decision &decision) {
        return *decision.tiling == best.nest.kernels[0]->tiling;
    });
    const std::optional<State> next = cheapest_of(own_.parts, best, others);
    ASSERT_TRUE(next);
    EXPECT_GE(next->cost, best.cost);
    EXPECT_FALSE(best_of(own_.parts, best, others));
    EXPECT_FALSE(cheapest_of(own_.parts, best, {}));
}

TEST_F(BestMove, CheapestFirstAreOtherStatesEachOnce) {
    std::vector<Decision> moves = tilings();
    const std::vector<Decision> again = moves;
    moves.insert(moves.end(), again.begin(), again.end());
    const std::vector<State> all = cheapest_first(own_.parts, plain_, moves, moves.size());
    ASSERT_GT(all.size(), 3u);
    EXPECT_EQ(all[0].id, cheapest_of(own_.parts, plain_, moves)->id);
    std::set<uint64_t> ids{plain_.id};
    for (size_t i = 0; i < all.size(); ++i) {
        EXPECT_TRUE(ids.insert(all[i].id).second) << i;
        if (i > 0) {
            EXPECT_GE(all[i].cost, all[i - 1].cost);
        }
    }
    const std::vector<State> few = cheapest_first(own_.parts, plain_, moves, 3);
    ASSERT_EQ(few.size(), 3u);
    EXPECT_EQ(few[2].id, all[2].id);
    EXPECT_TRUE(cheapest_first(own_.parts, plain_, {}, 3).empty());
}

TEST_F(BestMove, IsNothingOfNoMoves) {
    EXPECT_FALSE(best_of(own_.parts, plain_, {}));
}

TEST_F(BestMove, PassesOverMovesThatARuleRejects) {
    Decision too_large = tilings().front();
    const Tiling tiling{{1, 4096}, {1, 4096}};
    too_large.tiling = &tiling;
    EXPECT_FALSE(best_of(own_.parts, plain_, {too_large}));
    std::vector<Decision> moves = tilings();
    const double best = best_of(own_.parts, plain_, moves)->cost;
    moves.insert(moves.begin(), too_large);
    EXPECT_DOUBLE_EQ(best_of(own_.parts, plain_, moves)->cost, best);
}

}  // namespace
}  // namespace autoschedule_gpu
