#include "halide/apply/apply.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "halide/version/version.h"
#include "scheduler/schedule/size_sections.h"
#include "unit/scheduler/schedule/example.h"

namespace autoschedule_gpu {
namespace {

using namespace test;
using Op = DirectiveOp;

// The pipeline of example.h in Halide: blur, sum (with one update over two RVars), out, which is
// also the order of Pipeline::get_func.
struct Example {
    Halide::Param<int> gain{"gain"};
    Halide::Func blur{"blur"}, sum{"sum"}, out{"out"};
    Halide::Var x{"x"}, y{"y"};
    Halide::RDom r{0, 4, 0, 3};
    Halide::Pipeline pipeline;

    Example() {
        blur(x, y) = Halide::cast<float>(x + gain * y);
        sum(x, y) = 0.f;
        sum(x, y) += blur(x + r.x, y + r.y);
        out(x, y) = sum(x, y) + 1.f;
        pipeline = Halide::Pipeline(out);
    }
};

// A stage's loops as "x_t:gpu_thread x_b:gpu_block", innermost first.
std::string loops_of(const Halide::Internal::StageSchedule &schedule) {
    std::string text;
    for (const Halide::Internal::Dim &dim : schedule.dims()) {
        if (dim.var == "__outermost") continue;
        std::ostringstream type;
        type << dim.for_type;
        // "x.xi.xv" for what was split from xi, which was split from x; "r4$x" for an RVar.
        const size_t last = dim.var.find_last_of(".$");
        if (!text.empty()) text += ' ';
        text += dim.var.substr(last == std::string::npos ? 0 : last + 1);
        text += (dim.is_rvar() ? "(r):" : ":") + type.str();
    }
    return text;
}

// Halide numbers names that a process uses again ("sum$3"), as these tests do.
std::string without_counters(const std::string &text) {
    return std::regex_replace(text, std::regex("\\$[0-9]+"), "");
}

std::string complaint(const Schedule &schedule, const Halide::Pipeline &pipeline) {
    const Status status = apply_schedule(schedule, pipeline);
    return status.ok() ? "fine" : without_counters(status.error().message);
}

TEST(ApplySchedule, AppliesEveryOpOfTheExample) {
    Example e;
    ASSERT_EQ(complaint(example_schedule(), e.pipeline), "fine");
    EXPECT_EQ(loops_of(e.out.get_schedule()),
              "xv:vectorized xt:gpu_thread xb:gpu_block y:gpu_block");
    EXPECT_EQ(loops_of(e.sum.update(0).get_schedule()),
              "ri(r):unrolled rf(r):for x:gpu_thread y:gpu_block");
    EXPECT_EQ(e.blur.function().schedule().memory_type(), Halide::MemoryType::Register);
    const auto &splits = e.out.get_schedule().splits();
    ASSERT_EQ(splits.size(), 2u);
    EXPECT_EQ(splits[0].tail, Halide::TailStrategy::ShiftInwards);
    EXPECT_EQ(splits[1].tail, Halide::TailStrategy::RoundUp);
}

std::string lowered_on_host(Example &e) {
    std::ostringstream text;
    text << e.pipeline.compile_to_module({e.gain}, "f", Halide::Target("host")).functions()[0];
    return without_counters(text.str());
}

TEST(ApplySchedule, MakesWrappersThatLaterDirectivesMayName) {
    Example e;
    ASSERT_EQ(
        complaint({on_func(Op::compute_root, 1, "sum"), in(3, "sum_in", 1),
                   in(4, "blur_in_sum", 0, 1), on_func(Op::compute_root, 3, "sum_in"),
                   split(3, "sum_in", 0, {own(1), made("o"), made("i")}, 4),
                   compute_at(4, "blur_in_sum", 1, own(2), 1), compute_at(0, "blur", 1, own(3), 1)},
                  e.pipeline),
        "fine");
    const std::string lowered = lowered_on_host(e);
    EXPECT_NE(lowered.find("produce sum_global_wrapper {"), std::string::npos) << lowered;
    EXPECT_NE(lowered.find("for (sum_global_wrapper.s0.y.o"), std::string::npos) << lowered;
    const size_t loop = lowered.find("for (sum.s1.x"),
                 wrapper = lowered.find("produce blur_in_sum {");
    EXPECT_NE(wrapper, std::string::npos) << lowered;
    EXPECT_LT(loop, wrapper) << lowered;
}

TEST(ApplySchedule, MakesAWrapperOfAWrapper) {
    Example e;
    ASSERT_EQ(complaint({on_func(Op::compute_root, 1, "sum"), in(3, "sum_in", 1),
                         in(4, "sum_in_in_out", 3, 2), on_func(Op::compute_root, 3, "sum_in"),
                         compute_at(4, "sum_in_in_out", 2, own(1))},
                        e.pipeline),
              "fine");
    const std::string lowered = lowered_on_host(e);
    const size_t sum = lowered.find("produce sum {"),
                 wrapper = lowered.find("produce sum_global_wrapper {"),
                 again = lowered.find("produce sum_global_wrapper_in_out {");
    EXPECT_NE(again, std::string::npos) << lowered;
    EXPECT_LT(sum, wrapper);
    EXPECT_LT(wrapper, again);
}

TEST(ApplySchedule, OfGpuSingleThreadPutsTheStageIntoOneBlockOfOneThread) {
    Example e;
    ASSERT_EQ(complaint({on_stage(Op::gpu_single_thread, 1, "sum", 1, {})}, e.pipeline), "fine");
    const std::string loops = loops_of(e.sum.update(0).get_schedule());
    EXPECT_EQ(loops.find("x(r):for y(r):for x:for y:for"), 0u) << loops;
    EXPECT_NE(loops.find("gpu_thread"), std::string::npos) << loops;
    EXPECT_NE(loops.find("gpu_block"), std::string::npos) << loops;
}

TEST(ApplySchedule, OfAnOrderOfOneLoopChangesNothing) {
    Example e;
    ASSERT_EQ(complaint({on_stage(Op::reorder, 2, "out", 0, {own(1)})}, e.pipeline), "fine");
    EXPECT_EQ(loops_of(e.out.get_schedule()), "x:for y:for");
}

TEST(ApplySchedule, FindsAnOriginalLoopByItsFirstPositionWhereverItIsNow) {
    Example e;
    ASSERT_EQ(complaint({on_stage(Op::reorder, 2, "out", 0, {own(1), own(0)}),
                         on_stage(Op::unroll, 2, "out", 0, {own(0)})},
                        e.pipeline),
              "fine");
    EXPECT_EQ(loops_of(e.out.get_schedule()), "y:for x:unrolled");
}

TEST(ApplySchedule, FusesAReductionLoopWithAPureOne) {
    Example e;
    ASSERT_EQ(complaint({on_stage(Op::fuse, 1, "sum", 1, {own(1), own(2), made("f")})}, e.pipeline),
              "fine");
    EXPECT_EQ(loops_of(e.sum.update(0).get_schedule()), "x(r):for f(r):for y:for");
}

TEST(ApplySchedule, OfTwoBranchesMakesOneThatDependsOnTheExtents) {
    Example e;
    ASSERT_EQ(complaint(two_branches(), e.pipeline), "fine");
    const auto &branches = e.out.function().definition().specializations();
    ASSERT_EQ(branches.size(), 1u);
    std::ostringstream condition;
    condition << branches[0].condition;
    const std::string out = e.out.name();
    EXPECT_NE(condition.str().find(out + ".s0.x.max - " + out + ".s0.x.min"), std::string::npos)
        << condition.str();
    EXPECT_EQ(branches[0].definition.schedule().splits()[0].tail,
              Halide::TailStrategy::ShiftInwards);
    EXPECT_EQ(e.out.function().definition().schedule().splits()[0].tail,
              Halide::TailStrategy::GuardWithIf);
}

TEST(ApplySchedule, TakesReductionsApartAndSchedulesWhatComesOfIt) {
    if (!halide_version::kRfactorLeavesNoSplits) GTEST_SKIP();
    Example e;
    const Schedule schedule = {
        split(1, "sum", 1, {own(0), made("rs"), made("ru")}, 2),
        rfactor(1, "sum", 1, {made("ru"), made("u")}, 3),
        reorder_storage(3, "sum_intm", {own(2), own(0), own(1)}),
        on_func(Op::compute_root, 3, "sum_intm"),
        on_stage(Op::unroll, 3, "sum_intm", 1, {own(1)}),
        on_stage(Op::unroll, 1, "sum", 1, {own(0)}),
    };
    EXPECT_EQ(complaint(schedule, e.pipeline), "fine");
    const Halide::Func made = e.pipeline.get_func(1);
    EXPECT_EQ(loops_of(made.function().update(0).schedule()),
              "u:for rs(r):unrolled y(r):for x:for y:for");
    EXPECT_EQ(loops_of(e.sum.function().update(0).schedule()), "ru(r):unrolled x:for y:for");
    EXPECT_EQ(made.function().schedule().storage_dims()[0].var, "u");
}

TEST(ApplySchedule, SaysWhyAReductionCanNotBeTakenApart) {
    const std::pair<Directive, std::string> cases[] = {
        {rfactor(0, "blur", 0, {own(0), made("u")}, 3), "only an update is a reduction"},
        {rfactor(1, "sum", 1, {own(0), own(1), made("u")}, 3), "each loop needs a dimension"},
        {rfactor(1, "sum", 1, {own(0), made("u")}, 2), "needs an index of its own below"},
        {rfactor(1, "sum", 1, {own(7), made("u")}, 3), "there is no loop at position 7"},
    };
    for (const auto &[directive, message] : cases) {
        Example e;
        EXPECT_NE(complaint({directive}, e.pipeline).find(message), std::string::npos) << message;
    }
}

TEST(ApplySchedule, BoundsTheExtentOfADimension) {
    Example e;
    ASSERT_EQ(complaint({bound_extent(0, "blur", own(1), 32)}, e.pipeline), "fine");
    const auto &bounds = e.blur.function().schedule().bounds();
    ASSERT_EQ(bounds.size(), 1u);
    EXPECT_EQ(bounds[0].var, e.blur.args()[1].name());
    EXPECT_FALSE(bounds[0].min.defined());
    EXPECT_TRUE(Halide::Internal::is_const(bounds[0].extent, 32));
}

TEST(ApplySchedule, BoundsTheStorageOfADimension) {
    Example e;
    ASSERT_EQ(complaint({bound_storage(0, "blur", own(1), 32)}, e.pipeline), "fine");
    const auto &storage = e.blur.function().schedule().storage_dims();
    EXPECT_FALSE(storage[0].bound.defined());
    EXPECT_TRUE(Halide::Internal::is_const(storage[1].bound, 32));
}

TEST(ApplySchedule, AlignsTheStorageOfADimension) {
    Example e;
    ASSERT_EQ(complaint({align_storage(0, "blur", own(1), 32)}, e.pipeline), "fine");
    const auto &dims = e.blur.function().schedule().storage_dims();
    EXPECT_FALSE(dims[0].alignment.defined());
    EXPECT_TRUE(Halide::Internal::is_const(dims[1].alignment, 32));
}

class TailTest : public testing::TestWithParam<std::pair<TailStrategy, Halide::TailStrategy>> {};

TEST_P(TailTest, ReachesTheSplit) {
    Example e;
    ASSERT_EQ(complaint({split(2, "out", 0, {own(0), made("o"), made("i")}, 8, GetParam().first)},
                        e.pipeline),
              "fine");
    EXPECT_EQ(e.out.get_schedule().splits()[0].tail, GetParam().second);
    EXPECT_TRUE(Halide::Internal::is_const(e.out.get_schedule().splits()[0].factor, 8));
}

INSTANTIATE_TEST_SUITE_P(
    All, TailTest,
    // Halide resolves Auto at once.
    testing::Values(std::pair{TailStrategy::automatic, Halide::TailStrategy::ShiftInwards},
                    std::pair{TailStrategy::guard_with_if, Halide::TailStrategy::GuardWithIf},
                    std::pair{TailStrategy::shift_inwards, Halide::TailStrategy::ShiftInwards},
                    std::pair{TailStrategy::round_up, Halide::TailStrategy::RoundUp}));

class MemoryTest : public testing::TestWithParam<std::pair<MemoryKind, Halide::MemoryType>> {};

TEST_P(MemoryTest, ReachesTheFunc) {
    Example e;
    ASSERT_EQ(complaint({store_in(0, "blur", GetParam().first)}, e.pipeline), "fine");
    EXPECT_EQ(e.blur.function().schedule().memory_type(), GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(
    All, MemoryTest,
    testing::Values(std::pair{MemoryKind::automatic, Halide::MemoryType::Auto},
                    std::pair{MemoryKind::shared, Halide::MemoryType::GPUShared},
                    std::pair{MemoryKind::registers, Halide::MemoryType::Register},
                    std::pair{MemoryKind::global, Halide::MemoryType::Heap}));

struct Refused {
    Schedule schedule;
    std::string message;  // the beginning of it

    friend void PrintTo(const Refused &refused, std::ostream *out) { *out << refused.message; }
};

class RefusedTest : public testing::TestWithParam<Refused> {};

TEST_P(RefusedTest, ComesBackAsAnErrorThatNamesTheDirective) {
    Example e;
    const std::string message = complaint(GetParam().schedule, e.pipeline);
    EXPECT_EQ(message.find(GetParam().message), 0u) << message;
    EXPECT_NE(message.back(), '\n');
}

INSTANTIATE_TEST_SUITE_P(
    BeforeHalide, RefusedTest,
    testing::Values(
        Refused{{on_func(Op::compute_root, 3, "g")},
                "directive 1, g.compute_root(): the pipeline has 3 Funcs; there is no Func 3"},
        Refused{{on_func(Op::compute_root, -1, "g")},
                "directive 1, g.compute_root(): the pipeline has 3 Funcs; there is no Func -1"},
        Refused{{on_stage(Op::unroll, 2, "", 1, {own(0)})},
                "directive 1, out.update(0).unroll(loop 0): Func out has no stage 1"},
        Refused{{on_stage(Op::unroll, 1, "", 1, {own(4)})},
                "directive 1, sum.update(0).unroll(loop 4): sum.update(0) has 4 loops; there is no "
                "loop at position 4"},
        Refused{{on_stage(Op::gpu_blocks, 2, "", 0, {})},
                "directive 1, out.gpu_blocks(): gpu_blocks can't take 0 loops"},
        Refused{{split(2, "", 0, {own(0), made("o"), made("i")}, 0)},
                "directive 1, out.split(loop 0, o, i, 0, TailStrategy::Auto): a split factor must "
                "be in [1, 2147483647], found 0"},
        Refused{{split(2, "", 0, {own(0), made("o"), made("i")}, int64_t{1} << 32)},
                "directive 1, out.split(loop 0, o, i, 4294967296, TailStrategy::Auto): a split "
                "factor must be in [1, 2147483647], found 4294967296"},
        Refused{{align_storage(0, "", own(0), 0)},
                "directive 1, blur.align_storage(loop 0, 0): an alignment factor must be in [1, "
                "2147483647], found 0"},
        Refused{{bound_extent(0, "", own(0), 0)},
                "directive 1, blur.bound_extent(loop 0, 0): an extent must be in [1, 2147483647], "
                "found 0"},
        Refused{{align_storage(0, "", made("o"), 8)},
                "directive 1, blur.align_storage(o, 8): it takes a dimension of the Func, not a "
                "loop that is made"},
        Refused{{compute_at(0, "", 9, own(0))},
                "directive 1, blur.compute_at(Func 9, loop 0): there is no Func 9 with a stage 0 "
                "to compute it in"},
        Refused{{compute_at(0, "", 1, own(3), 2)},
                "directive 1, blur.compute_at(sum, loop 3): there is no Func 1 with a stage 2 to "
                "compute it in"},
        Refused{{in(3, "w", 7)}, "directive 1, w = Func 7.in(): there is no Func 7"},
        Refused{{in(3, "w", -1)}, "directive 1, w = Func -1.in(): there is no Func -1"},
        Refused{{in(3, "w", 0, 9)}, "directive 1, w = Func 0.in(Func 9): there is no Func 9"},
        Refused{{in(2, "w", 0)},
                "directive 1, out = Func 0.in(): a wrapper needs an index of its own below 65536"},
        Refused{{in(70000, "w", 0)},
                "directive 1, w = Func 0.in(): a wrapper needs an index of its own below 65536"},
        Refused{{in(5, "w", 0), on_func(Op::compute_root, 4, "v")},
                "directive 2, v.compute_root(): the pipeline has 6 Funcs; there is no Func 4"},
        Refused{{on_func(Op::compute_root, 3, "w"), in(3, "w", 0)},
                "directive 1, w.compute_root(): the pipeline has 3 Funcs; there is no Func 3"},
        Refused{{compute_at(0, "", 2, own(3))},
                "directive 1, blur.compute_at(out, loop 3): out has 2 loops; there is no loop at "
                "position 3"}));

INSTANTIATE_TEST_SUITE_P(
    ByHalide, RefusedTest,
    testing::Values(
        Refused{{on_func(Op::compute_root, 2, "out"),
                 on_stage(Op::unroll, 2, "", 0, {made("nowhere")})},
                "directive 2, out.unroll(nowhere): Halide refuses it: Error: In schedule for out"},
        Refused{{split(2, "", 0, {own(0), made("y"), made("i")}, 8)},
                "directive 1, out.split(loop 0, y, i, 8, TailStrategy::Auto): Halide refuses it: "},
        Refused{{split(1, "", 1, {own(0), made("o"), made("i")}, 2, TailStrategy::shift_inwards)},
                "directive 1, sum.update(0).split(loop 0, o, i, 2, TailStrategy::ShiftInwards): "
                "Halide refuses it: "},
        Refused{{on_stage(Op::gpu_threads, 1, "", 1, {own(3), own(0)})},
                "directive 1, sum.update(0).gpu_threads(loop 3, loop 0): Halide refuses it: Error: "
                "In schedule for sum.update(0), marking var"},
        Refused{{on_stage(Op::reorder, 2, "", 0, {own(0), own(0)})},
                "directive 1, out.reorder(loop 0, loop 0): Halide refuses it: "}));

Directive root_of(int func, std::string name) {
    Directive root;
    root.func = func;
    root.func_name = std::move(name);
    return root;
}

// For large sizes blur, Func 0, is at root, else it is inline; sum, Func 1, is at root in both.
Schedule for_two_sizes() {
    return joined_sections(
        {{.extents = {{2, "", 0, 100}}, .schedule = {root_of(0, "blur"), root_of(1, "sum")}},
         {.schedule = {root_of(1, "sum")}}},
        example_dag());
}

TEST(ApplySchedule, OfSeveralSchedulesMakesACopyOfAllFuncsForEachButTheLast) {
    Example e;
    ASSERT_EQ(complaint(for_two_sizes(), e.pipeline), "fine");
    const auto &branches = e.out.function().definition().specializations();
    ASSERT_EQ(branches.size(), 1u);
    std::ostringstream condition;
    condition << branches[0].condition;
    EXPECT_EQ(without_counters(condition.str()), "(out.extent.0 >= 100)");
    std::set<std::string> names;
    for (const Halide::Func &func : all_funcs(e.pipeline)) {
        names.insert(without_counters(func.name()));
    }
    EXPECT_EQ(names, (std::set<std::string>{"blur", "s0_blur", "s0_sum", "sum", "out"}));
    e.gain.set(3);
    for (const int extent : {50, 150}) {
        const Halide::Buffer<float> got =
            e.pipeline.realize({extent, 5}, Halide::get_host_target());
        EXPECT_EQ(got(0, 0), 1 + (0 + 1 + 2 + 3) * 3 + 3 * (0 + 1 + 2) * 4);
    }
}

TEST(ApplySchedule, OfSeveralSchedulesCopiesExternStagesThatTakeTheCopies) {
    Halide::Var x("x");
    Halide::Func before("before"), foreign("foreign"), out("out");
    before(x) = Halide::cast<float>(x);
    foreign.define_extern("some_extern", {before}, Halide::Float(32), {x});
    out(x) = foreign(x) + 1.f;
    const Halide::Pipeline pipeline(out);
    // Funcs: 0 before, 1 foreign, 2 out.
    const Schedule roots = {root_of(0, "before"), root_of(1, "foreign")};
    Directive large = root_of(2, "out");
    large.op = Op::for_sizes;
    large.extents = {{2, "", 0, 100}};
    Directive others = large;
    others.extents.clear();
    Schedule schedule = {large};
    schedule.insert(schedule.end(), roots.begin(), roots.end());
    schedule.push_back(others);
    schedule.insert(schedule.end(), roots.begin(), roots.end());
    ASSERT_EQ(complaint(schedule, pipeline), "fine");
    std::set<std::string> taken;
    for (const Halide::Func &func : all_funcs(pipeline)) {
        for (const Halide::ExternFuncArgument &arg : func.function().extern_arguments()) {
            const std::string name = Halide::Internal::Function(arg.func).name();
            taken.insert(without_counters(func.name() + " takes " + name));
        }
    }
    EXPECT_EQ(taken, (std::set<std::string>{"foreign takes before", "s0_foreign takes s0_before"}));
}

TEST(ApplySchedule, OfSeveralSchedulesNamesADirectiveByItsNumberInAll) {
    Example e;
    Schedule schedule = for_two_sizes();
    schedule.push_back(root_of(7, "none"));
    EXPECT_EQ(complaint(schedule, e.pipeline),
              "directive 6, none.compute_root(): the pipeline has 3 Funcs; there is no Func 7");
    Example other;
    schedule = for_two_sizes();
    schedule[0].extents[0].func = 9;
    EXPECT_EQ(complaint(schedule, other.pipeline), "there is no output of the number 9");
}

TEST(ApplySchedule, ToAPipelineWithoutOutputsIsAnError) {
    EXPECT_EQ(complaint({}, Halide::Pipeline()), "the pipeline has no outputs");
}

TEST(DeepCopy, LeavesTheOriginalAloneAndKeepsTheOrderOfFuncs) {
    Example e;
    Halide::Pipeline copy = deep_copy_pipeline(e.pipeline);
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(copy.get_func(i).name(), e.pipeline.get_func(i).name());
    }
    ASSERT_EQ(complaint(example_schedule(), copy), "fine");
    EXPECT_EQ(loops_of(e.out.get_schedule()), "x:for y:for");
    EXPECT_EQ(loops_of(e.sum.update(0).get_schedule()), "x(r):for y(r):for x:for y:for");
    EXPECT_EQ(e.blur.function().schedule().memory_type(), Halide::MemoryType::Auto);
    EXPECT_EQ(loops_of(copy.get_func(2).get_schedule()),
              "xv:vectorized xt:gpu_thread xb:gpu_block y:gpu_block");
}

TEST(DeepCopy, KeepsRequirementsAndAllOutputs) {
    Example e;
    Halide::Func second("second");
    second(e.x) = e.sum(e.x, 0);
    Halide::Pipeline both({e.out, second});
    both.add_requirement(e.gain > 8, "too small");
    const Halide::Pipeline copy = deep_copy_pipeline(both);
    EXPECT_EQ(copy.outputs().size(), 2u);
    EXPECT_EQ(copy.requirements().size(), 1u);
}

}  // namespace
}  // namespace autoschedule_gpu
