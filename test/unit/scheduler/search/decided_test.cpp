#include "scheduler/search/decided.h"

#include <gtest/gtest.h>

#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::OwnParts;
using example::Search;

// The state after all steps, each as decided. Steps that are not decided are taken plainly.
State replayed(const Search &search, const Decided &decisions, int &decided) {
    decided = 0;
    State state = search.space.initial();
    for (const Step &step : search.space.steps()) {
        const std::optional<Decision> decision = decisions.decision(search.space, state, step);
        decided += decision && step.kind == Step::Kind::place;
        const Decision taken = decision ? *decision : search.space.plain_decision(step);
        if (is_nothing(taken)) continue;
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

TEST(Decided, LeadToTheStateThatTheyWereReadFrom) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.limits.num_passes = 2;
        const State state = search.run().best[0];
        const Decided decisions(search.space, state);
        int decided = 0;
        EXPECT_EQ(replayed(search, decisions, decided).id, state.id) << e.name;
        EXPECT_EQ(decided, decisions.funcs()) << e.name;
    }
}

TEST(Decided, OfReleasedFuncsAreFree) {
    Search search(example::stencil_chain(4, 1536, 1024));
    const State state = search.run().best[0];
    Decided decisions(search.space, state);
    const FuncId released = search.space.steps()[2].func;
    ASSERT_TRUE(decisions.has(released));
    const int funcs = decisions.funcs();
    decisions.release(released);
    EXPECT_FALSE(decisions.has(released));
    EXPECT_EQ(decisions.funcs(), funcs - 1);
    const State initial = search.space.initial();
    for (const Step &step : search.space.steps()) {
        if (step.func != released) continue;
        EXPECT_FALSE(decisions.decision(search.space, initial, step));
    }
}

TEST(Decided, KeepMovesToThePlaceThatAFuncIsReleasedTo) {
    Search search(example::stencil_chain(4, 1536, 1024));
    const State state = search.run().best[0];
    Decided decisions(search.space, state);
    const Step &first = search.space.steps()[2];
    ASSERT_EQ(first.kind, Step::Kind::place);
    const auto kept = [&](const Step &step) {
        std::vector<Decision> moves{decide_place(step.func, Place::inlined),
                                    decide_place(step.func, Place::root)};
        decisions.keep_place(step, moves);
        return moves.size();
    };
    EXPECT_EQ(kept(first), 2u);
    decisions.release_to(first.func, Place::root);
    EXPECT_FALSE(decisions.has(first.func));
    EXPECT_EQ(kept(first), 1u);
    EXPECT_EQ(kept({Step::Kind::place, FuncId(first.func.index() - 1), {}}), 2u);
    decisions = Decided(search.space, state);
    decisions.release_to(first.func, Place::block);
    EXPECT_EQ(kept(first), 0u);
}

TEST(Decided, ThereAreNoneByDefault) {
    Search search(example::two_stencils(512, 256));
    const State initial = search.space.initial();
    for (const Step &step : search.space.steps()) {
        EXPECT_FALSE(Decided().decision(search.space, initial, step));
    }
    EXPECT_EQ(Decided().funcs(), 0);
}

// The reader of what was fused is inlined now, into a kernel that is another.
TEST(Decided, AreNoMoveWhereThePlaceIsGone) {
    Search search(example::stencil_chain(3, 1536, 1024));
    const SearchSpace &space = search.space;
    OwnParts own(search);
    State fused = space.initial();
    for (const Step &step : space.steps()) {
        RuleCounts ignored{};
        std::optional<Decision> taken;
        for (const Decision &decision : space.decisions(fused, step, Retile::no, ignored)) {
            if (step.kind == Step::Kind::tile || fused.nest.kernels.empty() ||
                is_in_block(decision.place)) {
                taken = decision;
                break;
            }
        }
        if (!taken) taken = space.plain_decision(step);
        if (is_nothing(*taken)) continue;
        const auto applied = space.apply(fused, *taken);
        ASSERT_TRUE(std::holds_alternative<Successor>(applied));
        const Successor &successor = std::get<Successor>(applied);
        fused = materialise(search.dag, fused, successor,
                            std::vector<double>(successor.changes.size(), 1.0));
    }
    const Decided decisions(space, fused);
    const State plain = plain_state(space, search.model);
    const Step &last = space.steps()[space.steps().size() - 2];
    ASSERT_EQ(last.kind, Step::Kind::place);
    ASSERT_NE(fused.nest.place(last.func), Place::root);
    State undecided = plain;
    EXPECT_FALSE(decisions.decision(space, undecided, last))
        << "its reader is at root in this state, in a kernel that does not hold it";
}

}  // namespace
}  // namespace autoschedule_gpu
