#include "scheduler/nest/written_code.h"

#include <gtest/gtest.h>

#include "unit/dag_builder.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

constexpr std::string_view kInlined =
    "inline: f g\n"
    "kernel out blocks x=32\n"
    "  out threads x=32\n"
    "    out serial\n";
constexpr std::string_view kInlinedInTiles =
    "inline: f g\n"
    "kernel out blocks x=2\n"
    "  out threads x=32\n"
    "    out serial x=16\n";

// out reads g at two places and f at one, g reads f at three, and f a copy of `nodes` nodes at two.
Dag funcs_that_read_each_other(int nodes) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), edge = b.func("edge", {"x"});
    const FuncId f = b.func("f", {"x"}), g = b.func("g", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 1023}});
    b.reads(edge, in, {at(0)}).nodes(edge, nodes);
    b.reads(f, edge, {at(0, 0, 1)}, 2).ops(f, OpKind::add, 1).nodes(f, 100);
    b.reads(g, f, {at(0, 0, 2)}, 3).ops(g, OpKind::add, 2);
    b.reads(out, g, {at(0, 0, 1)}, 2).reads(out, f, {at(0)}).ops(out, OpKind::add, 2);
    return b.build();
}

double seconds_of(const Dag &dag, std::string_view text) {
    std::vector<bool> copies;
    for (size_t f = 0; f < dag.funcs.size(); ++f) copies.push_back(is_copy(dag, FuncId(f)));
    return lowering_seconds(dag, *parsed(dag, text).kernels[0], copies);
}

TEST(WrittenCode, CallsMultiplyAlongTheWay) {
    const Dag dag = funcs_that_read_each_other(10);
    const Nest nest = parsed(dag, kInlined);
    const Kernel &kernel = *nest.kernels[0];
    InlinedCalls calls(dag, kernel);
    calls.count(kernel.stage);
    ASSERT_EQ(kernel.inlined, (std::vector{find_func(dag, "f"), find_func(dag, "g")}));
    EXPECT_EQ(calls[0], 7);
    EXPECT_EQ(calls[1], 2);
}

// f has three values, which w holds for out; out calls w twice, at different places.
TEST(WrittenCode, AWrapperOfATupleCallsItOnce) {
    DagBuilder b;
    const FuncId f = b.func("f", {"x"}), w = b.func("w", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 1023}});
    b.reads(w, f, {at(0)}, 3);
    b.reads(out, w, {at(0, 0, 1)}, 2);
    Dag dag = b.build();
    dag.stages[dag.func(w).stages[0].index()].loads[0].in_tuple = 2;
    const std::vector<FuncId> inlined = {f, w};
    InlinedCalls calls(dag, inlined);
    calls.count(dag.func(out).stages[0]);
    EXPECT_EQ(calls[0], 2);
    EXPECT_EQ(calls[1], 2);
}

std::vector<double> in_tile(const Dag &dag, std::string_view text) {
    const Nest nest = parsed(dag, text);
    const Kernel &kernel = *nest.kernels[0];
    InlinedCalls calls(dag, kernel);
    calls.count(kernel.stage);
    return calls_in_tile(dag, kernel, *innermost_bands(*kernel.blocks)[0], calls);
}

TEST(WrittenCode, CountsWhatPointsOfATileShareOnce) {
    const Dag dag = funcs_that_read_each_other(10);
    EXPECT_EQ(in_tile(dag, kInlined), (std::vector<double>{4, 2}));  // of 7 and 2
    EXPECT_EQ(in_tile(dag, kInlinedInTiles), (std::vector<double>{16 + 3, 16 + 1}));
}

// Compilers do not find that x / 2 and (x + 1) / 2 are the same.
TEST(WrittenCode, CountsWhatIsReadAtQuotientsForEachPoint) {
    const Dag dag = down_and_up(512, 512);
    EXPECT_EQ(in_tile(dag,
                      "inline: down\n"
                      "kernel out blocks x=4 y=64\n"
                      "  out threads x=32 y=8\n"
                      "    out serial x=4\n"),
              std::vector<double>{4});
}

TEST(WrittenCode, TakesLongerThanItIsLonger) {
    const double seconds = seconds_of(funcs_that_read_each_other(10), kInlined);
    Dag twice = funcs_that_read_each_other(20);
    for (Stage &stage : twice.stages) {
        if (stage.func != find_func(twice, "edge")) stage.nodes *= 2;
    }
    EXPECT_GT(seconds_of(twice, kInlined), 2.5 * seconds);
    EXPECT_GT(seconds_of(funcs_that_read_each_other(10), kInlinedInTiles), 2 * seconds);
}

// The boundary condition will be inlined 14 times, whether or not it is already.
TEST(WrittenCode, CountsTheCopiesToCome) {
    const Dag dag = funcs_that_read_each_other(1000);
    std::string with_edge(kInlined);
    with_edge.insert(with_edge.find("f g"), "edge ");
    EXPECT_DOUBLE_EQ(seconds_of(dag, kInlined), seconds_of(dag, with_edge));
    EXPECT_GT(seconds_of(dag, kInlined), 10 * seconds_of(funcs_that_read_each_other(10), kInlined));
}

}  // namespace
}  // namespace autoschedule_gpu
