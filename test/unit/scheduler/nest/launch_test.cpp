#include "scheduler/nest/launch.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/full_tiles.h"
#include "unit/dag_builder.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::kernel_of;
using example::parsed;
using example::sound;

const std::string kTogether =
    "kernel out\n  out threads x=32 y=8\n"
    "kernel dx with dx\n  dx threads x=32 y=8\n"
    "kernel dy with dx\n  dy threads x=32 y=8\n    dy serial y=2\n";

std::vector<std::string> problems(const Dag &dag, const std::string &nest) {
    return check(dag, parsed(dag, nest), Completeness::complete);
}

TEST(Launch, OfSiblingsComesBackFromItsText) {
    const Dag dag = example::siblings(512, 256);
    const Nest nest = sound(dag, kTogether);
    EXPECT_TRUE(shares_launches(nest));
    EXPECT_EQ(launches(nest), (std::vector<std::vector<size_t>>{{0}, {1, 2}}));
    EXPECT_EQ(parsed(dag, to_text(dag, nest)).hash(), nest.hash());
    const Result<Nest> unknown = parse_nest(dag, "kernel dx with dz\n  dx threads x=32 y=8\n");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "line 1: expected a stage, found dz");
}

TEST(Launch, IsPartOfWhatAKernelIs) {
    const Dag dag = example::siblings(512, 256);
    const Nest nest = sound(dag, kTogether), apart = with_launches_apart(nest);
    EXPECT_FALSE(shares_launches(apart));
    EXPECT_NE(apart.hash(), nest.hash());
    EXPECT_EQ(apart.hash(), sound(dag, to_text(dag, apart)).hash());
    const Kernel &dy = kernel_of(dag, nest, "dy");
    EXPECT_TRUE(is_guarded(dag, dy));
    EXPECT_FALSE(full_tiles(dag, dy)) << "Halide takes no specialization of it";
    EXPECT_FALSE(is_guarded(dag, kernel_of(dag, apart, "dy")));
}

TEST(Launch, IsOfKernelsThatNeedNoFullTiles) {
    const Dag chain = example::stencil_chain(3, 512, 256);
    EXPECT_EQ(problems(chain,
                       "kernel f2\n  f2 threads x=32 y=8\n"
                       "kernel f1 with f1\n  f0 threads x=34 y=10\n  f1 threads x=32 y=8\n"),
              std::vector<std::string>{"kernel f1: what is computed in it needs full tiles"});
    EXPECT_EQ(problems(chain,
                       "kernel f2 with f2\n  f1 threads x=34 y=10\n  f2 threads x=32 y=8\n"
                       "kernel f0\n  f0 threads x=32 y=8\n"),
              std::vector<std::string>{
                  "kernel f2: what is computed in it needs full tiles, and it is an output"});
}

TEST(Launch, MayBeThatOfTwoOutputs) {
    const Dag dag = example::derivatives(512, 256);
    sound(dag,
          "kernel dx with dx\n  dx threads x=32 y=8\nkernel dy with dx\n  dy threads x=32 y=8\n");
    const Dag dependent = example::two_outputs(640, 480);
    EXPECT_EQ(
        problems(dependent,
                 "kernel a with a\n  a threads x=32 y=8\n"
                 "kernel b with a\n  b threads x=32 y=8\n"),
        std::vector<std::string>{"launches: a would wait for what is computed in its own launch"});
}

// What the last tile reads beyond the end is clamped.
TEST(Launch, OfKernelsWithFullTilesGoesOnBeyondTheEnd) {
    const Dag dag = example::clamped_siblings(512, 256);
    const Nest nest = sound(dag,
                            "kernel out\n  out threads x=32 y=8\n"
                            "kernel dx with dx\n  near threads x=34 y=8\n  dx threads x=32 y=8\n"
                            "kernel dy with dx\n  dy threads x=32 y=8\n");
    const Kernel &dx = kernel_of(dag, nest, "dx"), &dy = kernel_of(dag, nest, "dy");
    EXPECT_TRUE(needs_full_tiles(dx));
    EXPECT_FALSE(is_guarded(dag, dx));
    EXPECT_FALSE(full_tiles(dag, dx));
    EXPECT_TRUE(rounds_up(dag, dx, 0));
    EXPECT_TRUE(is_guarded(dag, dy));
    EXPECT_FALSE(rounds_up(dag, dy, 0)) << "its tiles end in guards";
}

