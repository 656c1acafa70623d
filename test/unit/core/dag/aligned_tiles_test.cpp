// Where Funcs begin whatever the sizes are, and whose last tiles may go on beyond the end.
#include <gtest/gtest.h>

#include "core/dag/dag.h"
#include "unit/dag_builder.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

using example::find_func;
using example::Index;

// in -> half -> out, which reads half at y / 2; half reads `read` of in.
Dag halved(Index read, bool constant_min = true) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"y"}), half = b.func("half", {"y"});
    const FuncId out = b.output("out", {{"y", 0, 255}});
    b.reads(half, in, {std::move(read)}).reads(out, half, {example::half(0)});
    Dag dag = b.build();
    dag.funcs[out.index()].dims[0].constant_min = constant_min;
    find_aligned_tiles(dag);
    return dag;
}

const Dimension &dimension(const Dag &dag, const std::string &func) {
    return dag.func(find_func(dag, func)).dims[0];
}

bool runs_on(const Dag &dag, const std::string &func) {
    const auto grows = [&](FuncId producer, size_t dim) { return rounds_up(dag, producer, dim); };
    return may_run_on(dag, dag.stage(dag.func(find_func(dag, func)).stages[0]), 0, grows);
}

TEST(FindAlignedTiles, RoundsUpWhatIsReadWithinABufferOnly) {
    const Dag within = halved(example::clamped(0, 0, 0, 0, 127));
    EXPECT_TRUE(dimension(within, "half").rounds_up);
    EXPECT_TRUE(dimension(within, "out").rounds_up);
    EXPECT_FALSE(dimension(within, "in").rounds_up);
    const Dag beyond = halved(example::at(0));
    EXPECT_FALSE(dimension(beyond, "half").rounds_up);
    EXPECT_FALSE(dimension(beyond, "out").rounds_up);
}

// A part of a picture ends before the number does.
TEST(FindAlignedTiles, RoundsUpNothingThatIsLimitedByANumberOnly) {
    const Dag limited = halved(example::limited(0, 0, 0, 0, 127));
    EXPECT_FALSE(dimension(limited, "half").rounds_up);
    EXPECT_FALSE(runs_on(limited, "half"));
    EXPECT_FALSE(dimension(limited, "out").rounds_up);
}

TEST(FindAlignedTiles, KnowsWhatMayBeginBeforeOrRunOn) {
    const Dag within = halved(example::clamped(0, 0, 0, 0, 127));
    EXPECT_TRUE(runs_on(within, "half"));
    EXPECT_TRUE(dimension(within, "half").begins_before);
    EXPECT_TRUE(dimension(within, "out").begins_before);
    const Dag beyond = halved(example::at(0));
    EXPECT_FALSE(dimension(beyond, "half").begins_before);
    EXPECT_FALSE(dimension(beyond, "out").begins_before) << "more of the input would be asked for";
    // An output that is declared to begin at 0 begins nowhere else.
    const Index limited = example::limited(0, 0, 0, 0, 127);
    EXPECT_TRUE(dimension(halved(limited, true), "out").begins_before);
    EXPECT_FALSE(dimension(halved(limited, false), "out").begins_before);
}

TEST(FindAlignedTiles, KnowsWhatOfAConstantNumberMayRunOn) {
    for (const bool clamps : {true, false}) {
        example::DagBuilder b;
        const FuncId in = b.input("in", {"c", "x"}),
                     out = b.output("out", {{"c", 0, 2}, {"x", 0, 255}});
        b.reads(out, in,
                {clamps ? example::clamped(0, 0, 0, 0, 2) : example::at(0),
                 example::clamped(1, 0, 0, 0, 255)});
        Dag dag = b.build();
        dag.funcs[out.index()].dims[0].constant = true;
        find_aligned_tiles(dag);
        EXPECT_EQ(runs_on(dag, "out"), clamps);
        EXPECT_FALSE(dimension(dag, "out").rounds_up) << "its last tile is as it is";
    }
}

TEST(FindAlignedTiles, KnowsWhereFuncsBeginFromWhereOutputsAreDeclaredTo) {
    const Index read = example::clamped(0, 0, 0, 0, 127);
    EXPECT_TRUE(dimension(halved(read), "half").constant_min);
    EXPECT_FALSE(dimension(halved(read, false), "half").constant_min);
}

TEST(FindAlignedTiles, LeavesAnOutputThatIsReadAsItIs) {
    example::DagBuilder b;
    const FuncId first = b.output("first", {{"y", 0, 255}}), out = b.output("out", {{"y", 0, 255}});
    b.reads(out, first, {example::at(0)});
    const Dag dag = b.build();
    EXPECT_FALSE(dimension(dag, "first").rounds_up);
    EXPECT_FALSE(dimension(dag, "out").rounds_up) << "more of the other would be asked for";
}

}  // namespace
}  // namespace autoschedule_gpu
