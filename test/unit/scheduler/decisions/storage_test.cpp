// Which dimension of a Func at root is innermost in memory: what there is to choose, and what comes
// of it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/dag/storage_order.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "unit/scheduler/decisions/lists.h"

namespace autoschedule_gpu {
namespace {

using example::decision;
using example::error_of;
using example::followed;
using example::list_of;
using example::Search;

const std::string kBothAtRoot =
    "kernel out blocks x=16 y=32\n"
    "  out threads x=32 y=8\n"
    "    out serial\n"
    "kernel mid blocks x=8 y=64\n"
    "  mid threads x=32 y=8\n"
    "    mid serial\n";

std::vector<std::string> reordered_in(const Followed &followed) {
    std::vector<std::string> found;
    for (const Directive &directive : directives(*followed.dag, followed.state.nest)) {
        if (directive.op == DirectiveOp::reorder_storage) found.push_back(describe(directive));
    }
    return found;
}

TEST(StorageDecision, IsTheFirstDimensionOrAnother) {
    const Search search(example::there_and_back(512, 256));
    DecisionList list = list_of(search, kBothAtRoot);
    EXPECT_EQ(decision(list, "mid", "storage").value, DecisionValue("x"));
    EXPECT_EQ(decision(list, "mid", "storage").choices, (std::vector<DecisionValue>{"x", "y"}));
    decision(list, "mid", "storage").value = "y";
    const Result<Followed> turned = followed(search, list);
    ASSERT_TRUE(turned.ok()) << turned.error().message;
    EXPECT_EQ(reordered_in(*turned), std::vector<std::string>{"mid.reorder_storage(y, x)"});
    EXPECT_EQ(turned->dag->func(example::find_func(*turned->dag, "mid")).dims[0].stride, 512);
    DecisionList again = list_of(search, *turned->dag, turned->state);
    EXPECT_EQ(decision(again, "mid", "storage").value, DecisionValue("y"));
}

TEST(StorageDecision, MakesNoDifferenceElsewhereThanAtRoot) {
    const Search search(example::there_and_back(512, 256));
    DecisionList list = list_of(search, kBothAtRoot);
    decision(list, "mid", "storage").value = "y";
    decision(list, "mid", "place").value = "inline";
    const Result<Followed> inlined = followed(search, list);
    ASSERT_TRUE(inlined.ok()) << inlined.error().message;
    EXPECT_TRUE(reordered_in(*inlined).empty());
}

TEST(StorageDecision, IsRefusedWhereThereIsNone) {
    Search search(example::there_and_back(512, 256));
    DecisionList list = list_of(search, kBothAtRoot);
    decision(list, "mid", "storage").value = "z";
    EXPECT_NE(error_of(search, list).find("the Func has no such dimension"), std::string::npos);
    keep_storage_orders(search.dag);
    decision(list, "mid", "storage").value = "y";
    EXPECT_NE(error_of(search, list).find("its dimensions stay in memory as they are"),
              std::string::npos);
}

TEST(StorageDecision, IsNotThatOfOutputsInputsAndTheHost) {
    const Search search(example::host_in_the_middle(512, 256));
    const Dag &dag = search.dag;
    for (size_t f = 0; f < dag.funcs.size(); ++f) {
        EXPECT_FALSE(may_reorder_storage(dag, FuncId(f))) << dag.funcs[f].name;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
