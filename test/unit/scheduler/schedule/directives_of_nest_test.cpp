// The two schedules of a stage, for full tiles and for other sizes, where its tiles have more block
// loops than a grid has dimensions.
#include "scheduler/schedule/directives_of_nest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::at;

struct Counts {
    size_t loops = 0;
    bool fuses = false;
};

Counts counts(const Schedule &schedule, const std::string &func, Branch branch) {
    Counts found;
    for (const Directive &directive : schedule) {
        if (directive.func_name != func || directive.branch != branch) continue;
        found.fuses = found.fuses || directive.op == DirectiveOp::fuse;
        if (directive.op == DirectiveOp::reorder) found.loops = directive.loops.size();
    }
    return found;
}

// in -> f -> out, of four dimensions.
Dag volumes() {
    example::DagBuilder b;
    const std::vector<std::string> dims = {"x", "y", "z", "w"};
    const FuncId in = b.input("in", dims), f = b.func("f", dims);
    const FuncId out = b.output("out", {{"x", 0, 63}, {"y", 0, 63}, {"z", 0, 15}, {"w", 0, 7}});
    b.reads(f, in, {at(0), at(1), at(2), at(3)}).ops(f, OpKind::add, 30);
    return b.reads(out, f, {at(0, -1, 1), at(1), at(2), at(3)}, 3).ops(out, OpKind::add, 2).build();
}

void expect_no_guards(const Dag &dag, const Schedule &schedule) {
    const Counts full = counts(schedule, "out", Branch::full_tiles);
    EXPECT_TRUE(full.fuses);
    EXPECT_LE(full.loops, counts(schedule, "out", Branch::otherwise).loops + 1);
    const Status sound = check_against(schedule, dag);
    EXPECT_TRUE(sound.ok()) << (sound.ok() ? "" : sound.error().message);
}

TEST(SchedulesForFullTilesAndOthers, DifferByOneLoopAtMostWhereLoopsAreFused) {
    const Dag dag = volumes();
    expect_no_guards(dag, directives(dag, example::sound(dag,
                                                         "kernel out\n"
                                                         "  out threads x=32 y=4\n"
                                                         "    out serial x=2 y=2 z=2\n"
                                                         "kernel f\n  f threads x=32 y=4\n")));
}

TEST(SchedulesForFullTilesAndOthers, DifferByOneLoopAtMostAroundOtherFuncsToo) {
    const Dag dag = volumes();
    expect_no_guards(dag, directives(dag, example::sound(dag,
                                                         "kernel out\n"
                                                         "  f threads x=34 y=4\n"
                                                         "  out threads x=32 y=4\n")));
}

}  // namespace
}  // namespace autoschedule_gpu
