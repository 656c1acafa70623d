// The two schedules of a stage, for full tiles and for other sizes, where its tiles have more block
// loops than a grid has dimensions.
#include "scheduler/schedule/directives_of_nest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/schedule/trace.h"
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

std::vector<std::string> of_func(const Schedule &schedule, const std::string &func) {
    std::vector<std::string> lines;
    for (const Directive &directive : schedule) {
        if (directive.func_name != func || directive.branch == Branch::full_tiles) continue;
        lines.push_back(describe(directive, "total"));
    }
    return lines;
}

// What is inside the threads, those, and what is outside; the loop to be computed in is that one.
TEST(OutermostLoops, AreOutsideTheThreadsOfTheirUpdate) {
    const Dag dag = example::patches_of_all_shifts(1024, 512);
    const Schedule schedule =
        directives(dag, example::sound(dag,
                                       "inline: patch\nkernel out\n"
                                       "  total threads x=32 y=8\n"
                                       "  diff threads x=34 y=8 in total.update(0)\n"
                                       "    diff serial i=5\n"
                                       "  total.update(0) threads x=32 y=8 in outer_loop\n"
                                       "    total.update(0) serial s=5\n"
                                       "  out threads x=32 y=8\n"));
    EXPECT_EQ(of_func(schedule, "diff").front(), "diff.compute_at(total, t)");
    const std::vector<std::string> total = of_func(schedule, "total");
    EXPECT_EQ(std::ranges::count(total, "total.update(0).reorder(s, x, y, t)"), 1);
    EXPECT_EQ(std::ranges::count(total, "total.update(0).gpu_threads(x, y)"), 1);
}

// Halide takes Vars of any name; what a trace names is an identifier.
TEST(LoopNames, AreIdentifiersWhateverVarsAreCalled) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"1st", "y"});
    const FuncId out = b.output("out", {{"1st", 0, 511}, {"y", 0, 511}});
    b.reads(out, in, {at(0), at(1)});
    const Dag dag = b.build();
    const Nest nest = example::parsed(dag, "kernel out\n  out threads 1st=32 y=8\n");
    const Status sound = check_against(directives(dag, nest), dag);
    EXPECT_TRUE(sound.ok()) << (sound.ok() ? "" : sound.error().message);
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

// Halide counts a fused loop in 32 bits.
TEST(SchedulesForOtherSizes, FuseNoWholeLoopsWhereBuffersAreLarge) {
    Dag dag = example::stencil_chain(2, 512, 256);
    dag.large_buffers = true;
    const Schedule schedule = directives(dag, example::sound(dag,
                                                             "kernel f1\n"
                                                             "  f0 threads x=64 y=4\n"
                                                             "    f0 serial x=2 y=9\n"
                                                             "  f1 threads x=63 y=4\n"
                                                             "    f1 serial x=2 y=8\n"));
    const std::vector<std::string> lines = of_func(schedule, "f1");
    for (const std::string line :
         {"f1.split(y_p, y_o, y_q, 256, TailStrategy::GuardWithIf)", "f1.fuse(x_p, y_o, x_b)",
          "f1.reorder(x_s, y_s, x_t, y_t, x_b, y_q)", "f1.gpu_blocks(x_b, y_q)"}) {
        EXPECT_EQ(std::ranges::count(lines, line), 1) << line;
    }
    const Status sound = check_against(schedule, dag);
    EXPECT_TRUE(sound.ok()) << (sound.ok() ? "" : sound.error().message);
}

// All of them have to fit into the second dimension of a grid.
TEST(SchedulesForOtherSizes, ShareBlocksBesideTheSiteAmongLoopsWhereBuffersAreLarge) {
    Dag dag = volumes();
    dag.large_buffers = true;
    const Schedule schedule = directives(dag, example::sound(dag,
                                                             "kernel out\n"
                                                             "  f threads x=34 y=4\n"
                                                             "  out threads x=32 y=4\n"));
    expect_no_guards(dag, schedule);
    const std::vector<std::string> lines = of_func(schedule, "out");
    for (const std::string line : {"out.split(y_p, y_o, y_q, 16, TailStrategy::GuardWithIf)",
                                   "out.split(w_p, w_o, w_q, 16, TailStrategy::GuardWithIf)"}) {
        EXPECT_EQ(std::ranges::count(lines, line), 1) << line;
    }
}

// parts(y, c) = sum of lanes(y, c), of at most so many parts.
Dag parts_of_rows(int64_t most) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"c", "y"}), lanes = b.func("lanes", {"y", "c"});
    const FuncId parts = b.func("parts", {"y", "c"}), out = b.output("out", {{"y", 0, 4095}});
    b.reads(lanes, in, {at(1), at(0)}).ops(lanes, OpKind::add, 30);
    b.reads(parts, lanes, {at(0), at(1)});
    const StageId update = b.update(out, {b.over(0, "y"), b.reduction("r", 0, 31)}, {at(0)});
    b.reads(update, out, {at(0)}).reads(update, parts, {at(0), at(1)});
    Dag dag = b.build();
    dag.funcs[parts.index()].dims[1].constant = false;  // it follows from the size of an image
    dag.funcs[parts.index()].dims[1].most_extent = most;
    return dag;
}

