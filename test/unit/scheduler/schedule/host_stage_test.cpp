// Which loops of a stage on the host are dealt to its cores.
#include "scheduler/schedule/write/host_stage.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/dag_builder.h"

namespace autoschedule_gpu {
namespace {

using example::at;
using example::DagBuilder;
using example::Extent;

std::string text(const Dag &dag, StageId stage) {
    writing::DirectiveList out(dag);
    writing::write_host_stage(out, stage);
    std::string found;
    for (const Directive &directive : out.take()) found += describe(directive) + "\n";
    return found;
}

// A Func on the host of those extents, innermost first.
Dag on_host(const std::vector<int64_t> &extents) {
    const char *names[] = {"x", "y", "c"};
    DagBuilder b;
    std::vector<std::string> dims;
    std::vector<Extent> whole;
    std::vector<example::Index> index;
    for (size_t d = 0; d < extents.size(); ++d) {
        dims.push_back(names[d]);
        whole.push_back({names[d], 0, extents[d] - 1});
        index.push_back(at(static_cast<int>(d)));
    }
    const FuncId in = b.input("in", dims), f = b.output("f", whole);
    return b.reads(f, in, index).on_host(f, "is in double").build();
}

std::string text_of(const std::vector<int64_t> &extents) {
    const Dag dag = on_host(extents);
    return text(dag, dag.funcs.back().stages[0]);
}

TEST(HostStage, DealsItsOutermostLoopOut) {
    EXPECT_EQ(text_of({1536, 1024}), "f.parallel(y)\n");
    EXPECT_EQ(text_of({1536, 16}), "f.parallel(y)\n");
}

TEST(HostStage, FusesLoopsWhereTheOutermostIsShort) {
    EXPECT_EQ(text_of({1536, 1024, 3}), "f.fuse(y, c, y_c)\nf.parallel(y_c)\n");
}

TEST(HostStage, GivesEachTaskEnoughPoints) {
    EXPECT_EQ(text_of({100'000}),
              "f.split(x, x_p, x_i, 1024, TailStrategy::GuardWithIf)\nf.parallel(x_p)\n");
    EXPECT_EQ(text_of({100, 1000}),
              "f.split(y, y_p, y_i, 11, TailStrategy::GuardWithIf)\nf.parallel(y_p)\n");
}

TEST(HostStage, IsSerialWhereThereAreFewPoints) {
    EXPECT_EQ(text_of({127, 129}), "");
    EXPECT_EQ(text_of({128, 128}),
              "f.split(y, y_p, y_i, 8, TailStrategy::GuardWithIf)\nf.parallel(y_p)\n");
}

TEST(HostStage, IsSerialWhereItsOrderMatters) {
    Dag dag = on_host({1536, 1024});
    const StageId stage = dag.funcs.back().stages[0];
    dag.funcs.back().in_order = true;
    EXPECT_EQ(text(dag, stage), "");
    dag.funcs.back().in_order = false;
    dag.funcs.back().is_extern = true;
    EXPECT_EQ(text(dag, stage), "");
}

// Rows of sums of 4096 values each, and the sum of all.
TEST(HostStage, LeavesReductionsAsTheyAre) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId rows = b.func("rows", {"y"}), all = b.output("all", {{"i", 0, 0}});
    const StageId along =
        b.update(rows, {DagBuilder::reduction("r$x", 0, 4095), DagBuilder::over(0, "y")}, {at(1)});
    b.reads(along, rows, {at(1)}).reads(along, in, {at(0), at(1)}).ops(along, OpKind::add, 1);
    const StageId over = b.update(all, {DagBuilder::reduction("r$x", 0, 99)}, {example::fixed(0)});
    b.reads(over, all, {example::fixed(0)}).reads(over, rows, {at(0)}).ops(over, OpKind::add, 1);
    const Dag dag = b.on_host(rows, "is in double").on_host(all, "is in double").build();
    EXPECT_EQ(text(dag, along), "rows.update(0).parallel(y)\n");
    EXPECT_EQ(text(dag, over), "");
}

}  // namespace
}  // namespace autoschedule_gpu
