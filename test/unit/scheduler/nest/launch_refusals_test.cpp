// Why kernels share no launch, each reason in its words.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "scheduler/nest/launch.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

const std::string kOut = "kernel out\n  out threads x=32 y=8\n";
const std::string kSiblings =
    kOut + "kernel dx\n  dx threads x=32 y=8\nkernel dy\n  dy threads x=32 y=8\n";

std::string why_alone(const Dag &dag, const Kernel &kernel) {
    return why_alone_in_launch(dag, kernel).value_or("it may share one");
}

std::string why_alone(const Dag &dag, std::string_view nest, const std::string &stage) {
    return why_alone(dag, kernel_of(dag, sound(dag, nest), stage));
}

// dx of two siblings, changed by `change`, which returns nothing, or with it the pipeline.
template <typename Change>
std::string why_alone_if(const Change &change) {
    Dag dag = siblings(512, 256);
    Kernel dx = kernel_of(dag, sound(dag, kSiblings), "dx");
    change(dag, dx);
    return why_alone(dag, dx);
}

// counts(r) = in(r) for r in 0..255, whose iterations do not depend on each other.
Dag counts_of_steps() {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), counts = b.func("counts", {"x"});
    const StageId steps = b.update(counts, {DagBuilder::reduction("r", 0, 255, true)}, {at(0)});
    b.reads(steps, in, {at(0)});
    const FuncId out = b.output("out", {{"x", 0, 255}});
    b.reads(out, counts, {at(0)});
    return b.build();
}

std::string why_not(const Dag &dag, std::string_view nest, const std::string &first,
                    const std::string &other) {
    const Nest all = sound(dag, nest);
    return why_not_with(dag, kernel_of(dag, all, first), kernel_of(dag, all, other))
        .value_or("they may share one");
}

TEST(LaunchRefusals, AreOfNoKernelThatComputesPointsOfAFunc) {
    EXPECT_EQ(why_alone_if([](Dag &, Kernel &) {}), "it may share one");
}

TEST(LaunchRefusals, AreOfBlocksThatWalk) {
    EXPECT_EQ(why_alone_if([](Dag &, Kernel &dx) { dx.tiling[1].walk = 4; }),
              "its blocks walk along a loop");
}

TEST(LaunchRefusals, AreOfWhatOthersDecide) {
    const Dag dag = host_in_the_middle(512, 256);
    EXPECT_EQ(
        why_alone(dag, kOut + "kernel mid host\nkernel before\n  before threads x=32 y=8\n", "mid"),
        "it is on the host");
    EXPECT_EQ(why_alone_if([](Dag &dag, Kernel &dx) {
                  dag.funcs[dag.stage(dx.stage).func.index()].ours = Func::Ours::loops;
              }),
              "it is scheduled by its user");
}

TEST(LaunchRefusals, AreOfTilesThatNeedASpecialization) {
    EXPECT_EQ(why_alone_if([](Dag &dag, Kernel &dx) {
                  dag.stages[dx.stage.index()].predicate_reads = true;
              }),
              "its condition reads data, and its tiles would end in guards");
    EXPECT_EQ(why_alone_if([](Dag &, Kernel &dx) { dx.aligned = true; }),
              "what is computed in it needs aligned tiles or vectors");
}

TEST(LaunchRefusals, AreOfThreadsThatStrideAlongRows) {
    for (const Rest rest : {Rest::threads, Rest::spread}) {
        EXPECT_EQ(why_alone_if([&](Dag &, Kernel &dx) { dx.tiling[0].rest = rest; }),
                  "its threads stride along rows");
    }
}

TEST(LaunchRefusals, AreOfSumsThatThreadsOrBlocksShare) {
    EXPECT_EQ(why_alone(row_sums(128, 64),
                        "kernel out\n  out threads y=32\nkernel rows\n  rows threads y=32\n"
                        "kernel rows.update(0) blocks c=2 y=64\n"
                        "  rows.update(0) threads c=16\n    rows.update(0) serial c=4\n",
                        "rows.update(0)"),
              "it adds by atomic operations");
    EXPECT_EQ(why_alone(counts_of_steps(),
                        "kernel out\n  out threads x=32\nkernel counts\n  counts threads x=32\n"
                        "kernel counts.update(0)\n  counts.update(0) threads r=32\n",
                        "counts.update(0)"),
              "its blocks share a reduction");
}

TEST(LaunchRefusals, AreOfKernelsWithoutALoopOverBlocks) {
    EXPECT_EQ(
        why_alone(zero_dim(64),
                  "kernel sum\n  sum threads\nkernel sum.update(0)\n  sum.update(0) threads\n",
                  "sum"),
        "it has no loop over blocks");
}

TEST(LaunchRefusals, AreOfStagesOfAnotherNumber) {
    const Dag dag = row_sums(64, 256);
    EXPECT_EQ(why_not(dag,
                      "kernel out\n  out threads y=32\nkernel rows\n  rows threads y=32\n"
                      "kernel rows.update(0)\n  rows.update(0) threads y=32\n",
                      "rows", "rows.update(0)"),
              "only stages of one number can share it");
}

TEST(LaunchRefusals, SayWhichKernelIsAlone) {
    EXPECT_EQ(
        why_not(host_in_the_middle(512, 256),
                kOut + "kernel mid host\nkernel before\n  before threads x=32 y=8\n", "out", "mid"),
        "mid: it is on the host");
}

TEST(LaunchRefusals, AreOfAnOutputAndAnotherFunc) {
    EXPECT_EQ(why_not(siblings(512, 256), kSiblings, "dx", "out"),
              "one is an output and the other is not");
}

TEST(LaunchRefusals, AreOfLoopsThatHalideCallsOtherwise) {
    const Dag dag = siblings(512, 256);
    const auto with = [&](const std::string &dy) {
        return why_not(dag, kOut + "kernel dx\n  dx threads x=32 y=8\nkernel dy\n  dy " + dy, "dx",
                       "dy");
    };
    EXPECT_EQ(with("threads x=128\n    dy serial y=4\n"), "they may share one");
    EXPECT_EQ(with("threads y=32\n    dy serial x=4\n"),
              "innermost loops over blocks have other names");
    EXPECT_EQ(with("threads\n    dy serial x=3 y=3\n"),
              "only one has threads along its innermost loop over blocks");
}

TEST(LaunchRefusals, AreOfOneAndOfSeveralLoopsOverBlocks) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId row = b.func("row", {"x"}), all = b.func("all", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(row, in, {at(0), fixed(0)}).reads(all, in, {at(0), at(1)});
    b.reads(out, row, {at(0)}).reads(out, all, {at(0), at(1)});
    EXPECT_EQ(why_not(b.build(),
                      kOut + "kernel row\n  row threads x=32\nkernel all\n  all threads x=32 y=3\n",
                      "row", "all"),
              "only one has several loops over blocks");
}

}  // namespace
}  // namespace autoschedule_gpu
