// Blocks that walk: what a step adds, what is kept, and which kernels can't walk.
#include "scheduler/nest/sliding.h"

#include <gtest/gtest.h>

#include <string>

#include "core/dag/dag.h"
#include "scheduler/nest/check.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/regions.h"
#include "unit/dag_builder.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::filters_along_columns;
using example::parsed;

// Tiles of 64 x 4, eight of which are a block's.
const std::string kHead = "kernel out walk y=8\n",
                  kTile = "  out threads x=64\n    out serial y=4\n";

KernelPtr walking(const Dag &dag) {
    return parsed(dag, kHead + "  first threads x=64\n    first serial y=4\n" +
                           "  second threads x=64\n    second serial y=4\n" + kTile)
        .kernels[0];
}

Slide slide(const Dag &dag, const char *name) {
    const KernelPtr kernel = walking(dag);
    const FuncId func = dag.func_of(example::find_stage(dag, name)).stages.empty()
                            ? FuncId()
                            : dag.stage(example::find_stage(dag, name)).func;
    return *slide_of(dag, *kernel, func, *extents_in_block(dag, *kernel, func));
}

TEST(Slide, AddsWhatATileIsLongAndKeepsTheRest) {
    const Dag dag = filters_along_columns(509, 251);
    EXPECT_EQ(slide(dag, "second").dim, 1u);
    EXPECT_EQ(slide(dag, "second").fresh, 4);
    EXPECT_EQ(slide(dag, "second").before, 1) << "four rows more than the tile";
    EXPECT_EQ(slide(dag, "first").fresh, 4);
    EXPECT_EQ(slide(dag, "first").before, 2) << "eight rows more";
}

TEST(Slide, HasARingForWhatOneStepReads) {
    const Dag dag = filters_along_columns(509, 251);
    const KernelPtr kernel = walking(dag);
    for (const char *name : {"first", "second"}) {
        const FuncId func = dag.stage(example::find_stage(dag, name)).func;
        EXPECT_EQ(ring_points(dag, *kernel, func, slide(dag, name)), 8)
            << name << ": four rows of what reads it, and four around them";
    }
}

TEST(Walk, IsWrittenAndReadBack) {
    const Dag dag = filters_along_columns(509, 251);
    const KernelPtr kernel = walking(dag);
    EXPECT_EQ(kernel->tiling[1].walk, 8);
    EXPECT_EQ(kernel->blocks->trips, (std::vector<int64_t>{8, 8})) << "32 rows a block";
    EXPECT_EQ(to_text(dag, *kernel),
              "kernel out blocks x=8 y=8 walk y=8\n  first threads x=64\n    first serial y=4\n"
              "  second threads x=64\n    second serial y=4\n" +
                  kTile);
    EXPECT_EQ(why_no_walk(dag, *kernel), nullptr);
    EXPECT_TRUE(keeps_something(dag, *kernel));
}

TEST(Walk, IsNoneWhereRowsAreLeftOut) {
    const Dag dag = filters_along_columns(509, 251, 8);
    const Nest nest = parsed(dag, "inline: first\n" + kHead + "  second threads x=64\n" +
                                      "    second serial y=4\n" + kTile);
    EXPECT_STREQ(why_no_walk(dag, *nest.kernels[0]),
                 "computes in its block what does not slide along")
        << "a tile reads rows 0 to 28 of second, and the next those from 32 on";
}

TEST(Walk, IsNoneAlongRows) {
    const Dag dag = filters_along_columns(509, 251);
    const Nest nest = parsed(dag, "inline: first second\nkernel out walk x=4\n" + kTile);
    EXPECT_STREQ(why_no_walk(dag, *nest.kernels[0]), "walks along its rows");
}

TEST(Walk, BeginsAtTheBeginningOfAnInput) {
    const Dag dag = filters_along_columns(509, 251);
    // Eight rows a step: the first step would make up for four of them with rows before the input.
    const Nest nest = parsed(dag, "inline: first\nkernel out walk y=4\n  second threads x=64\n" +
                                      std::string("    second serial y=8\n  out threads x=64\n") +
                                      "    out serial y=8\n");
    EXPECT_STREQ(why_no_walk(dag, *nest.kernels[0]), "would read before the beginning of an input");
}

// What is clamped to a number reads further before where a part of the picture begins behind it.
TEST(Walk, BeginsWhereAPartOfThePictureDoes) {
    for (const bool own : {true, false}) {
        example::DagBuilder b;
        const auto limit = own ? example::clamped : example::limited;
        const FuncId in = b.input("in", {"x", "y"}), sum = b.func("sum", {"x", "y"});
        const FuncId out = b.output("out", {{"x", 0, 508}, {"y", 0, 250}});
        b.reads(sum, in, {example::at(0), limit(1, 0, 0, 0, 250)});
        b.ops(sum, OpKind::transcendental, 4);
        b.reads(out, sum, {example::at(0), example::at(1, -2, 2)}, 5).ops(out, OpKind::add, 4);
        const Dag dag = b.build();
        const Nest nest = parsed(dag,
                                 "kernel out walk y=4\n  sum threads x=64\n    sum serial y=8\n"
                                 "  out threads x=64\n    out serial y=8\n");
        const char *why = why_no_walk(dag, *nest.kernels[0]);
        EXPECT_STREQ(why == nullptr ? "" : why,
                     own ? "" : "would read before the beginning of an input");
    }
}

}  // namespace
}  // namespace autoschedule_gpu