std::vector<std::string> blocks_of_other_sizes(const Dag &dag) {
    const Nest nest = example::sound(dag,
                                     "kernel out\n  out threads y=32\n"
                                     "kernel out.update(0)\n  out.update(0) threads y=32\n"
                                     "kernel parts\n  lanes threads y=32\n"
                                     "  parts threads y=32\n");
    std::vector<std::string> lines;
    for (const std::string &line : of_func(directives(dag, nest), "parts")) {
        const bool grid = line.find("gpu_blocks") != line.npos || line.find("fuse") != line.npos;
        if (grid) lines.push_back(line);
    }
    return lines;
}

// In a fused loop Halide does not know that a part is there.
TEST(SchedulesForFullTilesAndOthers, HaveBlocksOfTheirOwnForPartsOfAReduction) {
    using Lines = std::vector<std::string>;
    EXPECT_EQ(blocks_of_other_sizes(parts_of_rows(1 << 24)),
              (Lines{"parts.gpu_blocks(y_b, c_q, c_o)"}));
    EXPECT_EQ(blocks_of_other_sizes(parts_of_rows(0)),
              (Lines{"parts.fuse(y_p, c_p, y_b)", "parts.gpu_blocks(y_b)"}));
}

// Of no rows, as of more than a grid holds: as many blocks as there ever are.
TEST(SchedulesForFullTilesAndOthers, StrideOverWhatMayBeEmpty) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 1023}, {"y", 0, 1023}});
    Loop rows = b.reduction("ry", 0, 99, true, false);
    rows.may_be_empty = true;
    const StageId update = b.update(out, {b.reduction("rx", 0, 999, true), rows}, {at(0), at(1)});
    const Dag dag = b.reads(update, in, {at(0), at(1)}).build();
    const Schedule schedule = directives(
        dag, example::sound(dag,
                            "kernel out\n  out threads x=32 y=8\n"
                            "kernel out.update(0)\n  out.update(0) threads rx=32 ry=8\n"));
    std::vector<std::string> grid;
    for (const std::string &line : of_func(schedule, "out")) {
        const bool is_update = line.find("update(0)") != line.npos;
        const bool other = line.find("full_tiles") == line.npos;
        for (const char *op : {"specialize", "4096", "gpu_blocks", "reorder"}) {
            if (is_update && other && line.find(op) != line.npos) grid.push_back(line);
        }
    }
    EXPECT_EQ(grid, (std::vector<std::string>{
                        "out.update(0).specialize(ry, total of any x any x 1..524272)",
                        "out.update(0).split(rx_b0_ry_b0, rx_w0, rx_q0, 4096, "
                        "TailStrategy::GuardWithIf)",
                        "out.update(0).reorder(rx_t0, ry_t0, rx_w0, rx_q0)",
                        "out.update(0).gpu_blocks(rx_q0)"}));
}

// out(x, y) = in(x, y) - sum(y), of rows.
Dag rows_less_their_sum() {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), sum = b.func("sum", {"y"});
    const FuncId out = b.output("out", {{"x", 0, 999}, {"y", 0, 4095}});
    const StageId update = b.update(sum, {b.over(0, "y"), b.reduction("r", 0, 999)}, {at(0)});
    b.reads(update, sum, {at(0)}).reads(update, in, {at(1), at(0)});
    return b.reads(out, in, {at(0), at(1)}).reads(out, sum, {at(1)}).build();
}

// out(c, y) = what is in a row of 16 values.
Dag rows_of_sixteen() {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), copy = b.func("copy", {"i", "c"});
    const FuncId out = b.output("out", {{"c", 0, 16383}, {"y", 0, 63}});
    b.reads(copy, in, {{.terms = {{0, 1}, {1, 16}}}});
    b.reads(out, copy, {{.terms = {}, .lo = 0, .hi = 15}, at(0)}, 16);
    return b.build();
}

TEST(FlatThreads, AreOneLoopOverAllThatTheyShare) {
    const Dag dag = rows_of_sixteen();
    const Schedule schedule =
        directives(dag, example::sound(dag,
                                       "kernel out\n  copy flat i=16 c=16\n    copy strided c=16\n"
                                       "  out threads c=256\n"));
    const std::vector<std::string> copied = of_func(schedule, "copy");
    for (const char *line :
         {"copy.fuse(i, c_t, i_c_t)", "copy.reorder(c_s, i_c_t)", "copy.gpu_threads(i_c_t)"}) {
        EXPECT_EQ(std::ranges::count(copied, line), 1) << line;
    }
}

