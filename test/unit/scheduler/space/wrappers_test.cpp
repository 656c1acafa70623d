#include "scheduler/space/wrappers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "scheduler/nest/edit.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;
using Names = std::vector<std::string>;

Names names_of(const Dag &dag) {
    Names names;
    for (const Func &func : dag.funcs) names.push_back(func.name);
    return names;
}

// The Funcs that a Func's stages read.
Names read_by(const Dag &dag, const std::string &func) {
    Names names;
    for (StageId stage : dag.func(find_func(dag, func)).stages) {
        for (EdgeId edge : dag.stage(stage).edges) {
            names.push_back(dag.func(dag.edge(edge).producer).name);
        }
    }
    return names;
}

const Func &func_named(const Dag &dag, const std::string &name) {
    return dag.func(find_func(dag, name));
}

void expect_box(const Func &func, const std::vector<Interval> &box,
                const std::vector<int64_t> &strides) {
    ASSERT_EQ(func.dims.size(), box.size());
    for (size_t d = 0; d < box.size(); ++d) {
        EXPECT_EQ(func.dims[d].estimate, box[d]) << func.name << " " << func.dims[d].name;
        EXPECT_EQ(func.dims[d].stride, strides[d]) << func.name << " " << func.dims[d].name;
    }
}

TEST(WrappedReductions, AreReadThroughTheirWrapper) {
    const Dag dag = with_wrapped_reductions(reduced_stencil(1024, 512));
    EXPECT_EQ(check(dag), Names{});
    EXPECT_EQ(names_of(dag), (Names{"in", "total", "total_global_wrapper$0", "out"}));
    EXPECT_EQ(read_by(dag, "out"), Names{"total_global_wrapper$0"});
    EXPECT_EQ(read_by(dag, "total_global_wrapper$0"), Names{"total"});
    EXPECT_EQ(read_by(dag, "total"), Names{"in"});
    const Stage &out = dag.stage(find_stage(dag, "out"));
    EXPECT_EQ(out.loads[0].producer, find_func(dag, "total_global_wrapper$0"));
    EXPECT_EQ(out.loads[0].count, 3);
    EXPECT_FALSE(dag.edge(out.edges[0]).pointwise);
    // The reduction itself goes on reading its own values.
    EXPECT_EQ(dag.stage(find_stage(dag, "total.update(0)")).loads[0].producer,
              find_func(dag, "total"));
}

TEST(WrappedReductions, HaveWrappersThatCopyWhatIsRead) {
    const Dag before = reduced_stencil(1024, 512);
    const Dag dag = with_wrapped_reductions(before);
    const Func &wrapper = func_named(dag, "total_global_wrapper$0");
    EXPECT_EQ(wrapper.wraps, find_func(dag, "total"));
    EXPECT_FALSE(wrapper.reader.valid());
    EXPECT_EQ(wrapper.kind, Func::Kind::internal);
    EXPECT_TRUE(wrapper.can_inline);
    EXPECT_EQ(wrapper.halide_index, func_named(before, "out").halide_index + 1);
    // out reads one point to the left and one to the right.
    expect_box(wrapper, {{-1, 1024}, {0, 511}}, {1, 1026});
    const Stage &stage = dag.stage(wrapper.stages[0]);
    ASSERT_EQ(stage.loads.size(), 1u);
    EXPECT_EQ(stage.loads[0].count, 1);
    EXPECT_EQ(stage.loads[0].bytes_per_site, 4);
    EXPECT_EQ(stage.loads[0].access, stage.store);
    EXPECT_TRUE(dag.edge(stage.edges[0]).pointwise);
    EXPECT_EQ(stage.ops.total(), 0);
    for (const Func &func : dag.funcs) {
        EXPECT_EQ(func.wraps.valid(), func.name == "total_global_wrapper$0") << func.name;
    }
}

TEST(WrappedReductions, AreNoneWhereOneReaderHasTheSamePoints) {
    const Dag dag = matmul(64);
    EXPECT_EQ(names_of(with_wrapped_reductions(dag)), names_of(dag));
}

