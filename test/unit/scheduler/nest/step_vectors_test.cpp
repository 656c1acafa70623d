// Which steps of a reduction read vectors, and what comes of them.
#include "scheduler/nest/step_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/gpu/gpu_model.h"
#include "core/gpu/occupancy.h"
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
using example::matmul_of_copies;
using example::parsed;

std::string nest(int64_t depth, const std::string &kernel = "kernel out\n") {
    return "inline: left right\n" + kernel + "  out threads x=16 y=8\n    prod serial x=4 y=4\n" +
           "    prod.update(0) serial x=4 y=4 k=" + std::to_string(depth) +
           "\n    out serial x=4 y=4\n";
}

std::optional<StepVectors> func_named(const Dag &dag, const std::string &text,
                                 const std::string &stage = "prod.update(0)") {
    return step_vectors(dag, *parsed(dag, text).kernels[0], find_stage(dag, stage));
}

TEST(Fours, AreReductionsWithoutARest) {
    const auto fours = [](const Dag &dag) {
        return dag.stage(find_stage(dag, "prod.update(0)")).loops[2].fours;
    };
    EXPECT_TRUE(fours(matmul_of_copies(512)));
    EXPECT_FALSE(fours(matmul_of_copies(510)));
    Dag dag = matmul_of_copies(512);
    forget_fours(dag);
    EXPECT_FALSE(fours(dag));
    dag.stages[find_stage(dag, "prod.update(0)").index()].loops[2].may_be_empty = true;
    find_fours(dag);
    EXPECT_FALSE(fours(dag)) << "Halide may not be able to make use of its extent";
}

TEST(StepVectors, AreReadByTheStepsThatGoAlongARow) {
    const Dag dag = matmul_of_copies(512);
    const std::optional<StepVectors> vectors = func_named(dag, nest(512));
    ASSERT_TRUE(vectors);
    EXPECT_EQ(vectors->loop, 2U);
    ASSERT_EQ(vectors->reads.size(), 1U) << "steps go down the columns of the other one";
    EXPECT_EQ(vectors->reads[0].read, find_func(dag, "left"));
    EXPECT_EQ(vectors->reads[0].input, find_func(dag, "a"));
    EXPECT_FALSE(func_named(dag, nest(512), "prod")) << "it has no steps";
    EXPECT_FALSE(func_named(dag, nest(512), "out"));
}

TEST(StepVectors, AreNoneWhereHalideCouldNotBeSureOfThem) {
    EXPECT_FALSE(func_named(matmul_of_copies(510), nest(510))) << "two steps are left";
    EXPECT_FALSE(func_named(matmul_of_copies(512, 1), nest(512))) << "beside a multiple of four";
    EXPECT_TRUE(func_named(matmul_of_copies(512, 4), nest(512)));
    Dag dag = matmul_of_copies(512);
    dag.stages[find_stage(dag, "prod.update(0)").index()].has_predicate = true;
    EXPECT_FALSE(func_named(dag, nest(512)));
    Dag unaligned = matmul_of_copies(512);
    forget_aligned_rows(unaligned);
    EXPECT_FALSE(func_named(unaligned, nest(512)));
}

TEST(StepVectors, AreNoneWhereCopiesWouldNotBeInRegisters) {
    const Dag dag = matmul_of_copies(512);
    std::string rolled = nest(512);
    rolled.insert(rolled.find("k=512") + 5, " unroll none");
    EXPECT_FALSE(func_named(dag, rolled)) << "a loop indexes them";
}

TEST(StepVectors, AreASwitchOfTheKernelThatReadsBack) {
    const Dag dag = matmul_of_copies(512);
    const KernelPtr with = parsed(dag, nest(512)).kernels[0];
    const KernelPtr without = switched(with, &Kernel::step_vectors, false);
    EXPECT_FALSE(step_vectors(dag, *without, find_stage(dag, "prod.update(0)")));
    EXPECT_TRUE(may_have_step_vectors(dag, *without));
    EXPECT_NE(without->hash, with->hash);
    const std::string text = "inline: left right\n" + to_text(dag, *without);
    EXPECT_EQ(text.find("kernel out stepwise blocks"), text.find("kernel")) << text;
    EXPECT_EQ(parsed(dag, text).kernels[0]->hash, without->hash);
}

TEST(StepVectors, AreABranchOfTheirUpdateAndACopyInItsLoop) {
    const Dag dag = matmul_of_copies(512);
    const Schedule schedule = directives(dag, parsed(dag, nest(512)));
    const auto branch =
        std::ranges::find(schedule, DirectiveOp::specialize_aligned, &Directive::op);
    ASSERT_NE(branch, schedule.end());
    EXPECT_EQ(describe(*branch, "out"),
              "prod.update(0).full_tiles.specialize_aligned(k, out, a, b)");
    const auto copied = [&](DirectiveOp op) {
        return std::ranges::count_if(schedule, [&](const Directive &directive) {
            return directive.op == op && directive.func_name == "left_in_prod";
        });
    };
    EXPECT_EQ(copied(DirectiveOp::in), 1);
    EXPECT_EQ(copied(DirectiveOp::vectorize), 1);
    EXPECT_EQ(copied(DirectiveOp::unroll), 1);
    const auto splits = std::ranges::count_if(schedule, [](const Directive &directive) {
        return directive.op == DirectiveOp::split && directive.loops[1].name == "k_o0";
    });
    EXPECT_EQ(splits, 3) << "the loop that the copy is computed in is there at all sizes";
    EXPECT_TRUE(check_against(schedule, dag)) << check_against(schedule, dag).error().message;
    const Result<Trace> trace = parse_trace(to_json(schedule, 1));
    ASSERT_TRUE(trace.ok()) << trace.error().message;
    EXPECT_EQ(trace->schedule, schedule);
}

TEST(StepVectors, NeedABranchBeforeWhatIsInIt) {
    const Dag dag = matmul_of_copies(512);
    Schedule schedule = directives(dag, parsed(dag, nest(512)));
    std::erase_if(schedule, [](const Directive &directive) {
        return directive.op == DirectiveOp::specialize_aligned;
    });
    const Status status = check_against(schedule, dag);
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("no schedule of its own for aligned rows"),
              std::string::npos)
        << status.error().message;
}

StageFeatures features_of_sum(const Dag &dag, const std::string &text) {
    const Nest nest = parsed(dag, text);
    return FeatureExtractor(dag, find_preset("A100").value()).extract(*nest.kernels[0]).stages[1];
}

// Four rows of the left matrix, and vectors of the right one, of which each step reads its own.
TEST(StepVectors, AreLoadedAtOnce) {
    const Dag dag = matmul_of_copies(512);
    const double steps = 512;
    EXPECT_EQ(features_of_sum(dag, nest(512, "kernel out stepwise\n")).global_loads_per_thread,
              steps * (4 + 1));
    EXPECT_EQ(features_of_sum(dag, nest(512)).global_loads_per_thread, steps / 4 * (4 + 4));
}

// Beside the sums, four values of each of four rows, a vector of the right matrix, and where three
// more rows of that are.
TEST(StepVectors, AreKeptInRegisters) {
    const Dag dag = matmul_of_copies(512);
    const Nest kernels = parsed(dag, nest(512));
    const FeatureTable table =
        FeatureExtractor(dag, find_preset("A100").value()).extract(*kernels.kernels[0]);
    EXPECT_EQ(table.kernel.registers_per_thread, kBusyRegisters + 16 + 4 * 4 + 4 + 3);
}

}  // namespace
}  // namespace autoschedule_gpu
