// Which scans load ahead of what they store, and what comes of it.
#include "scheduler/nest/loads_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/dag/scans.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/features/feature_extractor.h"
#include "scheduler/nest/edit.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/loop_tree.h"
#include "scheduler/schedule/trace.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::at;
using example::DagBuilder;
using example::find_func;
using example::find_stage;
using example::parsed;

constexpr int64_t kWidth = 256, kHeight = 512;

// source(x, y) = in(x, y); down(x, y) = 0; down(x, r) = down(x, r - 1) + source(x, r); and what
// else an example adds to the update.
template <typename More>
Dag filter_down_columns(const More &add) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), source = b.func("source", {"x", "y"});
    const FuncId down = b.output("down", {{"x", 0, kWidth - 1}, {"y", 0, kHeight - 1}});
    b.reads(source, in, {at(0), at(1)}).ops(source, OpKind::mul, 1);
    const StageId step =
        b.update(down, {b.over(0, "x"), b.reduction("r", 0, kHeight - 1)}, {at(0), at(1)});
    b.reads(step, down, {at(0), at(1, -1, -1)}).reads(step, source, {at(0), at(1)});
    b.ops(step, OpKind::add, 1);
    add(b, down, step, source);
    Dag dag = b.build();
    find_reads_ahead(dag);
    return dag;
}

Dag filter_down_columns() {
    return filter_down_columns([](DagBuilder &, FuncId, StageId, FuncId) {});
}

std::string nest(const std::string &steps = "steps 16", const std::string &kernel = "",
                 const std::string &threads = "x=64") {
    return "inline: source\nkernel down\n  down threads x=32 y=8\nkernel down.update(0)" + kernel +
           "\n  down.update(0) threads " + threads + "\n    down.update(0) serial r=512 " + steps +
           "\n";
}

std::optional<LoadsAhead> ahead_of(const Dag &dag, const std::string &text) {
    return loads_ahead(dag, *parsed(dag, text).kernels[1], find_stage(dag, "down.update(0)"));
}

TEST(LoadsAhead, AreOfWhatStepsOfAScanReadOfOthers) {
    const Dag dag = filter_down_columns();
    const std::optional<LoadsAhead> ahead = ahead_of(dag, nest());
    ASSERT_TRUE(ahead);
    EXPECT_EQ(ahead->loop, 1U);
    EXPECT_EQ(ahead->steps, 16);
    ASSERT_EQ(ahead->reads.size(), 1U);
    EXPECT_EQ(ahead->reads[0], find_func(dag, "source"));
    EXPECT_FALSE(ahead_of(dag, nest("steps 1"))) << "there is one step to load for";
}

TEST(LoadsAhead, AreNoneOfWhatHasNoLengthThatHalideKnows) {
    Dag clamped = filter_down_columns();
    for (Load &load : clamped.stages[find_stage(clamped, "down.update(0)").index()].loads) {
        load.of_sums = false;
    }
    find_reads_ahead(clamped);
    EXPECT_FALSE(ahead_of(clamped, nest()));
    EXPECT_FALSE(ahead_of(filter_down_columns([](DagBuilder &b, FuncId, StageId step, FuncId of) {
                              b.reads(step, of, {at(0), example::times(1, 2)});
                          }),
                          nest()))
        << "every other row";
    EXPECT_FALSE(ahead_of(filter_down_columns([](DagBuilder &b, FuncId, StageId step, FuncId of) {
                              b.reads(step, of, {example::anywhere(0, kWidth - 1), at(1)});
                          }),
                          nest()))
        << "data say where";
}

TEST(LoadsAhead, AreNoneOfWhatAnotherStageOfTheFuncReads) {
    const Dag dag = filter_down_columns([](DagBuilder &b, FuncId down, StageId, FuncId of) {
        b.reads(down, of, {at(0), at(1)});
    });
    EXPECT_FALSE(ahead_of(dag, nest())) << "a copy would be that stage's, too";
}

TEST(LoadsAhead, AreNoneWhereStepsAreLeftOver) {
    Dag dag = filter_down_columns();
    dag.stages[find_stage(dag, "down.update(0)").index()].loops[1].range = {0, kHeight - 2};
    find_reads_ahead(dag);
    std::string text = nest();
    text.replace(text.find("r=512"), 5, "r=511");
    EXPECT_FALSE(ahead_of(dag, text));
}

TEST(LoadsAhead, AreNoneOfThreadsWithSeveralPoints) {
    const Dag dag = filter_down_columns();
    std::string text = nest();
    text.replace(text.find("serial r"), 8, "serial x=2 r");
    EXPECT_FALSE(ahead_of(dag, text));
}

