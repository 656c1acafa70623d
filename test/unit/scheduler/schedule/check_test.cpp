#include <gtest/gtest.h>

#include "scheduler/schedule/trace.h"
#include "unit/scheduler/schedule/example.h"

namespace autoschedule_gpu {
namespace {

using namespace test;
using Op = DirectiveOp;

std::string complaint(const Schedule &schedule) {
    const Status status = check_against(schedule, example_dag());
    return status.ok() ? "fine" : status.error().message;
}

Directive out_split(LoopRef old, std::string outer, std::string inner) {
    return split(2, "out", 0, {std::move(old), made(std::move(outer)), made(std::move(inner))}, 8);
}

TEST(CheckAgainst, AcceptsASoundScheduleOfEveryOp) {
    EXPECT_EQ(complaint(example_schedule()), "fine");
    EXPECT_EQ(complaint({}), "fine");
    EXPECT_EQ(complaint({specialize_rows_of_sum()}), "fine");
    EXPECT_EQ(complaint({out_split(LoopRef::outermost(), "__outermost", "b"),
                         on_stage(Op::gpu_blocks, 2, "out", 0, {made("b")})}),
              "fine");
}

TEST(CheckAgainst, NamesTheFirstDirectiveThatFails) {
    Schedule schedule = example_schedule();
    schedule[5].loops[0] = made("xi");
    schedule[9].loops[0] = own(7);
    EXPECT_EQ(complaint(schedule),
              "directive 6, out.gpu_blocks(xi, y): \"xi\" is no longer there: a split or fusion "
              "has consumed it");
}

struct Case {
    Schedule schedule;
    std::string message;

