#include "scheduler/features/flat_stage.h"

#include <gtest/gtest.h>

#include "core/dag/text.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

TEST(Compose, MultipliesAccesses) {
    AccessMatrix halved(1, 1), shifted(1, 2);
    halved.at(0, 0).value = 0.5;
    shifted.at(0, 1).value = 2;
    EXPECT_EQ(to_text(compose(halved, shifted)), "[0 1]");
}

TEST(Compose, KeepsTheUnknownUnlessItIsMultipliedByNothing) {
    AccessMatrix outer(2, 2), inner(2, 2);
    outer.at(0, 0).value = 1;  // row 0 follows the inner's row 0, row 1 its row 1
    outer.at(1, 1).value = 1;
    inner.at(0, 0) = {0, false};
    inner.at(1, 1).value = 3;
    EXPECT_EQ(to_text(compose(outer, inner)), "[? 0; 0 3]");
}

TEST(Compose, CountsHowOftenAnIndexRepeatsInIterationsOfTheLoop) {
    const auto period = [](const Coefficient &index, const Coefficient &coordinate) {
        AccessMatrix outer(1, 1), inner(1, 1);
        outer.at(0, 0) = index;
        inner.at(0, 0) = coordinate;
        return compose(outer, inner).at(0, 0).period;
    };
    EXPECT_EQ(period({0, false, 4}, {1}), 4);
    EXPECT_EQ(period({0, false, 4}, {6}), 2);
    EXPECT_EQ(period({0, false, 4}, {0.5}), 0);
    EXPECT_EQ(period({0, false, 4}, {0, false, 2}), 2);
    EXPECT_EQ(period({3}, {0, false, 2}), 2);
    EXPECT_EQ(period({0, false}, {0, false, 2}), 0);  // it depends on data
    EXPECT_EQ(period({0, false}, {1}), 0);
}

TEST(Flatten, LeavesAStageWithoutInlinedFuncsAsItIs) {
    const Dag dag = two_stencils(128, 128);
    const FlatStage flat = flatten(dag, find_stage(dag, "f1"), {});
    EXPECT_TRUE(flat.inlined.empty());
    EXPECT_TRUE(flat.calls.empty());
    ASSERT_EQ(flat.loads.size(), 1u);
    EXPECT_EQ(flat.loads[0].producer, find_func(dag, "f0"));
    EXPECT_EQ(flat.loads[0].sites, 9);
}

TEST(Flatten, FollowsInlinedFuncsToWhatTheyLoad) {
    const Dag dag = down_and_up(128, 128);
    const FuncId down = find_func(dag, "down"), in = find_func(dag, "in");
    const FlatStage flat = flatten(dag, find_stage(dag, "out"), {down});
    EXPECT_EQ(flat.inlined, std::vector<FuncId>{down});
    ASSERT_EQ(flat.calls.size(), 1u);
    EXPECT_EQ(flat.calls[0].callee, down);
    ASSERT_EQ(flat.loads.size(), 2u);
    EXPECT_EQ(flat.loads[0].producer, in);  // out's own
    EXPECT_EQ(flat.loads[0].sites, 1);
    EXPECT_EQ(flat.loads[1].producer, in);  // 2 * (x / 2), four sites
    EXPECT_EQ(flat.loads[1].via, find_stage(dag, "down"));
    EXPECT_EQ(flat.loads[1].sites, 4);
    EXPECT_EQ(to_text(flat.loads[1].access), "[1 0; 0 1]");
}