// Only a kernel of the wrapper computes all stages of the sum once for both.
TEST(WrappedReductions, AreWrappedWhereSeveralReadersHaveTheSamePoints) {
    DagBuilder b;
    const FuncId sum = b.func("sum", {"x"}), out = b.output("out", {{"x", 0, 99}});
    const FuncId other = b.output("other", {{"x", 0, 99}});
    const StageId update = b.update(sum, {b.over(0, "x"), b.reduction("r", 0, 15)}, {at(0)});
    b.reads(update, sum, {at(0)}).reads(out, sum, {at(0)}).reads(other, sum, {at(0)});
    const Dag dag = with_wrapped_reductions(b.build());
    EXPECT_EQ(read_by(dag, "out"), Names{"sum_global_wrapper$0"});
    EXPECT_EQ(read_by(dag, "other"), Names{"sum_global_wrapper$0"});
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const StageId wrapper = find_stage(dag, "sum_global_wrapper$0");
    EXPECT_FALSE(space.tilings(wrapper).empty());
}

// The mean of a sum, which both outputs read or the first one.
Dag means_read_by(bool both) {
    DagBuilder b;
    const FuncId sum = b.func("sum", {"x"}), mean = b.func("mean", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 99}}), other = b.output("other", {{"x", 0, 99}});
    const StageId update = b.update(sum, {b.over(0, "x"), b.reduction("r", 0, 15)}, {at(0)});
    b.reads(update, sum, {at(0)}).reads(mean, sum, {at(0)}).reads(out, mean, {at(0)});
    if (both) b.reads(other, mean, {at(0)});
    return b.build();
}

TEST(WrappedReductions, AreWrappedWhereTheOnlyReaderIsInlinedIntoSeveral) {
    const Dag one = means_read_by(false);
    EXPECT_EQ(names_of(with_wrapped_reductions(one)), names_of(one));
    const Dag dag = with_wrapped_reductions(means_read_by(true));
    EXPECT_EQ(read_by(dag, "mean"), Names{"sum_global_wrapper$0"});
    const SearchSpace space(dag, kGpu, RuleBook(), Freedom::full);
    const auto is_placed = [&](const std::string &func) {
        return std::ranges::any_of(space.steps(), [&](const Step &step) {
            return step.kind == Step::Kind::place && step.func == find_func(dag, func);
        });
    };
    EXPECT_TRUE(is_placed("sum_global_wrapper$0"));
    EXPECT_FALSE(is_placed("mean"));
}

TEST(WrappedReductions, AreWrappedForAllReadersIfOneHasOtherPoints) {
    DagBuilder b;
    const FuncId sum = b.func("sum", {"x"}), out = b.output("out", {{"x", 0, 99}});
    const FuncId other = b.output("other", {{"x", 10, 49}});
    const StageId update = b.update(sum, {b.over(0, "x"), b.reduction("r", 0, 15)}, {at(0)});
    b.reads(update, sum, {at(0)}).reads(out, sum, {at(0)});
    b.reads(other, sum, {times(0, 2, -1, 0)}, 2);
    const Dag dag = with_wrapped_reductions(b.build());
    EXPECT_EQ(check(dag), Names{});
    EXPECT_EQ(read_by(dag, "out"), Names{"sum_global_wrapper$0"});
    EXPECT_EQ(read_by(dag, "other"), Names{"sum_global_wrapper$0"});
    // 0 to 99, which holds 2 * 10 - 1 to 2 * 49.
    expect_box(func_named(dag, "sum_global_wrapper$0"), {{0, 99}}, {1});
}

TEST(WrappedReductions, ReadATupleOncePerElement) {
    Dag dag = reduced_stencil(1024, 512);
    dag.funcs[1].values.push_back({ScalarType::Code::signed_int, 16});
    const Dag wrapped = with_wrapped_reductions(dag);
    const Func &wrapper = func_named(wrapped, "total_global_wrapper$0");
    EXPECT_EQ(wrapper.values.size(), 2u);
    const std::vector<Load> &loads = wrapped.stage(wrapper.stages[0]).loads;
    ASSERT_EQ(loads.size(), 2u);
    EXPECT_EQ(loads[0].bytes_per_site, 4);
    EXPECT_EQ(loads[1].bytes_per_site, 2);
    EXPECT_EQ(loads[0].access, loads[1].access);
    EXPECT_EQ(loads[0].evaluations(), 1);
    EXPECT_EQ(loads[1].evaluations(), 0);
}

