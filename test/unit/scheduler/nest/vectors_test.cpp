// Which loops are vectors, and what comes of them.
#include "scheduler/nest/vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/nest/edit.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::find_func;
using example::find_stage;
using example::parsed;

Dag aligned(Dag dag) {
    find_aligned_rows(dag);
    return dag;
}

const std::string kFours = "kernel out\n  out threads x=16 y=8\n    out serial x=4\n";
const std::string kTwos = "kernel out\n  out threads x=16 y=8\n    out serial x=2\n";

bool has_vectors(const Dag &dag, const std::string &nest) {
    const Nest parsed_nest = parsed(dag, nest);
    return vector_loop(dag, *parsed_nest.kernels[0], find_stage(dag, "out")).has_value();
}

TEST(AlignedRows, AreThoseOfBuffersOfWholeVectors) {
    const Dag dag = aligned(example::copy(512, 256));
    EXPECT_TRUE(dag.func(find_func(dag, "in")).aligned_rows);
    EXPECT_TRUE(dag.func(find_func(dag, "out")).aligned_rows);
    const Dag odd = aligned(example::copy(510, 256));
    EXPECT_FALSE(odd.func(find_func(odd, "in")).aligned_rows) << "rows 510 elements apart";
    EXPECT_FALSE(odd.func(find_func(odd, "out")).aligned_rows);
    const Dag stencils = aligned(example::two_stencils(512, 256));
    EXPECT_FALSE(stencils.func(find_func(stencils, "f0")).aligned_rows) << "no buffer of a user's";
    Dag forgotten = dag;
    forget_aligned_rows(forgotten);
    EXPECT_FALSE(forgotten.func(find_func(forgotten, "in")).aligned_rows);
}

TEST(VectorLoop, IsTheRowOfFourPointsOfAnAlignedOutput) {
    const Dag dag = aligned(example::copy(512, 256));
    EXPECT_TRUE(has_vectors(dag, kFours));
    EXPECT_FALSE(has_vectors(dag, kTwos));
    EXPECT_FALSE(has_vectors(example::copy(512, 256), kFours)) << "nobody knows of the rows";
    EXPECT_FALSE(
        has_vectors(dag, "kernel out\n  out threads x=16 y=8\n    out serial x=4 unroll none\n"));
    EXPECT_FALSE(
        has_vectors(dag, "kernel out scalar\n  out threads x=16 y=8\n    out serial x=4\n"));
}

TEST(VectorLoop, IsAlsoThatOfAMemberOfTheThreads) {
    const Dag dag = aligned(example::matmul(512));
    const Nest nest = parsed(dag,
                             "kernel out\n  out threads x=16 y=8\n    prod serial x=4 y=4\n"
                             "    prod.update(0) serial x=4 y=4 k=512\n    out serial x=4 y=4\n");
    for (const char *stage : {"prod", "prod.update(0)", "out"}) {
        const auto loop = vector_loop(dag, *nest.kernels[0], find_stage(dag, stage));
        ASSERT_TRUE(loop) << stage;
        EXPECT_EQ(dag.stage(find_stage(dag, stage)).loops[*loop].name, "x") << stage;
    }
    const std::vector<FuncId> both = {find_func(dag, "a"), find_func(dag, "b")};
    EXPECT_EQ(aligned_inputs(dag, *nest.kernels[0], find_stage(dag, "prod.update(0)")), both);
    EXPECT_TRUE(aligned_inputs(dag, *nest.kernels[0], find_stage(dag, "prod")).empty());
}

// in -> mid -> out; out reads the rows around it.
Dag rows_between(const char *read) {
    using namespace example;
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), other = b.func("other", {"x", "y"});
    const FuncId mid = b.func("mid", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(other, in, {at(0), at(1, -1, 1)});
    b.reads(mid, read == std::string("in") ? in : other, {at(0), at(1)});
    b.reads(out, mid, {at(0), at(1, -1, 1)});
    b.reads(out, other, {at(0), at(1)});
    return aligned(b.build());
}

const std::string kBetween =
    "kernel mid\n  mid threads x=16 y=8\n    mid serial x=4\n"
    "kernel other\n  other threads x=16 y=8\n    other serial x=1\n"
    "kernel out\n  out threads x=16 y=8\n    out serial x=1\n";

TEST(VectorLoop, IsAlsoThatOfAFuncBetweenKernelsThatReadsAnInput) {
    const auto found = [](const Dag &dag) {
        const Nest nest = parsed(dag, kBetween);
        const StageId mid = find_stage(dag, "mid");
        for (const KernelPtr &kernel : nest.kernels) {
            if (kernel->stage == mid) return vector_loop(dag, *kernel, mid).has_value();
        }
        return false;
    };
    EXPECT_TRUE(found(rows_between("in")));
    EXPECT_FALSE(found(rows_between("other"))) << "there is nothing to load at once";
    Dag odd = rows_between("in");
    odd.funcs[find_func(odd, "out").index()].aligned_rows = false;
    EXPECT_FALSE(found(odd));
}

