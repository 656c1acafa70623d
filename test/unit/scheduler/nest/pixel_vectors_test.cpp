// Which kernels store or load pixels by vectors, and what comes of it.
#include "scheduler/nest/pixel_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/gpu/gpu_model.h"
#include "core/gpu/occupancy.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/nest/edit.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"
#include "unit/dag_builder.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::at;
using example::find_func;
using example::find_stage;
using example::parsed;

constexpr ScalarType kByte{ScalarType::Code::unsigned_int, 8};
constexpr ScalarType kShort{ScalarType::Code::unsigned_int, 16};

struct Image {
    ScalarType type = kByte, given = type;
    int64_t channels = 3, width = 512;
    int64_t alignment_bytes = 16;
    int operations = 0;
    // How the input's x is read at the output's, and where its channels lie in memory.
    example::Index x = at(1);
    bool reads_planes = true;
};

// out(c, x, y) = in(x, y, c), interleaved from planes or from pixels.
Dag dag_of(const Image &image) {
    using namespace example;
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "c"}, image.given);
    const FuncId out =
        b.output("out", {{"c", 0, image.channels - 1}, {"x", 0, image.width - 1}, {"y", 0, 255}},
                 image.type);
    if (!image.reads_planes) b.storage(in, {2, 0, 1});
    b.reads(out, in, {image.x, at(2), at(0)});
    if (image.operations > 0) b.ops(out, OpKind::add, image.operations);
    Dag dag = b.build();
    for (Func &func : dag.funcs) func.alignment_bytes = image.alignment_bytes;
    Dimension &channels = dag.funcs[find_func(dag, "out").index()].dims[0];
    channels.fixed = channels.constant = true;
    return dag;
}

std::string nest_of(int64_t channels, int64_t pixels, const std::string &rest = "") {
    return "kernel out" + rest +
           "\n  out threads x=16 y=8\n    out serial c=" + std::to_string(channels) +
           " x=" + std::to_string(pixels) + "\n";
}

std::optional<PixelVectors> found(const Dag &dag, const std::string &nest) {
    return pixel_vectors(dag, *parsed(dag, nest).kernels[0]);
}

TEST(PixelVectors, AreOfEightBytesOfEachChannel) {
    const Dag dag = dag_of({});
    const std::optional<PixelVectors> vectors = found(dag, nest_of(3, 8));
    ASSERT_TRUE(vectors);
    EXPECT_EQ(dag.stage(find_stage(dag, "out")).loops[vectors->loop].name, "x");
    EXPECT_EQ(vectors->points, 8);
    EXPECT_EQ(vectors->channels, std::vector<size_t>{0});
    ASSERT_EQ(vectors->buffers.size(), 2);
    EXPECT_EQ(vectors->buffers[0].func, find_func(dag, "out"));
    EXPECT_EQ(vectors->buffers[0].pixels, 1);
    EXPECT_EQ(vectors->buffers[0].channels, 0);
    EXPECT_EQ(vectors->buffers[0].step, 3);
    EXPECT_EQ(vectors->buffers[1].pixels, 0);
    EXPECT_FALSE(vectors->buffers[1].channels) << "planes";
    EXPECT_EQ(found(dag_of({.type = kShort}), nest_of(3, 4))->points, 4);
    EXPECT_TRUE(found(dag_of({.channels = 4}), nest_of(4, 8)));
    EXPECT_TRUE(found(dag_of({.channels = 2}), nest_of(2, 4))) << "or of fewer";
}

TEST(PixelVectors, NeedAllChannelsOfWholeVectors) {
    const Dag dag = dag_of({});
    EXPECT_FALSE(found(dag, nest_of(1, 8)));
    EXPECT_FALSE(found(dag, nest_of(3, 1)));
    EXPECT_FALSE(found(dag, nest_of(3, 16))) << "more than an instruction stores";
    EXPECT_FALSE(found(dag, nest_of(3, 8, " pixelwise"))) << "switched off";
    EXPECT_FALSE(found(dag_of({.width = 508}), nest_of(3, 8))) << "rows begin between vectors";
}

