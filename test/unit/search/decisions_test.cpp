#include "search/decisions.h"

#include <gtest/gtest.h>

#include "unit/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::OwnParts;
using example::Search;

// The state after all steps, each as decided. Steps that are not decided are taken plainly.
State replayed(const Search &search, const Decisions &decisions, int &decided) {
    decided = 0;
    State state = search.space.initial();
    for (const Step &step : search.space.steps()) {
        const std::optional<Move> move = decisions.move(search.space, state, step);
        decided += move && step.kind == Step::Kind::place;
        const Move taken = move ? *move : search.space.plain_move(step);
        if (taken.kind == Move::Kind::keep) continue;
        const auto applied = search.space.apply(state, taken);
        if (!std::holds_alternative<Successor>(applied)) {
            ADD_FAILURE() << "a decision is not legal";
            return state;
        }
        const Successor &successor = std::get<Successor>(applied);
        state = materialise(search.dag, state, successor,
                            std::vector<double>(successor.changes.size(), 1.0));
    }
    return state;
}

TEST(Decisions, LeadToTheStateThatTheyWereReadFrom) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.limits.num_passes = 2;
        const State state = search.run().best[0];
        const Decisions decisions(search.space, state);
        int decided = 0;
        EXPECT_EQ(replayed(search, decisions, decided).id, state.id) << e.name;
        EXPECT_EQ(decided, decisions.funcs()) << e.name;
    }
}

TEST(Decisions, OfReleasedFuncsAreFree) {
    Search search(example::stencil_chain(4, 1536, 1024));
    const State state = search.run().best[0];
    Decisions decisions(search.space, state);
    const FuncId released = search.space.steps()[2].func;
    ASSERT_TRUE(decisions.has(released));
    const int funcs = decisions.funcs();
    decisions.release(released);
    EXPECT_FALSE(decisions.has(released));
    EXPECT_EQ(decisions.funcs(), funcs - 1);
    const State initial = search.space.initial();
    for (const Step &step : search.space.steps()) {
        if (step.func != released) continue;
        EXPECT_FALSE(decisions.move(search.space, initial, step));
    }
}

TEST(Decisions, ThereAreNoneByDefault) {
    Search search(example::two_stencils(512, 256));
    const State initial = search.space.initial();
    for (const Step &step : search.space.steps()) {
        EXPECT_FALSE(Decisions().move(search.space, initial, step));
    }
    EXPECT_EQ(Decisions().funcs(), 0);
}

// The reader of what was fused is inlined now, into a kernel that is another.
TEST(Decisions, AreNoMoveWhereThePlaceIsGone) {
    Search search(example::stencil_chain(3, 1536, 1024));
    const SearchSpace &space = search.space;
    OwnParts own(search);
    State fused = space.initial();
    for (const Step &step : space.steps()) {
        RuleCounts ignored{};
        std::optional<Move> taken;
        for (const Move &move : space.moves(fused, step, Retile::no, ignored)) {
            if (step.kind == Step::Kind::tile || fused.nest.kernels.empty() ||
                move.kind == Move::Kind::compute_in_block) {
                taken = move;
                break;
            }
        }
        if (!taken) taken = space.plain_move(step);
        if (taken->kind == Move::Kind::keep) continue;
        const auto applied = space.apply(fused, *taken);
        ASSERT_TRUE(std::holds_alternative<Successor>(applied));
        const Successor &successor = std::get<Successor>(applied);
        fused = materialise(search.dag, fused, successor,
                            std::vector<double>(successor.changes.size(), 1.0));
    }
    const Decisions decisions(space, fused);
    const State plain = plain_state(space, search.model);
    const Step &last = space.steps()[space.steps().size() - 2];
    ASSERT_EQ(last.kind, Step::Kind::place);
    ASSERT_NE(fused.nest.placement(last.func), Placement::root);
    State undecided = plain;
    EXPECT_FALSE(decisions.move(space, undecided, last))
        << "its reader is at root in this state, in a kernel that does not hold it";
}

}  // namespace
}  // namespace autoschedule_gpu