TEST(LoadsAhead, AreASwitchOfTheKernelThatReadsBack) {
    const Dag dag = filter_down_columns();
    const KernelPtr with = parsed(dag, nest()).kernels[1];
    const KernelPtr without = switched(with, &Kernel::loads_ahead, false);
    EXPECT_FALSE(loads_ahead(dag, *without, with->stage));
    EXPECT_TRUE(may_load_ahead(dag, *without));
    EXPECT_NE(without->hash, with->hash);
    EXPECT_EQ(parsed(dag, nest("steps 16", " behind")).kernels[1]->hash, without->hash);
}

TEST(LoadsAhead, AreForgottenWhereTheyAreNotWanted) {
    Dag dag = filter_down_columns();
    forget_reads_ahead(dag);
    EXPECT_FALSE(ahead_of(dag, nest()));
}

TEST(LoadsAhead, AreABranchOfTheirUpdateAndACopyInItsLoop) {
    const Dag dag = filter_down_columns();
    const Schedule schedule = directives(dag, parsed(dag, nest()));
    const auto branch = std::ranges::find(schedule, DirectiveOp::specialize_steps, &Directive::op);
    ASSERT_NE(branch, schedule.end());
    EXPECT_EQ(describe(*branch), "down.update(0).specialize_steps(r, 16)");
    const auto count = [&](DirectiveOp op, const std::string &func) {
        return std::ranges::count_if(schedule, [&](const Directive &directive) {
            return directive.op == op && directive.func_name == func;
        });
    };
    EXPECT_EQ(count(DirectiveOp::in, "source_in_down"), 1);
    EXPECT_EQ(count(DirectiveOp::compute_at, "source_in_down"), 1);
    EXPECT_EQ(count(DirectiveOp::unroll, "source_in_down"), 2);
    EXPECT_EQ(count(DirectiveOp::vectorize, "source_in_down"), 0);
    const auto splits = std::ranges::count_if(schedule, [](const Directive &directive) {
        return directive.op == DirectiveOp::split && directive.loops[1].name == "r_o0";
    });
    EXPECT_EQ(splits, 2) << "the loop that the copy is computed in is there at all sizes";
    EXPECT_TRUE(check_against(schedule, dag)) << check_against(schedule, dag).error().message;
    const Result<Trace> trace = parse_trace(to_json(schedule, 1));
    ASSERT_TRUE(trace.ok()) << trace.error().message;
    EXPECT_EQ(trace->schedule, schedule);
}

TEST(LoadsAhead, AreWhatATreeOfDirectivesShows) {
    const Dag dag = filter_down_columns();
    const std::vector<LoopTree> trees = loop_trees(directives(dag, parsed(dag, nest())));
    const auto update = std::ranges::find(trees, "down.update(0)", &LoopTree::stage);
    ASSERT_NE(update, trees.end());
    bool has_steps = false;
    for (const LoopTree &threads : update->body) {
        for (const LoopTree &inner : threads.body) {
            for (const TreeLoop &loop : inner.loops) has_steps |= loop.written_out == 16;
        }
    }
    EXPECT_TRUE(has_steps);
}

TEST(LoadsAhead, NeedABranchOnce) {
    const Dag dag = filter_down_columns();
    Schedule schedule = directives(dag, parsed(dag, nest()));
    const auto branch = std::ranges::find(schedule, DirectiveOp::specialize_steps, &Directive::op);
    Schedule twice = schedule;
    twice.insert(twice.begin() + (branch - schedule.begin()), *branch);
    EXPECT_FALSE(check_against(twice, dag));
    schedule.erase(branch);
    EXPECT_FALSE(check_against(schedule, dag));
}

StageFeatures features_of(const Dag &dag, const std::string &text) {
    const Nest all = parsed(dag, text);
    return FeatureExtractor(dag, find_preset("A100").value()).extract(*all.kernels[1]).stages[0];
}

TEST(LoadsAhead, LetStepsWaitForMemoryOnce) {
    const Dag dag = filter_down_columns();
    EXPECT_EQ(features_of(dag, nest()).serial_iterations, 512 / 16);
    EXPECT_EQ(features_of(dag, nest("steps 16", " behind")).serial_iterations, 512);
}

TEST(LoadsAhead, AreKeptInRegisters) {
    const Dag dag = filter_down_columns();
    const auto registers = [&](const std::string &text) {
        const Nest all = parsed(dag, text);
        return FeatureExtractor(dag, find_preset("A100").value())
            .extract(*all.kernels[1])
            .kernel.registers_per_thread;
    };
    EXPECT_EQ(registers(nest()) - registers(nest("steps 16", " behind")), 16);
}

}  // namespace
}  // namespace autoschedule_gpu
