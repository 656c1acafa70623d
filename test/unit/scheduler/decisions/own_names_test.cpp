#include "scheduler/decisions/own_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/example_dags.h"
#include "unit/scheduler/decisions/lists.h"

namespace autoschedule_gpu {
namespace {

using example::find_func;
using example::Search;

// The pipeline as a later build of the process has it.
Dag built_again(Dag dag) {
    for (Func &func : dag.funcs) {
        if (!func.is_input()) func.name += "$3";
    }
    return dag;
}

std::string indexed(const Dag &dag, const std::string &func) {
    return func + "#" + std::to_string(dag.func(find_func(dag, func)).halide_index);
}

DecisionList list_of_names(const std::vector<std::string> &names) {
    DecisionList list;
    for (const std::string &name : names) {
        list.decisions.push_back({name, decision_kind::place, std::string("root"), {}});
    }
    return list;
}

TEST(OwnNames, AreThoseOfTheBuildThatReads) {
    const Dag first = example::reduced_stencil(512, 256), second = built_again(first);
    const std::string total = indexed(first, "total"), out = indexed(first, "out");
    const DecisionList before = list_of_names(
        {"total", "total.x", "total.update(0).r$x", "total.in()", "total.in().in(out).x"});
    const DecisionList after = list_of_names({total, total + ".x", total + ".update(0).r$x",
                                              total + ".in()", total + ".in().in(" + out + ").x"});
    EXPECT_EQ(with_own_names(before, second), after);
    EXPECT_EQ(with_own_names(after, first), before);
    EXPECT_EQ(with_own_names(before, first), before);
    EXPECT_EQ(with_own_names(after, second), after);
    EXPECT_EQ(with_own_names(list_of_names({"total#77"}), second), list_of_names({total}));
}

TEST(OwnNames, StandAlsoWhereValuesAreStages) {
    const Dag first = example::reduced_stencil(512, 256);
    const std::string total = indexed(first, "total"), out = indexed(first, "out");
    DecisionList before = list_of_names({"total", "out"}), after = list_of_names({total, out});
    before.decisions.push_back(
        {"out", decision_kind::compute_with, "total.update(0)", {"total.update(0)", "out"}});
    after.decisions.push_back(
        {out, decision_kind::compute_with, total + ".update(0)", {total + ".update(0)", out}});
    EXPECT_EQ(with_own_names(before, built_again(first)), after);
}

TEST(OwnNames, AreNeverGuessed) {
    Dag twice = built_again(example::reduced_stencil(512, 256));
    twice.funcs[find_func(twice, "out$3").index()].name = "total$4";
    const Dag once = built_again(example::reduced_stencil(512, 256));
    const std::vector<std::string> other_lists[] = {
        {"total", "total#77"}, {"tota"}, {"total#"}, {"total.in(total#2)"}};
    for (const auto &names : other_lists) {
        EXPECT_EQ(with_own_names(list_of_names(names), once), list_of_names(names));
    }
    EXPECT_EQ(with_own_names(list_of_names({"total"}), twice), list_of_names({"total"}));
}

TEST(OwnNames, LetAListOfOneBuildLeadToTheSameInAnother) {
    const Search first(example::reduced_stencil(512, 256));
    const Search second(built_again(first.dag));
    const DecisionList list = example::list_of(first, first.run().best[0]);
    EXPECT_FALSE(example::followed(second, list).ok());
    const auto back = example::followed(second, with_own_names(list, second.dag));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(example::list_of(second, *back->dag, back->state), with_own_names(list, second.dag));
}

}  // namespace
}  // namespace autoschedule_gpu
