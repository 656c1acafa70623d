#include "scheduler/decisions/names.h"

#include <gtest/gtest.h>

#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

using example::find_func;

TEST(Names, AreThoseOfFuncsStagesAndLoops) {
    const Dag dag = example::histogram(512, 256);
    const Names names(dag);
    const FuncId hist = find_func(dag, "hist");
    EXPECT_EQ(names.func(hist), "hist");
    EXPECT_EQ(names.loop(dag.func(hist).stages[0], 0), "hist.i");
    EXPECT_EQ(names.loop(dag.func(hist).stages[1], 1), "hist.update(0).r$y");
}

TEST(Names, HaveNoCountersOfHalides) {
    Dag dag = example::histogram(512, 256);
    const FuncId hist = find_func(dag, "hist");
    dag.funcs[hist.index()].name = "hist$3";
    std::vector<Loop> &loops = dag.stages[dag.func(hist).stages[1].index()].loops;
    loops[0].name = "r17$x";
    loops[1].name = "r18$x";
    const Names names(dag);
    EXPECT_EQ(names.func(hist), "hist#" + std::to_string(dag.func(hist).halide_index));
    const std::string update = names.func(hist) + ".update(0).";
    EXPECT_EQ(names.loop(dag.func(hist).stages[1], 0), update + "r$x");
    EXPECT_EQ(names.loop(dag.func(hist).stages[1], 1), update + "r$x#1");
}

TEST(Names, OfWrappersSayWhatTheyWrapAndForWhom) {
    const Dag reductions = with_wrapped_reductions(example::reduced_stencil(512, 256));
    const Dag dag = with_wrappers(reductions, wrappable_reads(reductions));
    const Names names(dag);
    std::set<std::string> wrappers;
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        if (dag.funcs[i].wraps.valid()) wrappers.insert(names.func(FuncId(i)));
    }
    EXPECT_TRUE(wrappers.contains("total.in()"));
    EXPECT_TRUE(wrappers.contains("total.in().in(out)"));
}

}  // namespace
}  // namespace autoschedule_gpu
