// Lists that differ in values: what comes of each is what comes of it when it is followed alone.
#include "scheduler/decisions/follower.h"

#include <gtest/gtest.h>

#include "scheduler/decisions/single_changes.h"
#include "unit/scheduler/decisions/lists.h"

namespace autoschedule_gpu {
namespace {

using example::decision;
using example::followed;
using example::list_of;
using example::Search;

std::unique_ptr<const Follower> follower_of(const Search &search, const DecisionList &list) {
    auto follower = Follower::create(list, search.dag, search.gpu, RuleBook());
    EXPECT_TRUE(follower.ok()) << (follower.ok() ? "" : follower.error().message);
    return std::move(follower).value();
}

// Text of the nest, or why there is none.
std::string outcome(const Dag &dag, const Result<State> &state) {
    return state.ok() ? to_text(dag, state->nest) : state.error().message;
}

TEST(Follower, LeadsWhereEachListLeadsAlone) {
    int changes = 0, refused = 0;
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.limits.num_passes = 1;
        const DecisionList list = list_of(search, search.run().best[0]);
        const auto follower = follower_of(search, list);
        EXPECT_EQ(to_text(*follower->dag(), follower->end().nest),
                  to_text(*follower->dag(), followed(search, list)->state.nest));
        for (const SingleChange &change : single_changes(list)) {
            if (list.decisions[change.decision].kind == decision_kind::storage) continue;
            const DecisionList other = changed(list, change);
            const Result<Followed> alone = followed(search, other);
            const Result<State> found = follower->follow(other);
            ++changes;
            refused += found.ok() ? 0 : 1;
            EXPECT_EQ(outcome(*follower->dag(), found),
                      alone.ok() ? to_text(*alone->dag, alone->state.nest) : alone.error().message)
                << e.name << ": " << list.decisions[change.decision].name;
        }
    }
    EXPECT_GT(changes, 300);
    EXPECT_LT(refused, changes / 10) << "choices are what can be chosen";
}

TEST(Follower, TakesSeveralChangesAtOnce) {
    const Search search(example::two_stencils(512, 256));
    const DecisionList list = list_of(search,
                                      "kernel f1 blocks x=16 y=32\n"
                                      "  f0 threads x=34 y=10\n"
                                      "    f0 serial\n"
                                      "  f1 threads x=32 y=8\n"
                                      "    f1 serial\n");
    const auto follower = follower_of(search, list);
    DecisionList other = list;
    decision(other, "f1.x", decision_kind::threads).value = int64_t{64};
    decision(other, "f0", decision_kind::place).value = "inline";
    const Result<State> found = follower->follow(other);
    ASSERT_TRUE(found.ok());
    const Result<Followed> alone = followed(search, other);
    ASSERT_TRUE(alone.ok());
    EXPECT_EQ(outcome(*follower->dag(), found), to_text(*alone->dag, alone->state.nest));
    EXPECT_NE(outcome(*follower->dag(), found), outcome(*follower->dag(), follower->end()));
}

TEST(Follower, KnowsWhatDecisionsAreAbout) {
    const Search search(example::iir(1024, 512));
    const DecisionList list = list_of(search, search.run().best[0]);
    const auto follower = follower_of(search, list);
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        ASSERT_TRUE(follower->func(i).valid()) << list.decisions[i].name;
        const std::string &name = follower->dag()->func(follower->func(i)).name;
        EXPECT_TRUE(list.decisions[i].name.starts_with(name))
            << list.decisions[i].name << " of " << name;
    }
}

TEST(Follower, RefusesWhatIsRefusedAlone) {
    const Search search(example::two_stencils(512, 256));
    DecisionList list = list_of(search, search.run().best[0]);
    list.decisions[0].name = "nothing";
    const auto follower = Follower::create(list, search.dag, search.gpu, RuleBook());
    ASSERT_FALSE(follower.ok());
    EXPECT_EQ(follower.error().message, example::error_of(search, list));
}

}  // namespace
}  // namespace autoschedule_gpu