TEST(Launch, HasAFirstKernel) {
    const Dag dag = example::siblings(512, 256);
    EXPECT_EQ(problems(dag,
                       "kernel out\n  out threads x=32 y=8\nkernel dx\n  dx threads x=32 y=8\n"
                       "kernel dy with dx\n  dy threads x=32 y=8\n"),
              std::vector<std::string>{"kernel dy: is in the launch of a kernel that has none"});
}

// Only the innermost loop over blocks must be alike: the others are fused with it.
TEST(Launch, OfFuncsWithMoreDimensionsOrOtherThreads) {
    sound(example::siblings(512, 256),
          "kernel out\n  out threads x=32 y=8\nkernel dx with dx\n  dx threads x=32 y=8\n"
          "kernel dy with dx\n  dy threads x=128\n    dy serial y=3\n");
    sound(example::siblings_of_channels(512, 256),
          "kernel out\n  out threads x=32 y=8\nkernel dx with dx\n  dx threads x=32 y=8\n"
          "kernel dy with dx\n  dy threads x=32 y=7\n");
}

// Of all channels there is a tile each, and nothing says where they end; of rows a guard does.
TEST(Launch, HasALoopThatEndsAsItsOutermost) {
    const Dag dag = example::siblings_of_channels(512, 256);
    const auto order = [&](const std::string &threads) {
        const Nest nest = parsed(dag, "kernel dy\n  dy threads " + threads + "\n");
        return shared_grid(dag, *nest.kernels[0]);
    };
    EXPECT_EQ(order("x=32 y=8"), (std::vector<size_t>{0, 2, 1}));
    EXPECT_EQ(order("x=32"), (std::vector<size_t>{0, 1, 2})) << "the innermost names the loop";
}

// Nor does a clamp along another dimension end it.
TEST(Launch, RunsOnAlongChannelsOnlyWhereTheseAreClamped) {
    for (const bool clamps : {true, false}) {
        example::DagBuilder b;
        const FuncId in = b.input("in", {"x", "y", "c"});
        const FuncId dx = b.func("dx", {"x", "y", "c"}), dy = b.func("dy", {"x", "y", "c"});
        const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}, {"c", 0, 2}});
        const example::Index row = example::clamped(1, -1, 1, 0, 255);
        const example::Index channel = clamps ? example::clamped(2, 0, 0, 0, 2) : example::at(2);
        b.reads(dx, in, {example::at(0), row, channel}, 3).ops(dx, OpKind::add, 20);
        b.reads(dy, in, {example::at(0), row, channel}, 3).ops(dy, OpKind::add, 20);
        b.reads(out, dx, {example::at(0, -2, 2), example::at(1), example::at(2)}, 5);
        b.reads(out, dy, {example::at(0), example::at(1, -2, 2), example::at(2)}, 5);
        Dag dag = b.build();
        for (Stage &stage : dag.stages) {
            for (Load &load : stage.loads) load.clamped = dag.func(load.producer).is_input();
        }
        const std::vector<std::string> found = problems(dag,
                                                        "kernel out\n  out threads x=32 y=8\n"
                                                        "kernel dx with dx\n  dx threads x=64\n"
                                                        "kernel dy with dx\n  dy threads x=64\n");
        EXPECT_EQ(found.empty(), clamps);
        if (!clamps && !found.empty()) {
            EXPECT_NE(found[0].find("neither guards nor clamps end its outermost loop"),
                      std::string::npos)
                << found[0];
        }
    }
}