TEST(PixelVectors, NeedAPromiseOfTheUser) {
    EXPECT_TRUE(found(dag_of({.alignment_bytes = 8}), nest_of(3, 8)));
    EXPECT_FALSE(found(dag_of({.alignment_bytes = 1}), nest_of(3, 8)));
    Dag forgotten = dag_of({});
    forget_alignments(forgotten);
    EXPECT_FALSE(found(forgotten, nest_of(3, 8)));
    // What is loaded one by one may lie anywhere.
    Dag output_only = dag_of({});
    output_only.funcs[find_func(output_only, "in").index()].alignment_bytes = 1;
    ASSERT_TRUE(found(output_only, nest_of(3, 8)));
    EXPECT_EQ(found(output_only, nest_of(3, 8))->buffers.size(), 1);
}

// Which is what an LLVM may crash at.
TEST(PixelVectors, OfBytesAreMereCopies) {
    using example::clamped;
    EXPECT_FALSE(found(dag_of({.operations = 1}), nest_of(3, 8)));
    EXPECT_FALSE(found(dag_of({.given = kShort}), nest_of(3, 8))) << "a conversion";
    EXPECT_FALSE(found(dag_of({.x = clamped(1, 0, 0, 0, 511)}), nest_of(3, 8)));
    EXPECT_FALSE(found(dag_of({.x = example::half(1)}), nest_of(3, 8)));
    EXPECT_FALSE(found(dag_of({.x = example::times(1, 2)}), nest_of(3, 8)));
    EXPECT_TRUE(found(dag_of({.reads_planes = false}), nest_of(3, 8))) << "of pixels, too";
    for (const bool reads_planes : {true, false}) {
        const Dag shorts = dag_of({.type = kShort, .operations = 1, .reads_planes = reads_planes});
        EXPECT_TRUE(found(shorts, nest_of(3, 4)));
    }
}

TEST(PixelVectors, HaveATypeInTheTargetsLanguage) {
    Dag three = dag_of({}), four = dag_of({.channels = 4});
    for (Dag *dag : {&three, &four}) {
        dag->wide_vectors = false;
        dag->most_vector_lanes = 16;
    }
    EXPECT_FALSE(found(three, nest_of(3, 8)));
    EXPECT_FALSE(found(three, nest_of(3, 4)));
    EXPECT_FALSE(found(four, nest_of(4, 8)));
    EXPECT_TRUE(found(four, nest_of(4, 4)));
    Dag computed = dag_of({.channels = 4, .operations = 1});
    computed.wide_vectors = false;
    computed.most_vector_lanes = 16;
    EXPECT_TRUE(found(computed, nest_of(4, 4))) << "no LLVM shuffles there";
    Dag pixels = dag_of({.channels = 4, .reads_planes = false});
    pixels.wide_vectors = false;
    pixels.most_vector_lanes = 16;
    EXPECT_FALSE(found(pixels, nest_of(4, 4))) << "loads that would be shuffled";
    four.most_vector_lanes = 4;
    EXPECT_FALSE(found(four, nest_of(4, 4)));
}

TEST(PixelVectors, AreLoadedOfPixelsIntoPlanes) {
    using namespace example;
    DagBuilder b;
    const FuncId in = b.input("in", {"c", "x", "y"}, kByte);
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}, {"c", 0, 2}}, kByte);
    b.reads(out, in, {at(2), at(0), at(1)});
    Dag dag = b.build();
    for (Func &func : dag.funcs) func.alignment_bytes = 16;
    const auto vectors = found(dag, nest_of(3, 8));
    ASSERT_TRUE(vectors);
    EXPECT_EQ(vectors->channels, std::vector<size_t>{2});
    ASSERT_EQ(vectors->buffers.size(), 2);
    EXPECT_EQ(vectors->buffers[1].step, 3);
    EXPECT_FALSE(found(dag, nest_of(1, 8))) << "a thread has no channel but one";
}