TEST(WrappedReductions, AreNeitherOnTheHostNorReadThereNorOutputs) {
    const Names plain{"in", "total", "out"};
    const auto names_after = [](const std::function<void(Func & total, Func & out)> &change) {
        Dag dag = reduced_stencil(1024, 512);
        change(dag.funcs[1], dag.funcs[2]);
        return names_of(with_wrapped_reductions(dag));
    };
    EXPECT_EQ(names_after([](Func &total, Func &) { total.host_reason = "it prints"; }), plain);
    EXPECT_EQ(names_after([](Func &, Func &out) { out.host_reason = "it prints"; }), plain);
    EXPECT_EQ(names_after([](Func &total, Func &) { total.kind = Func::Kind::output; }), plain);
    EXPECT_NE(names_after([](Func &, Func &) {}), plain);
}

const char kDiamondAtRoot[] =
    "kernel out blocks x=32 y=64\n  out threads x=32 y=8\n    out serial\n"
    "kernel right blocks x=32 y=65\n  right threads x=32 y=8\n    right serial\n"
    "kernel left blocks x=33 y=64\n  left threads x=32 y=8\n    left serial\n"
    "kernel base blocks x=33 y=65\n  base threads x=32 y=8\n    base serial\n";

TEST(WrappedReads, HaveAWrapperForEachReader) {
    const Dag dag = diamond(1024, 512);
    const WrappedReads wrapped = with_wrapped_reads(dag, sound(dag, kDiamondAtRoot));
    EXPECT_EQ(check(wrapped.dag), Names{});
    EXPECT_EQ(names_of(wrapped.dag), (Names{"in", "base", "base_in_left", "base_in_right", "left",
                                            "left_in_out", "right", "right_in_out", "out"}));
    EXPECT_EQ(read_by(wrapped.dag, "left"), Names{"base_in_left"});
    EXPECT_EQ(read_by(wrapped.dag, "right"), Names{"base_in_right"});
    EXPECT_EQ(read_by(wrapped.dag, "out"), (Names{"left_in_out", "right_in_out"}));
    EXPECT_EQ(read_by(wrapped.dag, "base"), Names{"in"});  // an input isn't wrapped
    Names wrappers;
    for (FuncId id : wrapped.wrappers) {
        const Func &func = wrapped.dag.func(id);
        wrappers.push_back(func.name);
        EXPECT_EQ(func.name,
                  wrapped.dag.func(func.wraps).name + "_in_" + wrapped.dag.func(func.reader).name);
        // base, left, right and out are 1 to 4.
        EXPECT_EQ(func.halide_index, 4 + static_cast<int>(wrappers.size()));
        EXPECT_EQ(wrapped.nest.place(id), Place::inlined);
    }
    EXPECT_EQ(wrappers, (Names{"base_in_left", "base_in_right", "left_in_out", "right_in_out"}));
    // left needs x from 0 to 1024 and reads one point to each side; right needs y from 0 to 512 and
    // reads two rows to each side.
    expect_box(func_named(wrapped.dag, "base_in_left"), {{-1, 1025}, {0, 511}}, {1, 1027});
    expect_box(func_named(wrapped.dag, "base_in_right"), {{0, 1023}, {-2, 514}}, {1, 1024});
    expect_box(func_named(wrapped.dag, "left_in_out"), {{0, 1024}, {0, 511}}, {1, 1025});
}