// In a longer launch the loop runs on beyond the Func, and Halide would ask inputs for that.
TEST(Launch, IsOfKernelsWhoseOutermostLoopEndsInAGuard) {
    const Dag dag = example::siblings(512, 256);
    EXPECT_EQ(problems(dag,
                       "kernel out\n  out threads x=32 y=8\n"
                       "kernel dx with dx\n  dx threads x=32 y=8\n"
                       "kernel dy with dx\n  dy threads x=256\n"),
              (std::vector<std::string>{"kernel dy: can't share its launch: dy: neither guards "
                                        "nor clamps end its outermost loop over blocks"}));
}

TEST(Launch, IsNotThatOfAnOutputAndAnotherFunc) {
    const Dag dag = example::siblings(512, 256);
    EXPECT_EQ(problems(dag,
                       "kernel out with dx\n  out threads x=32 y=8\n"
                       "kernel dx with dx\n  dx threads x=32 y=8\n"
                       "kernel dy\n  dy threads x=32 y=8\n"),
              (std::vector<std::string>{
                  "kernel out: can't share its launch: one is an output and the other is not",
                  "launches: dx would wait for what is computed in its own launch"}));
}

TEST(Launch, DoesNotWaitForItself) {
    const Dag chain = example::stencil_chain(4, 512, 256);
    const std::string rest = "kernel f3\n  f3 threads x=32 y=8\nkernel f1\n  f1 threads x=32 y=8\n";
    EXPECT_EQ(
        problems(chain, rest + "kernel f2 with f0\n  f2 threads x=32 y=8\n"
                               "kernel f0 with f0\n  f0 threads x=32 y=8\n"),
        std::vector<std::string>{"launches: f0 would wait for what is computed in its own launch"})
        << "through f1";
    EXPECT_EQ(
        problems(chain,
                 "kernel f3\n  f3 threads x=32 y=8\n"
                 "kernel f1 with f0\n  f1 threads x=32 y=8\n"
                 "kernel f2\n  f2 threads x=32 y=8\n"
                 "kernel f0 with f0\n  f0 threads x=32 y=8\n"),
        std::vector<std::string>{"launches: f0 would wait for what is computed in its own launch"})
        << "one reads the other";
}

// What two kernels stage in shared memory has elements of these sizes.
std::optional<std::string> why_not_staged(uint8_t first_bits, uint8_t other_bits) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"});
    const FuncId a = b.func("a", {"x"}), p = b.func("p", {"x"});
    const FuncId f = b.func("f", {"x"}), q = b.func("q", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 511}});
    b.reads(a, in, {example::at(0)}).reads(f, in, {example::at(0)});
    b.reads(p, a, {example::at(0)}).reads(q, f, {example::at(0)});
    b.reads(out, p, {example::at(0)}).reads(out, q, {example::at(0)});
    Dag dag = b.build();
    dag.funcs[a.index()].values[0].bits = first_bits;
    dag.funcs[f.index()].values[0].bits = other_bits;
    for (const FuncId func : {p, q}) dag.funcs[func.index()].dims[0].constant = true;
    const Nest nest = parsed(dag,
                             "kernel out\n  out threads x=64\n"
                             "kernel q\n  f threads x=64\n    f serial x=1\n  q threads x=64\n"
                             "kernel p\n  a threads x=64\n    a serial x=1\n  p threads x=64\n");
    return why_not_with(dag, kernel_of(dag, nest, "p"), kernel_of(dag, nest, "q"));
}

TEST(Launch, HasElementsOfOneSizeInSharedMemory) {
    EXPECT_EQ(why_not_staged(32, 32), std::nullopt);
    for (const uint8_t bits : {8, 16, 64}) {
        EXPECT_EQ(why_not_staged(bits, 32),
                  "elements in shared memory differ in size, of which a launch has one allocation");
    }
}

}  // namespace
}  // namespace autoschedule_gpu