TEST(FlatThreads, AreAsTheRootStagesAre) {
    const Dag dag = rows_of_sixteen();
    const Nest nest = example::sound(dag,
                                     "kernel out\n  copy flat i=16 c=14\n    copy strided c=5\n"
                                     "  out threads c=64 y=4\n");
    const ThreadExtents block = block_size(*nest.kernels[0]);
    EXPECT_EQ(block.x, 64);
    EXPECT_EQ(block.y, 4);
    const std::vector<std::string> copied = of_func(directives(dag, nest), "copy");
    for (const char *line : {"copy.fuse(i, c_t, i_c_t)",
                             "copy.split(i_c_t, i_c_t_n, i_c_t_r, 64, TailStrategy::GuardWithIf)",
                             "copy.gpu_threads(i_c_t_r, i_c_t_n)"}) {
        EXPECT_EQ(std::ranges::count(copied, line), 1) << line;
    }
}

TEST(WholeRows, AreWalkedByTheThreadsOfABlock) {
    const Dag dag = rows_less_their_sum();
    const Nest nest = example::sound(dag,
                                     "kernel out blocks y=2048\n"
                                     "  sum threads y=2\n"
                                     "  sum.update(0) threads y=2\n"
                                     "  out threads x=64 y=2\n"
                                     "    out strided x=16\n");
    std::string text;
    for (const Directive &directive : directives(dag, nest)) {
        if (directive.branch == Branch::full_tiles) text += describe(directive, "out") + "\n";
    }
    EXPECT_NE(text.find("out.full_tiles.split(x, x_s, x_t, 64, TailStrategy::GuardWithIf)"),
              text.npos)
        << text;
    EXPECT_NE(text.find("out.full_tiles.reorder(x_s, x_t, y_t, y_b)"), text.npos) << text;
    EXPECT_NE(text.find("out.full_tiles.gpu_blocks(y_b)"), text.npos) << text;
    EXPECT_EQ(to_text(dag, nest), to_text(dag, parse_nest(dag, to_text(dag, nest)).value()));
}

// Neighbouring threads take neighbouring points, in rounds.
TEST(SpreadPoints, AreAsFarApartAsThereAreThreads) {
    const Dag dag = example::copy(4096, 1024);
    const Nest nest = example::sound(dag,
                                     "kernel out blocks x=32 y=1024\n"
                                     "  out threads x=32\n    out spread x=4\n");
    std::string text;
    for (const Directive &directive : directives(dag, nest)) {
        if (directive.branch == Branch::full_tiles) text += describe(directive, "out") + "\n";
    }
    EXPECT_NE(text.find(".split(x, x_b, x_i, 128, TailStrategy::ShiftInwards)"), text.npos) << text;
    EXPECT_NE(text.find(".split(x_i, x_s, x_t, 32, TailStrategy::ShiftInwards)"), text.npos)
        << text;
    EXPECT_EQ(to_text(dag, nest), to_text(dag, parse_nest(dag, to_text(dag, nest)).value()));
}

// Rows meet in the same bins: blocks of rows add to them, thread by thread a bin.
TEST(SharedReductions, AddByAtomicOperations) {
    const Dag dag = example::row_histograms(640, 480);
    const auto hist_of = [&](const std::string &kernel) {
        return of_func(directives(dag, example::sound(dag,
                                                      "kernel out\n"
                                                      "  out threads x=32 y=8\n" +
                                                          kernel +
                                                          "kernel hist\n"
                                                          "  hist threads i=256\n"
                                                          "kernel rows.update(0)\n"
                                                          "  rows.update(0) threads y=32\n"
                                                          "    rows.update(0) serial c=640\n"
                                                          "kernel rows\n"
                                                          "  rows threads i=32 y=8\n")),
                       "hist");
    };
    const std::vector<std::string> shared = hist_of(
        "kernel hist.update(0) blocks r=480\n"
        "  hist.update(0) threads i=256\n");
    EXPECT_EQ(std::ranges::count(shared, "hist.update(0).atomic()"), 1);
    const std::vector<std::string> alone = hist_of(
        "kernel hist.update(0)\n"
        "  hist.update(0) threads i=256\n"
        "    hist.update(0) serial r=480\n");
    EXPECT_EQ(std::ranges::count(alone, "hist.update(0).atomic()"), 0);
}

// Be it that its user looks at what is realized, and has not said where that is.
TEST(FuncsAtRoot, AreThereThoughTheirUserHasNotSaidSo) {
    Dag dag = example::two_stencils(512, 256);
    dag.funcs[example::find_func(dag, "f0").index()].ours = Func::Ours::loops;
    dag.funcs[example::find_func(dag, "f0").index()].can_inline = false;
    const Nest nest = example::sound(dag,
                                     "kernel f1\n  f1 threads x=32 y=8\n"
                                     "kernel f0\n  f0 threads x=32 y=8\n");
    EXPECT_EQ(of_func(directives(dag, nest), "f0").front(), "f0.compute_root()");
}

}  // namespace
}  // namespace autoschedule_gpu
