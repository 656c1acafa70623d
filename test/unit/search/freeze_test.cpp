#include "search/freeze.h"

#include <gtest/gtest.h>

#include "unit/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::Search;

class Freezing : public testing::Test {
protected:
    Freezing() : search_(example::stencil_chain(12, 1536, 1024), Freedom::no_fusion) {}

    State without_fusion() {
        search_.options.freeze = Use::off;
        return search_.run().best[0];
    }
    Search search_;
};

TEST_F(Freezing, LeavesTheLogarithmOfTheFuncsFree) {
    const State state = plain_state(search_.space, search_.model);  // twelve kernels
    const Frozen frozen(search_.space, state);
    EXPECT_EQ(frozen.funcs(), 12 - 4);
}

TEST_F(Freezing, KeepsThePlacesAndTilingsThatWereFound) {
    const State decided = without_fusion();
    const Frozen frozen(search_.space, decided);
    ASSERT_GT(frozen.funcs(), 0);
    State state = search_.space.initial();
    int kept = 0;
    for (const Step &step : search_.space.steps()) {
        const std::optional<Move> move = frozen.move(search_.space, state, step);
        RuleCounts ignored{};
        std::vector<Move> all = search_.space.moves(state, step, Retile::no, ignored);
        if (step.kind == Step::Kind::place && move) {
            ++kept;
            EXPECT_EQ(move->kind == Move::Kind::compute_root,
                      decided.nest.placement(step.func) == Placement::root);
        }
        if (move && move->kind == Move::Kind::tile_root) {
            const size_t home = static_cast<size_t>(decided.home[step.stage.index()]);
            EXPECT_EQ(*move->tiling, decided.nest.kernels[home]->tiling);
        }
        const Move &taken = move ? *move : all.back();
        if (taken.kind == Move::Kind::keep) continue;
        const auto applied = search_.space.apply(state, taken);
        ASSERT_TRUE(std::holds_alternative<Successor>(applied));
        const Successor &successor = std::get<Successor>(applied);
        state = materialise(search_.dag, state, successor,
                            std::vector<double>(successor.changes.size(), 1.0));
    }
    EXPECT_EQ(kept, frozen.funcs());
}

TEST_F(Freezing, OfNothingDecidesNothing) {
    const State initial = search_.space.initial();
    for (const Step &step : search_.space.steps()) {
        EXPECT_FALSE(Frozen().move(search_.space, initial, step));
    }
    EXPECT_EQ(Frozen().funcs(), 0);
}

TEST(Freeze, MakesTheSearchLookAtFewerStatesAndSaysSo) {
    Search search(example::stencil_chain(16, 1536, 1024));
    const SearchReport free = search.run().report;
    search.options.freeze = Use::on;
    const SearchResult frozen = search.run();
    EXPECT_FALSE(free.freeze);
    EXPECT_EQ(free.funcs_frozen, 0);
    EXPECT_TRUE(frozen.report.freeze);
    EXPECT_GE(frozen.report.funcs_frozen, 8);
    EXPECT_LT(frozen.report.states_scored, free.states_scored);
    EXPECT_EQ(check(search.dag, frozen.best[0].nest, Completeness::complete),
              std::vector<std::string>{});
}

TEST(Freeze, IsAutomaticForLongPipelines) {
    Search search(example::stencil_chain(static_cast<int>(kFreezeFuncs), 256, 128));
    search.options.limits.beam_size = 1;
    search.options.limits.num_passes = 1;
    EXPECT_TRUE(search.run().report.freeze);
    search.options.freeze = Use::off;
    EXPECT_FALSE(search.run().report.freeze);
}

}  // namespace
}  // namespace autoschedule_gpu