TEST(WrappedReads, LeaveTheNestAsItIs) {
    const Dag dag = diamond(1024, 512);
    const WrappedReads wrapped = with_wrapped_reads(dag, sound(dag, kDiamondAtRoot));
    EXPECT_EQ(to_text(wrapped.dag, wrapped.nest),
              "inline: base_in_left base_in_right left_in_out right_in_out\n" +
                  std::string(kDiamondAtRoot));
    // Equal but for what is listed as inline.
    const Nest read_back = parsed(wrapped.dag, kDiamondAtRoot);
    for (size_t k = 0; k < read_back.kernels.size(); ++k) {
        EXPECT_EQ(wrapped.nest.kernels[k]->hash, read_back.kernels[k]->hash);
    }
}

TEST(WrappedReads, AreInlineBesideWhatIsFusedOrInlinedAndNoneOnTheHost) {
    const Dag chain = stencil_chain(4, 1024, 512);
    const std::string text =
        "kernel f3 blocks x=32 y=64\n"
        "  f1 threads x=36 y=12\n    f1 serial\n"
        "  f3 threads x=32 y=8\n    f3 serial\n"
        "kernel f0 blocks x=33 y=65\n  f0 threads x=32 y=8\n    f0 serial\n";
    const WrappedReads wrapped = with_wrapped_reads(chain, sound(chain, "inline: f2\n" + text));
    EXPECT_EQ(to_text(wrapped.dag, wrapped.nest), "inline: f0_in_f1 f1_in_f2 f2 f2_in_f3\n" + text);
    EXPECT_EQ(wrapped.nest.kernels[0]->inlined, std::vector<FuncId>{find_func(wrapped.dag, "f2")});
    const Dag host = host_in_the_middle(512, 256);
    const std::string around =
        "kernel out blocks x=16 y=32\n  out threads x=32 y=8\n    out serial\nkernel mid host\n"
        "kernel before blocks x=17 y=32\n  before threads x=32 y=8\n    before serial\n";
    const WrappedReads none = with_wrapped_reads(host, sound(host, around));
    EXPECT_TRUE(none.wrappers.empty());
    EXPECT_EQ(to_text(none.dag, none.nest), around);
}

TEST(WrappedReads, OfAWrapperAtRootAreWrappedAgain) {
    const Dag dag = with_wrapped_reductions(reduced_stencil(1024, 512));
    const Nest nest = sound(dag,
                            "kernel out\n  out threads x=32 y=8\n"
                            "kernel total_global_wrapper$0\n  total_global_wrapper$0 threads x=32 "
                            "y=8\n    total serial\n"
                            "    total.update(0) serial r=3\n    total_global_wrapper$0 serial\n");
    const WrappedReads wrapped = with_wrapped_reads(dag, nest);
    EXPECT_EQ(check(wrapped.dag), Names{});
    EXPECT_EQ(names_of(wrapped.dag), (Names{"in", "total", "total_global_wrapper$0",
                                            "total_global_wrapper$0_in_out", "out"}));
    EXPECT_EQ(func_named(wrapped.dag, "total_global_wrapper$0").wraps,
              find_func(wrapped.dag, "total"));
    const Func &again = func_named(wrapped.dag, "total_global_wrapper$0_in_out");
    EXPECT_EQ(again.wraps, find_func(wrapped.dag, "total_global_wrapper$0"));
    EXPECT_EQ(again.reader, find_func(wrapped.dag, "out"));
    EXPECT_EQ(again.halide_index,
              func_named(wrapped.dag, "total_global_wrapper$0").halide_index + 1);
}

TEST(WrappedReads, KeepTheReadersOfEarlierWrappers) {
    const Dag dag = diamond(1024, 512);
    const std::string arms =
        "kernel out\n  out threads x=32 y=8\nkernel right\n  right threads x=32 y=8\n"
        "kernel left\n  left threads x=32 y=8\n";
    const WrappedReads once = with_wrapped_reads(dag, sound(dag, "inline: base\n" + arms));
    ASSERT_EQ(once.wrappers.size(), 4u);
    const Nest next =
        parsed(once.dag, "inline: base_in_left base_in_right left_in_out right_in_out\n" + arms +
                             "kernel base\n  base threads x=32 y=8\n");
    const WrappedReads twice = with_wrapped_reads(once.dag, next);
    EXPECT_EQ(names_of(twice.dag), names_of(once.dag)) << "wrappers are copies, read by one each";
    EXPECT_EQ(func_named(twice.dag, "left_in_out").reader, find_func(twice.dag, "out"));
    EXPECT_EQ(func_named(twice.dag, "left_in_out").wraps, find_func(twice.dag, "left"));
}