TEST(PixelVectors, AreTheLastDirectiveAndHaveChannelsInside) {
    const Dag dag = dag_of({});
    const Schedule schedule = directives(dag, parsed(dag, nest_of(3, 8)));
    const auto vectorize =
        std::ranges::find(schedule, DirectiveOp::vectorize_pixels, &Directive::op);
    ASSERT_NE(vectorize, schedule.end());
    EXPECT_EQ(describe(*vectorize),
              "out.full_tiles.vectorize_pixels(x_s, 8, Func 1 by 3, in by 1)");
    EXPECT_EQ(std::prev(vectorize)->op, DirectiveOp::gpu_threads);
    EXPECT_NE(std::next(vectorize)->branch, Branch::full_tiles) << "then come all other sizes";
    const Result<Trace> trace = parse_trace(to_json(schedule, 1));
    ASSERT_TRUE(trace.ok()) << trace.error().message;
    EXPECT_EQ(trace->schedule, schedule);
    const auto reorder = std::ranges::find(schedule, DirectiveOp::reorder, &Directive::op);
    EXPECT_EQ(reorder->loops[0].name, "c_s");
    EXPECT_EQ(reorder->loops[1].name, "x_s");
}

TEST(PixelVectors, AreSwitchedOffInAKernelThatReadsBack) {
    const Dag dag = dag_of({});
    const Nest nest = parsed(dag, nest_of(3, 8));
    const KernelPtr off = switched(nest.kernels[0], &Kernel::pixel_vectors, false);
    EXPECT_NE(off->hash, nest.kernels[0]->hash);
    const std::string text = to_text(dag, *off);
    EXPECT_TRUE(text.starts_with("kernel out pixelwise blocks")) << text;
    EXPECT_EQ(parsed(dag, text).kernels[0]->hash, off->hash);
}

FeatureTable table_of(const Dag &dag, const std::string &nest) {
    const Nest parsed_nest = parsed(dag, nest);
    return FeatureExtractor(dag, find_preset("A100").value()).extract(*parsed_nest.kernels[0]);
}

TEST(PixelVectors, MoveEightBytesAtOnce) {
    const Dag dag = dag_of({});
    const auto packed = table_of(dag, nest_of(3, 8));
    const auto apart = table_of(dag, nest_of(3, 8, " pixelwise"));
    const StageFeatures &vectors = packed.stages.back(), &bytes = apart.stages.back();
    EXPECT_EQ(bytes.global_loads_per_thread, 24);
    EXPECT_EQ(vectors.global_loads_per_thread, 3);
    EXPECT_EQ(bytes.global_stores_per_thread, 24);
    EXPECT_EQ(vectors.global_stores_per_thread, 3);
    // Of each of the three loads, 128 bytes in each of eight rows, which begin at any multiple of
    // eight: 4.75 sectors on average. Of each store, 8 bytes in 24.
    EXPECT_EQ(vectors.num_global_mem_loads_per_block, 3 * 8 * 4.75);
    EXPECT_EQ(vectors.num_global_mem_stores_per_block, 3 * 96);
    EXPECT_EQ(packed.kernel.registers_per_thread, kBusyRegisters + 24 / 4 + 24 / 4);
}

TEST(PixelVectors, LoadWiderElementsAsFarAsThereAreInstructions) {
    constexpr ScalarType kFloat{};
    const Dag dag = dag_of({.type = kShort, .given = kFloat, .operations = 1});
    ASSERT_TRUE(found(dag, nest_of(3, 4)));
    EXPECT_EQ(found(dag, nest_of(3, 4))->buffers.size(), 2);
    EXPECT_EQ(table_of(dag, nest_of(3, 4)).stages.back().global_loads_per_thread, 12 / 4)
        << "four floats at once";
    EXPECT_EQ(table_of(dag, nest_of(3, 2)).stages.back().global_loads_per_thread, 6 / 2);
}

}  // namespace
}  // namespace autoschedule_gpu