TEST(VectorLoop, OfAFuncBetweenKernelsAsksForTheRowsOfItsOutput) {
    const Dag dag = rows_between("in");
    const Schedule schedule = directives(dag, parsed(dag, kBetween));
    const auto vectorize =
        std::ranges::find(schedule, DirectiveOp::vectorize_aligned, &Directive::op);
    ASSERT_NE(vectorize, schedule.end());
    EXPECT_EQ(describe(*vectorize, "out"), "mid.full_tiles.vectorize_aligned(x_s, out, in)");
}

TEST(WithVectors, IsAnotherKernelThatReadsBack) {
    const Dag dag = aligned(example::copy(512, 256));
    const Nest nest = parsed(dag, kFours);
    const KernelPtr scalar = switched(nest.kernels[0], &Kernel::vectors, false);
    EXPECT_NE(scalar->hash, nest.kernels[0]->hash);
    EXPECT_EQ(switched(scalar, &Kernel::vectors, true)->hash, nest.kernels[0]->hash);
    const std::string text = to_text(dag, *scalar);
    EXPECT_TRUE(text.starts_with("kernel out scalar blocks")) << text;
    EXPECT_EQ(parsed(dag, text).kernels[0]->hash, scalar->hash);
}

TEST(Vectors, AreTheLastDirectiveOfTheirStages) {
    const Dag dag = aligned(example::copy(512, 256));
    const Schedule schedule = directives(dag, parsed(dag, kFours));
    const auto vectorize =
        std::ranges::find(schedule, DirectiveOp::vectorize_aligned, &Directive::op);
    ASSERT_NE(vectorize, schedule.end());
    EXPECT_EQ(describe(*vectorize, "out"), "out.full_tiles.vectorize_aligned(x_s, out, in)");
    EXPECT_EQ(vectorize->inputs, (std::vector<api::InputBuffer>{{"in", 2}}));
    EXPECT_EQ(std::prev(vectorize)->op, DirectiveOp::gpu_threads);
    EXPECT_NE(std::next(vectorize)->branch, Branch::full_tiles) << "then come all other sizes";
    const Result<Trace> trace = parse_trace(to_json(schedule, 1));
    ASSERT_TRUE(trace.ok()) << trace.error().message;
    EXPECT_EQ(trace->schedule, schedule);
    EXPECT_EQ(std::ranges::count(directives(dag, parsed(dag, kTwos)),
                                 DirectiveOp::vectorize_aligned, &Directive::op),
              0);
}

StageFeatures features(const Dag &dag, const std::string &nest) {
    const Nest parsed_nest = parsed(dag, nest);
    return FeatureExtractor(dag, find_preset("A100").value())
        .extract(*parsed_nest.kernels[0])
        .stages.back();
}

TEST(Vectors, MoveFourElementsAtOnce) {
    const Dag dag = aligned(example::copy(512, 256));
    const StageFeatures vectors = features(dag, kFours);
    const StageFeatures scalar = features(example::copy(512, 256), kFours);
    EXPECT_EQ(scalar.global_loads_per_thread, 4);
    EXPECT_EQ(vectors.global_loads_per_thread, 1);
    EXPECT_EQ(scalar.global_stores_per_thread, 4);
    EXPECT_EQ(vectors.global_stores_per_thread, 1);
    // 128 threads of four floats: 64 sectors, each once, and not in four requests.
    EXPECT_EQ(vectors.num_global_mem_stores_per_block, 64);
    EXPECT_EQ(scalar.num_global_mem_stores_per_block, 256);
}

// Where its own rows begin, Halide doesn't know when it compiles.
TEST(Vectors, AreLoadedButNotStoredOfAFuncBetweenKernels) {
    const Dag dag = rows_between("in");
    const Nest nest = parsed(dag, kBetween);
    const StageFeatures found =
        FeatureExtractor(dag, find_preset("A100").value()).extract(*nest.kernels[0]).stages.back();
    ASSERT_EQ(nest.kernels[0]->stage, find_stage(dag, "mid"));
    EXPECT_EQ(found.global_loads_per_thread, 1);
    EXPECT_EQ(found.global_stores_per_thread, 4);
}

// What is read of neighbours begins anywhere.
TEST(Vectors, AreNoneOfLoadsBesideThePoint) {
    const Dag dag = aligned(example::two_stencils(512, 256));
    const std::string nest = "inline: f0\nkernel f1\n  f1 threads x=16 y=8\n    f1 serial x=4\n";
    const StageFeatures vectors = features(dag, nest);
    const StageFeatures scalar = features(example::two_stencils(512, 256), nest);
    EXPECT_EQ(vectors.global_loads_per_thread, scalar.global_loads_per_thread);
    EXPECT_EQ(vectors.global_stores_per_thread, 1);
}

TEST(Vectors, AreNoneOfLoadsBehindABoundaryCondition) {
    using namespace example;
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), edge = b.func("edge", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(edge, in, {clamped(0, 0, 0, 0, 511), clamped(1, 0, 0, 0, 255)});
    b.reads(out, edge, {at(0), at(1)});
    const Dag dag = aligned(b.build());
    const StageFeatures found =
        features(dag, "inline: edge\nkernel out\n  out threads x=16 y=8\n    out serial x=4\n");
    EXPECT_EQ(found.global_loads_per_thread, 4);
    EXPECT_EQ(found.global_stores_per_thread, 1);
}

}  // namespace
}  // namespace autoschedule_gpu