// pair is a Tuple: out reads both elements at four places. What it loads it loads at each once.
TEST(Flatten, CountsOneEvaluationForAllElementsOfATuple) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), pair = b.func("pair", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 63}});
    b.reads(pair, in, {at(0)}).ops(pair, OpKind::sqrt, 1).reads(out, pair, {at(0, 0, 3)}, 8);
    Dag dag = b.build();
    dag.funcs[pair.index()].values.resize(2);
    Load &load = dag.stages[find_stage(dag, "out").index()].loads[0];
    load.in_tuple = 4;
    load.untaken = {0, 4};
    const FlatStage flat = flatten(dag, find_stage(dag, "out"), {pair});
    ASSERT_EQ(flat.calls.size(), 1u);
    EXPECT_EQ(flat.calls[0].sites, 4);
    EXPECT_EQ(flat.calls[0].untaken, (std::vector<double>{0, 2}));
    EXPECT_EQ(flat.calls_at_a_point, std::vector<double>{4});
    EXPECT_EQ(flat.algorithm.ops_sqrt, 4);
    EXPECT_EQ(flat.algorithm.loads, 4);
}

TEST(Flatten, VisitsCallersBeforeWhatTheyCall) {
    const Dag dag = diamond(128, 128);
    const FuncId base = find_func(dag, "base"), left = find_func(dag, "left"),
                 right = find_func(dag, "right");
    const FlatStage flat = flatten(dag, find_stage(dag, "out"), {base, left, right});
    EXPECT_EQ(flat.inlined, (std::vector<FuncId>{right, left, base}));
    double base_calls = 0;
    for (const FlatCall &call : flat.calls) base_calls += call.callee == base ? call.sites : 0;
    EXPECT_EQ(base_calls, 3 + 5);
}

// Twelve inlined Funcs read f at twelve speeds: the loads are all counted, on eight accesses.
TEST(Flatten, CountsEveryLoadOfManyAccesses) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), f = b.func("f", {"x"});
    b.reads(f, in, {at(0)}, 2);
    std::vector<FuncId> inlined{f};
    for (int i = 1; i <= 12; ++i) {
        inlined.push_back(b.func(std::string(1, "abcdefghijklm"[i]), {"x"}));
        b.reads(inlined.back(), f, {times(0, i)});
    }
    const FuncId out = b.output("out", {{"x", 0, 63}});
    for (size_t i = 1; i < inlined.size(); ++i) b.reads(out, inlined[i], {at(0)});
    const Dag dag = b.build();
    const FlatStage flat = flatten(dag, find_stage(dag, "out"), inlined);
    double sites = 0;
    for (const FlatLoad &load : flat.loads) sites += load.sites;
    EXPECT_EQ(flat.loads.size(), 8u);
    EXPECT_DOUBLE_EQ(sites, 2);  // per evaluation of f
}

// weight(2) is made of constants, and so is what it calls; spread(x) and read(1) are not.
TEST(Flatten, FindsWhatIsTheSameAtAllPoints) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"});
    const FuncId bell = b.func("bell", {"t"}), weight = b.func("weight", {"t"}),
                 spread = b.func("spread", {"t"}), read = b.func("read", {"t"});
    const FuncId out = b.output("out", {{"x", 0, 63}});
    b.reads(weight, bell, {at(0)}).reads(spread, bell, {at(0)}).reads(read, in, {at(0)});
    b.reads(out, weight, {fixed(2)}).reads(out, spread, {at(0)}).reads(out, read, {fixed(1)});
    const Dag dag = b.build();
    const auto uniform = [&](const std::vector<FuncId> &inlined) {
        const FlatStage flat = flatten(dag, find_stage(dag, "out"), inlined);
        std::vector<std::string> found;
        for (size_t i = 0; i < flat.inlined.size(); ++i) {
            if (flat.uniform[i]) found.push_back(dag.func(flat.inlined[i]).name);
        }
        return found;
    };
    EXPECT_EQ(uniform({bell, weight, read}), (std::vector<std::string>{"weight", "bell"}));
    // Where bell is stored, it is loaded; where spread calls it too, it differs from point to
    // point.
    EXPECT_EQ(uniform({weight, read}), std::vector<std::string>{});
    EXPECT_EQ(uniform({bell, weight, spread, read}), std::vector<std::string>{"weight"});
}

}  // namespace
}  // namespace autoschedule_gpu