TEST(IsCopy, HoldsForWrappersExceptOfReductions) {
    const Dag sums = with_wrapped_reductions(reduced_stencil(1024, 512));
    EXPECT_FALSE(is_copy(sums, find_func(sums, "total_global_wrapper$0")));
    EXPECT_FALSE(is_copy(sums, find_func(sums, "total")));
    const Dag dag = diamond(1024, 512);
    const WrappedReads wrapped = with_wrapped_reads(dag, sound(dag, kDiamondAtRoot));
    for (FuncId wrapper : wrapped.wrappers) EXPECT_TRUE(is_copy(wrapped.dag, wrapper));
    EXPECT_FALSE(is_copy(wrapped.dag, find_func(wrapped.dag, "left")));
}

// A wrapper has what its reader needs at the estimates, and no more; what it wraps has more.
TEST(WrappedReads, LeaveTilesThatMayReachBeyondTheEndAsTheyAre) {
    DagBuilder b;
    const FuncId in = b.input("in", {"y"}), all = b.func("all", {"y"}), low = b.func("low", {"y"});
    const FuncId out = b.output("out", {{"y", 0, 15}}), other = b.output("other", {{"y", 0, 55}});
    b.reads(all, in, {at(0)}).ops(all, OpKind::transcendental, 9);
    b.reads(low, all, {clamped(0, 0, 1, 0, 55)}, 2).reads(out, low, {half(0)});
    b.reads(other, all, {at(0)});
    Dag dag = b.build();
    find_aligned_tiles(dag);
    const WrappedReads wrapped = with_wrapped_reads(
        dag, parsed(dag,
                    "kernel out\n  out threads y=16\nkernel other\n  other threads y=16\n"
                    "kernel low\n  low threads y=8\nkernel all\n  all threads y=16\n"));
    ASSERT_EQ(read_by(wrapped.dag, "low"), Names{"all_in_low"});
    ASSERT_LT(func_named(wrapped.dag, "all_in_low").dims[0].estimate.max, 55);
    EXPECT_TRUE(func_named(dag, "low").dims[0].rounds_up);
    EXPECT_TRUE(func_named(wrapped.dag, "low").dims[0].rounds_up);
}

// Which of two reduction loops is shared is chosen before there is a wrapper, or after.
TEST(WrappedReads, LeaveThreadsAsTheyAre) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), turned = b.func("turned", {"x", "y"});
    const FuncId hist = b.func("hist", {"i"}), out = b.output("out", {{"i", 0, 31}});
    const StageId add =
        b.update(hist, {b.reduction("r", 0, 39), b.reduction("s", 0, 39)}, {anywhere(0, 31)});
    b.reads(turned, in, {at(1), at(0)}).ops(turned, OpKind::transcendental, 9);
    b.reads(add, turned, {clamped(0, 0, 1, 0, 39), at(1)}, 2).reads(out, hist, {at(0)});
    Dag dag = b.build();
    dag.funcs[turned.index()].dims[0].stride = 40;
    dag.funcs[turned.index()].dims[1].stride = 1;
    const WrappedReads wrapped =
        with_wrapped_reads(dag, parsed(dag,
                                       "kernel out\n  out threads i=32\n"
                                       "kernel hist\n  hist threads i=32\n"
                                       "kernel hist.update(0)\n  hist.update(0) threads\n"
                                       "kernel turned\n  turned threads x=32\n"));
    const StageId after = find_stage(wrapped.dag, "hist.update(0)");
    ASSERT_EQ(read_by(wrapped.dag, "hist"), Names{"turned_in_hist"});
    EXPECT_EQ(choose_axes(dag, add, {40, 40}), (std::vector<int>{1, 0}));
    EXPECT_EQ(choose_axes(wrapped.dag, after, {40, 40}), (std::vector<int>{1, 0}));
}

}  // namespace
}  // namespace autoschedule_gpu