    friend void PrintTo(const Case &c, std::ostream *out) { *out << c.message; }
};

class CheckAgainstTest : public testing::TestWithParam<Case> {};

TEST_P(CheckAgainstTest, SaysWhatIsWrong) {
    EXPECT_EQ(complaint(GetParam().schedule), GetParam().message);
}

Directive with_factor(Directive directive, int64_t factor) {
    directive.factor = factor;
    return directive;
}

Directive with_loops(Directive directive, std::vector<LoopRef> loops) {
    directive.loops = std::move(loops);
    return directive;
}

INSTANTIATE_TEST_SUITE_P(
    Existence, CheckAgainstTest,
    testing::Values(
        Case{{on_func(Op::compute_root, 3, "g")},
             "directive 1, g.compute_root(): there is no Func 3; the pipeline has 3"},
        Case{{on_func(Op::compute_root, -1, "input")},
             "directive 1, input.compute_root(): there is no Func -1; the pipeline has 3"},
        Case{{on_stage(Op::gpu_single_thread, 2, "out", 1, {})},
             "directive 1, out.update(0).gpu_single_thread(): out has no stage 1; it has 1"},
        Case{{on_stage(Op::unroll, 2, "out", 0, {own(2)})},
             "directive 1, out.unroll(loop 2): the stage has 2 loops of its own; there is no loop "
             "2"},
        Case{{compute_at(0, "blur", 5, own(0))},
             "directive 1, blur.compute_at(Func 5, loop 0): there is no Func 5; the pipeline has "
             "3"},
        Case{{compute_at(0, "blur", 2, own(0), 1)},
             "directive 1, blur.compute_at(out, loop 0): out has no stage 1; it has 1"},
        Case{{compute_at(0, "blur", 2, own(4))},
             "directive 1, blur.compute_at(out, loop 4): the stage has 2 loops of its own; there "
             "is no loop 4"}));

INSTANTIATE_TEST_SUITE_P(
    MadeLoops, CheckAgainstTest,
    testing::Values(
        Case{{on_stage(Op::unroll, 2, "out", 0, {made("xi")}), out_split(own(0), "xo", "xi")},
             "directive 1, out.unroll(xi): \"xi\" is used before a directive makes it"},
        Case{{out_split(own(0), "xo", "xi"), out_split(own(0), "xp", "xj")},
             "directive 2, out.split(loop 0, xp, xj, 8, TailStrategy::Auto): loop 0 (x) is no "
             "longer there: a split or fusion has consumed it"},
        Case{{out_split(own(0), "xo", "xi"), out_split(own(1), "yo", "xi")},
             "directive 2, out.split(loop 1, yo, xi, 8, TailStrategy::Auto): \"xi\" is already the "
             "name of a loop of this stage"},
        Case{{out_split(own(0), "xo", "y")},
             "directive 1, out.split(loop 0, xo, y, 8, TailStrategy::Auto): \"y\" is already the "
             "name of a loop of this stage"},
        Case{{out_split(own(0), "a.b", "xi")},
             "directive 1, out.split(loop 0, a.b, xi, 8, TailStrategy::Auto): \"a.b\" can't name a "
             "loop: letters, digits and _ only"},
        Case{{split(2, "out", 0, {own(0), own(1), made("i")}, 8)},
             "directive 1, out.split(loop 0, loop 1, i, 8, TailStrategy::Auto): the loops that it "
             "makes need names, loop 1 (y) is the stage's own"},
        Case{{on_stage(Op::fuse, 2, "out", 0, {own(0), own(0), made("f")})},
             "directive 1, out.fuse(loop 0, loop 0, f): loop 0 (x) is no longer there: a split or "
             "fusion has consumed it"},
        Case{{on_stage(Op::reorder, 2, "out", 0, {own(0), own(1), own(0)})},
             "directive 1, out.reorder(loop 0, loop 1, loop 0): loop 0 (x) is named twice"},
        Case{{on_stage(Op::reorder, 2, "out", 0, {made("q"), own(1)})},
             "directive 1, out.reorder(q, loop 1): \"q\" is used before a directive makes it"}));

INSTANTIATE_TEST_SUITE_P(
    Marks, CheckAgainstTest,
    testing::Values(
        Case{{on_stage(Op::unroll, 2, "out", 0, {own(0)}),
              on_stage(Op::gpu_threads, 2, "out", 0, {own(0)})},
             "directive 2, out.gpu_threads(loop 0): loop 0 (x) is already marked unroll"},
        Case{{on_stage(Op::unroll, 2, "out", 0, {own(0)}), out_split(own(0), "xo", "xi")},
             "directive 2, out.split(loop 0, xo, xi, 8, TailStrategy::Auto): loop 0 (x) is already "
             "marked unroll"},
        Case{{on_stage(Op::gpu_blocks, 2, "out", 0, {own(0)}),
              on_stage(Op::gpu_single_thread, 2, "out", 0, {})},
             "directive 2, out.gpu_single_thread(): the stage is on the GPU already"},
        Case{{on_stage(Op::gpu_single_thread, 2, "out", 0, {}),
              on_stage(Op::gpu_single_thread, 2, "out", 0, {})},
             "directive 2, out.gpu_single_thread(): the stage is on the GPU already"}));

INSTANTIATE_TEST_SUITE_P(
    Form, CheckAgainstTest,
    testing::Values(
        Case{{on_stage(Op::unroll, 2, "out", 0, {})},
             "directive 1, out.unroll(): it takes from 1 to 1 loops, not 0"},
        Case{{on_stage(Op::gpu_blocks, 2, "out", 0, {own(0), own(1), made("a"), made("b")})},
             "directive 1, out.gpu_blocks(loop 0, loop 1, a, b): it takes from 1 to 3 loops, not "
             "4"},
        Case{{with_factor(out_split(own(0), "xo", "xi"), 0)},
             "directive 1, out.split(loop 0, xo, xi, 0, TailStrategy::Auto): the factor must be in "
             "[1, 2147483647], not 0"},
        Case{{with_factor(on_func(Op::compute_root, 2, "out"), 4)},
             "directive 1, out.compute_root(): it sets a field that this op doesn't use"}));

INSTANTIATE_TEST_SUITE_P(
    Places, CheckAgainstTest,
    testing::Values(
        Case{{on_func(Op::compute_root, 0, "blur"), compute_at(0, "blur", 2, own(1))},
             "directive 2, blur.compute_at(out, loop 1): it already has a place to be computed "
             "at"},
        Case{{store_at(0, "blur", 2, own(1)), compute_at(0, "blur", 2, own(0)),
              store_at(0, "blur", 2, own(0))},
             "directive 3, blur.store_at(out, loop 0): it already has a place to be stored at"},
        Case{{store_in(0, "blur", MemoryKind::global), store_in(0, "blur", MemoryKind::global)},
             "directive 2, blur.store_in(MemoryType::Heap): its memory is already chosen"},
        Case{{align_storage(0, "blur", own(0), 32), align_storage(0, "blur", own(1), 4),
              align_storage(0, "blur", own(0), 8)},
             "directive 3, blur.align_storage(loop 0, 8): loop 0 (x) is aligned already"},
        Case{{bound_extent(0, "blur", own(0), 32), bound_extent(0, "blur", own(0), 8)},
             "directive 2, blur.bound_extent(loop 0, 8): loop 0 (x) is bounded already"},
        Case{{bound_storage(0, "blur", own(0), 32), bound_extent(0, "blur", own(0), 32),
              bound_storage(0, "blur", own(0), 8)},
             "directive 3, blur.bound_storage(loop 0, 8): loop 0 (x) is bounded already"},
        Case{{bound_storage(2, "out", own(0), 32)},
             "directive 1, out.bound_storage(loop 0, 32): an output's storage is its caller's"},
        Case{{bound_extent(2, "out", own(0), 32)},
             "directive 1, out.bound_extent(loop 0, 32): an output's size is its caller's"},
        Case{{align_storage(0, "blur", own(2), 32)},
             "directive 1, blur.align_storage(loop 2, 32): the stage has 2 loops of its own; there "
             "is no loop 2"},
        Case{{align_storage(0, "blur", made("xo"), 32)},
             "directive 1, blur.align_storage(xo, 32): it takes a dimension of the Func, \"xo\" is "
             "a loop that is made"},
        Case{{align_storage(0, "blur", own(0), 0)},
             "directive 1, blur.align_storage(loop 0, 0): the factor must be in [1, 2147483647], "
             "not 0"},
        Case{{align_storage(2, "out", own(0), 32)},
             "directive 1, out.align_storage(loop 0, 32): an output's storage is its caller's"},
        Case{{store_in(0, "blur", MemoryKind::local)},
             "directive 1, blur.store_in(MemoryType::Stack): no Func can be stored there"},
        Case{{compute_at(2, "out", 1, own(0))},
             "directive 1, out.compute_at(sum$1, loop 0): an output is always computed at root"},
        Case{{compute_at(0, "blur", 0, own(0))},
             "directive 1, blur.compute_at(blur, loop 0): a Func can't be computed in a loop of "
             "its own"},
        Case{{compute_at(0, "blur", 2, made("xo"))},
             "directive 1, blur.compute_at(out, xo): out has no such loop in the end: \"xo\" is "
             "never made, or is split or fused away"},
        Case{{compute_at(0, "blur", 2, own(0)), out_split(own(0), "xo", "xi")},
             "directive 1, blur.compute_at(out, loop 0): out has no such loop in the end: loop 0 "
             "(x) is never made, or is split or fused away"}));

Directive with_reader(Directive directive, int reader) {
    directive.reader_func = reader;
    return directive;
}

INSTANTIATE_TEST_SUITE_P(
    Wrappers, CheckAgainstTest,
    testing::Values(
        Case{{in(3, "w", 7)},
             "directive 1, w = Func 7.in(): there is no Func 7; the pipeline has 3"},
        Case{{in(3, "w", -1)},
             "directive 1, w = Func -1.in(): there is no Func -1; the pipeline has 3"},
        Case{{in(3, "w", 0, 9)},
             "directive 1, w = Func 0.in(Func 9): there is no Func 9; the pipeline has 3"},
        Case{{in(2, "w", 0)},
             "directive 1, w = Func 0.in(): a wrapper needs an index of its own below 65536"},
        Case{{in(3, "w", 0, 1), in(3, "v", 0, 2)},
             "directive 2, v = Func 0.in(Func 2): a wrapper needs an index of its own below 65536"},
        Case{{in(-1, "w", 0)},
             "directive 1, w = Func 0.in(): a wrapper needs an index of its own below 65536"},
        Case{{in(65536, "w", 0)},
             "directive 1, w = Func 0.in(): a wrapper needs an index of its own below 65536"},
        Case{{in(3, "w", 0, 1), in(4, "v", 0, 1)},
             "directive 2, v = Func 0.in(Func 1): it has a wrapper for that already"},
        Case{{in(3, "w", 1, 1)}, "directive 1, w = Func 1.in(Func 1): a Func can't wrap itself"},
        Case{{with_factor(in(3, "w", 0), 4)},
             "directive 1, w = Func 0.in(): it sets a field that this op doesn't use"},
        Case{{with_reader(on_func(Op::compute_root, 2, "out"), 1)},
             "directive 1, out.compute_root(): it sets a field that this op doesn't use"},
        Case{{on_func(Op::compute_root, 3, "w"), in(3, "w", 0)},
             "directive 1, w.compute_root(): there is no Func 3; the pipeline has 3"},
        Case{{compute_at(0, "blur", 3, own(0)), in(3, "w", 1)},
             "directive 1, blur.compute_at(Func 3, loop 0): there is no Func 3; the pipeline has "
             "3"},
        Case{{in(3, "w", 0), on_stage(Op::unroll, 3, "w", 1, {own(0)})},
             "directive 2, w.update(0).unroll(loop 0): w has no stage 1; it has 1"}));

Schedule without(Schedule schedule, size_t directive) {
    schedule.erase(schedule.begin() + static_cast<std::ptrdiff_t>(directive));
    return schedule;
}

TEST(CheckAgainst, AStageMayHaveTwoBranches) {
    EXPECT_EQ(complaint(two_branches()), "fine");
    EXPECT_EQ(complaint({specialize(2, "out", 0, 0, {8, 8}, {0, 0}),
                         on_func(Op::compute_root, 0, "blur")}),
              "fine");
}

INSTANTIATE_TEST_SUITE_P(
    Branches, CheckAgainstTest,
    testing::Values(
        Case{without(two_branches(), 1),
             "directive 2, out.full_tiles.split(x, xb, xt, 64, TailStrategy::ShiftInwards): the "
             "stage has no "
             "schedule of its own for full tiles"},
        Case{{on_stage(Op::unroll, 2, "out", 0, {own(0)}),
              specialize(2, "out", 0, 2, {8, 8}, {0, 0})},
             "directive 2, out.specialize(out of 8.. x 8..): it must come once, and before all "
             "other directives of the stage"},
        Case{{specialize(2, "out", 0, 2, {8}, {0, 0})},
             "directive 1, out.specialize(out of 8..): out has 2 dimensions, not 1"},
        Case{{with_loops(specialize_rows_of_sum(), {})},
             "directive 1, sum$1.update(0).specialize(sum$1 of any x any x 1..9): sum$1 has 2 "
             "dimensions, not 3"},
        Case{
            {with_loops(specialize_rows_of_sum(), {own(9)})},
            "directive 1, sum$1.update(0).specialize(loop 9, sum$1 of any x any x 1..9): the stage "
            "has 4 loops of its own; there is no loop 9"},
        Case{{with_loops(specialize_rows_of_sum(), {own(0), own(1)})},
             "directive 1, sum$1.update(0).specialize(loop 0, loop 1, sum$1 of any x any x 1..9): "
             "sum$1 has 2 dimensions, and 2 loops are named, not 3"},
        Case{{with_loops(specialize(2, "out", 0, 2, {8, 8, 1}, {0, 0, 0}), {own(0)})},
             "directive 1, out.specialize(loop 0, out of 8.. x 8.. x 1..): only an update has "
             "loops of a "
             "reduction"},
        Case{{specialize(2, "out", 0, 7, {8, 8}, {0, 0})},
             "directive 1, out.specialize(Func 7 of 8.. x 8..): there is no Func 7; the pipeline "
             "has 3"},
        Case{{specialize(2, "out", 0, 0, {8, 8}, {0, 0})},
             "directive 1, out.specialize(blur of 8.. x 8..): blur is inlined, and of what is "
             "inlined no extents are known"},
        Case{without(two_branches(), 5),
             "directive 6, out.gpu_blocks(xb): \"xb\" is used before a directive makes it"},
        Case{{specialize(2, "out", 0, 2, {8, 8}, {0, 0}),
              split(2, "out", 0, {own(0), made("xb"), made("xt")}, 8),
              compute_at(0, "blur", 2, made("xb"))},
             "directive 3, blur.compute_at(out, xb): out has no such loop in the end: \"xb\" is "
             "never made, or is split or fused away"}));

// blur in the launch of `site`'s blocks, whose loop is called so.
Directive blur_with(int site, LoopRef loop) {
    Directive with = on_stage(Op::compute_with, 0, "blur", 0, {});
    with.site_func = site;
    with.site_stage = 0;
    with.site_loop = std::move(loop);
    return with;
}

Schedule in_one_launch(std::vector<Directive> more) {
    Schedule schedule;
    for (const auto &[func, name] : {std::pair(0, "blur"), std::pair(2, "out")}) {
        schedule.push_back(on_func(Op::compute_root, func, name));
        schedule.push_back(split(func, name, 0, {own(0), made("b"), made("t")}, 8));
        schedule.push_back(on_stage(Op::gpu_blocks, func, name, 0, {made("b")}));
    }
    for (Directive &directive : more) schedule.push_back(std::move(directive));
    return schedule;
}

TEST(CheckAgainst, AStageMayShareALoopOfAnother) {
    EXPECT_EQ(complaint(in_one_launch({blur_with(2, made("b"))})), "fine");
}

INSTANTIATE_TEST_SUITE_P(
    Launches, CheckAgainstTest,
    testing::Values(
        Case{in_one_launch({blur_with(7, made("b"))}),
             "directive 7, blur.compute_with(Func 7, b): there is no Func 7; the pipeline has 3"},
        Case{in_one_launch({blur_with(2, made("c"))}),
             "directive 7, blur.compute_with(out, c): \"c\" is used before a directive makes it"},
        Case{in_one_launch({split(2, "out", 0, {own(1), made("c"), made("d")}, 8),
                            blur_with(2, made("c"))}),
             "directive 8, blur.compute_with(out, c): \"c\" is used before a directive makes it"},
        Case{in_one_launch({blur_with(2, made("b")), blur_with(2, made("b"))}),
             "directive 8, blur.compute_with(out, b): it shares loops with another stage already"},
        Case{in_one_launch({with_factor(blur_with(2, made("b")), 4)}),
             "directive 7, blur.compute_with(out, b): it sets a field that this op doesn't use"},
        Case{{specialize(2, "out", 0, 2, {8, 8}, {0, 0}),
              split(2, "out", 0, {own(0), made("b"), made("t")}, 8),
              split(0, "blur", 0, {own(0), made("b"), made("t")}, 8), blur_with(2, made("b"))},
             "directive 4, blur.compute_with(out, b): a stage with schedules of its own for some "
             "sizes can't share loops"}));

TEST(CheckAgainst, AWrapperHasTheLoopsOfItsDimensionsAndIsASiteOfItsOwn) {
    Dag dag = example_dag();
    const auto says = [&](const Schedule &schedule) {
        const Status status = check_against(schedule, dag);
        return status.ok() ? "fine" : status.error().message;
    };
    EXPECT_EQ(says({in(3, "w", 1), split(3, "w", 0, {own(1), made("o"), made("i")}, 4),
                    compute_at(1, "sum$1", 3, made("o")), in(4, "v", 3, 2),
                    compute_at(4, "v", 2, own(1))}),
              "fine");
    EXPECT_EQ(says({in(3, "w", 1), in(4, "v", 3, 2), on_stage(Op::unroll, 4, "v", 0, {own(1)})}),
              "fine")
        << "a wrapper of a wrapper";
    EXPECT_EQ(says({in(3, "w", 1), on_stage(Op::unroll, 3, "w", 0, {own(2)})}),
              "directive 2, w.unroll(loop 2): the stage has 2 loops of its own; there is no loop "
              "2");
    // Those in the Dag are no Funcs of the pipeline until the schedule makes them.
    dag.funcs.push_back(dag.funcs[1]);
    dag.funcs.back().halide_index = 3;
    dag.funcs.back().wraps = FuncId(2);
    EXPECT_EQ(says({on_func(Op::compute_root, 3, "w")}),
              "directive 1, w.compute_root(): there is no Func 3; the pipeline has 3");
}

TEST(CheckAgainst, ASiteMayBeMadeLaterAndInAnotherStage) {
    EXPECT_EQ(complaint({compute_at(0, "blur", 1, made("ro")),
                         split(1, "sum$1", 1, {own(0), made("ro"), made("ri")}, 2)}),
              "fine");
}

TEST(CheckAgainst, OneNameMayBeUsedInSeveralStages) {
    EXPECT_EQ(complaint({split(1, "sum$1", 0, {own(0), made("o"), made("i")}, 2),
                         split(1, "sum$1", 1, {own(2), made("o"), made("i")}, 2)}),
              "fine");
}

TEST(CheckAgainst, AtomicNeedsAReductionThatAtomicsCanDoAndOnlyOnce) {
    Dag dag = example_dag();
    const Schedule schedule = {on_stage(Op::atomic, 1, "sum$1", 1, {}),
                               on_stage(Op::atomic, 1, "sum$1", 1, {})};
    const auto complaint = [&] {
        const Status status = check_against(schedule, dag);
        return status.ok() ? "fine" : status.error().message;
    };
    EXPECT_EQ(complaint(),
              "directive 1, sum$1.update(0).atomic(): its reduction is not one that atomic "
              "operations can do");
    dag.stages[2].atomics = Atomics::exact;
    EXPECT_EQ(complaint(), "directive 2, sum$1.update(0).atomic(): the stage is atomic already");
}

// sum$1.update(0) with lanes, in Func 3.
Schedule factored() {
    return {split(1, "sum", 1, {own(0), made("rs"), made("ru")}, 32),
            rfactor(1, "sum", 1, {made("ru"), made("u")}, 3),
            reorder_storage(3, "sum_intm", {own(2), own(0), own(1)})};
}

std::string factor_complaint(const Schedule &schedule) {
    Dag dag = example_dag();
    for (Stage &stage : dag.stages) {
        if (stage.index > 0) stage.partials = Partials::any_order;
    }
    const Status status = check_against(schedule, dag);
    return status.ok() ? "fine" : status.error().message;
}

TEST(CheckOfFactors, AcceptsLevelsOfThem) {
    EXPECT_EQ(factor_complaint(factored()), "fine");
    Schedule levels = factored();
    levels.push_back(split(1, "sum", 1, {made("ru"), made("rs"), made("rp")}, 8));
    levels.push_back(rfactor(1, "sum", 1, {made("rp"), made("p")}, 4));
    EXPECT_NE(factor_complaint(levels).find("\"rs\" is already the name of a loop"),
              std::string::npos);
    levels[3].loops[1] = levels[4].loops[0] = made("rq");
    EXPECT_EQ(factor_complaint(levels), "fine");
    levels.push_back(split(3, "sum_intm", 1, {made("rs"), made("ro"), made("ri")}, 4));
    levels.push_back(rfactor(3, "sum_intm", 1, {made("ri"), made("v")}, 5));
    EXPECT_EQ(factor_complaint(levels), "fine");
}

// The update that is left has no reduction, and what it makes has all of it.
TEST(CheckOfFactors, AcceptsAllOfAReductionInOne) {
    Schedule whole = {rfactor(1, "sum", 1, {}, 3)};
    EXPECT_EQ(factor_complaint(whole), "fine");
    whole.push_back(split(3, "sum_intm", 1, {own(0), made("rs"), made("ru")}, 8));
    EXPECT_EQ(factor_complaint(whole), "fine");
    whole.push_back(split(1, "sum", 1, {own(0), made("rs"), made("ru")}, 8));
    EXPECT_NE(factor_complaint(whole), "fine");
}

TEST(CheckOfFactors, SaysWhatIsWrong) {
    const std::pair<Schedule, std::string> cases[] = {
        {{rfactor(1, "sum", 1, {own(0)}, 3)}, "each loop needs a dimension"},
        {{rfactor(1, "sum", 1, {own(0), own(1), made("u")}, 3)}, "each loop needs a dimension"},
        {{rfactor(1, "sum", 1, {own(0), made("u")}, 2)}, "what it makes needs an index of its own"},
        {{rfactor(1, "sum", 1, {own(0), made("u")}, -1)},
         "what it makes needs an index of its own"},
        {{rfactor(1, "sum", 1, {made("ru"), made("u")}, 3)}, "\"ru\" is used before"},
        {{rfactor(1, "sum", 1, {own(2), made("u")}, 3)}, "loop 2 (x) is no loop of the reduction"},
        {{rfactor(1, "sum", 1, {own(0), made("x")}, 3)}, "\"x\" is already the name of a loop"},
        {{rfactor(1, "sum", 1, {own(0), own(0), made("u"), made("v")}, 3)}, "is named twice"},
        {{rfactor(1, "sum", 0, {own(0), made("u")}, 3)}, "its partial results can't be put"},
        {{reorder_storage(0, "blur", {own(0), own(0)})}, "it takes each of the 2 dimensions once"},
        {{reorder_storage(0, "blur", {own(0), own(2)})}, "it takes each of the 2 dimensions once"},
        {{reorder_storage(0, "blur", {own(0), made("y")})}, "it takes dimensions of the Func"},
        {{reorder_storage(2, "out", {own(1), own(0)})}, "an output's storage is its caller's"},
    };
    for (const auto &[schedule, message] : cases) {
        const std::string found = factor_complaint(schedule);
        EXPECT_NE(found.find(message), std::string::npos) << found;
    }
    EXPECT_NE(complaint(factored()).find("its partial results can't be put together"),
              std::string::npos);
}

}  // namespace
}  // namespace autoschedule_gpu
