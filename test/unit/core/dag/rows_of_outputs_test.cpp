// Which Funcs have the rows of an output.
#include <gtest/gtest.h>

#include "core/dag/dag.h"
#include "unit/dag_builder.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

using example::at;
using example::DagBuilder;
using example::find_func;
using example::Index;

FuncId rows_of(const Dag &dag, const std::string &func) {
    return dag.func(find_func(dag, func)).rows_of;
}

// in -> mid -> out, which reads `read` of a row of mid.
Dag read_at(Index read) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), mid = b.func("mid", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 255}, {"y", 0, 255}});
    b.reads(mid, in, {at(0), at(1)}).reads(out, mid, {std::move(read), at(1, -1, 1)});
    return b.build();
}

TEST(RowsOfOutputs, AreThoseOfWhatIsReadAtTheSameColumn) {
    const Dag dag = read_at(at(0));
    EXPECT_EQ(rows_of(dag, "mid"), find_func(dag, "out")) << "whatever the row is";
    EXPECT_EQ(rows_of(dag, "out"), find_func(dag, "out"));
    EXPECT_FALSE(rows_of(dag, "in").valid()) << "its buffer is larger";
}

TEST(RowsOfOutputs, AreNoneWhereOtherColumnsAreRead) {
    for (const Index &read : {at(0, 0, 1), at(0, 1, 1), at(1), example::half(0),
                              example::clamped(0, 0, 0, 0, 255), example::fixed(0)}) {
        EXPECT_FALSE(rows_of(read_at(read), "mid").valid());
    }
}

TEST(RowsOfOutputs, AreFollowedThroughReductions) {
    const Dag dag = example::matmul(512);
    EXPECT_EQ(rows_of(dag, "prod"), find_func(dag, "out"));
}

TEST(RowsOfOutputs, AreNoneWhereMoreIsComputedThanIsRead) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), mid = b.func("mid", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 255}});
    b.reads(mid, in, {at(0)}).reads(out, mid, {at(0)}).computes_all(mid, 0, {0, 255});
    EXPECT_FALSE(rows_of(b.build(), "mid").valid());
}

TEST(RowsOfOutputs, AreThoseOfASingleOutput) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), mid = b.func("mid", {"x"});
    const FuncId one = b.output("one", {{"x", 0, 255}}), two = b.output("two", {{"x", 0, 255}});
    b.reads(mid, in, {at(0)}).reads(one, mid, {at(0)}).reads(two, mid, {at(0)});
    EXPECT_FALSE(rows_of(b.build(), "mid").valid()) << "one may be larger than the other";
}

TEST(RowsOfOutputs, AreNoneOfASingleValue) {
    DagBuilder b;
    const FuncId in = b.input("in", {}), mid = b.func("mid", {}), out = b.output("out", {});
    b.reads(mid, in, {}).reads(out, mid, {});
    const Dag dag = b.build();
    EXPECT_FALSE(rows_of(dag, "mid").valid());
    EXPECT_FALSE(rows_of(dag, "out").valid());
}

}  // namespace
}  // namespace autoschedule_gpu
