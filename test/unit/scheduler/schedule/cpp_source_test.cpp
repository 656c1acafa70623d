#include "scheduler/schedule/cpp_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "scheduler/schedule/cpp_identifiers.h"
#include "unit/scheduler/schedule/example.h"

namespace autoschedule_gpu {
namespace {

using namespace test;

TEST(CppSource, WritesOneBlockPerFuncAndOneCallPerLine) {
    EXPECT_EQ(cpp_source(example_schedule(), example_dag()),
              R"((void)target;

Func blur = pipeline.get_func(0);
Func sum_1 = pipeline.get_func(1);
Func out = pipeline.get_func(2);
Func sum_in = sum_1.in(out);
Func blur_in = blur.in();

// Loops that this schedule makes.
Var xb("xb"), xi("xi"), xt("xt"), xv("xv");
RVar rf("rf"), ri("ri"), ro("ro");

{  // out
    Var x(out.get_schedule().dims()[0].var);
    Var y(out.get_schedule().dims()[1].var);
    out
        .compute_root()
        .split(x, xb, xi, 64, TailStrategy::ShiftInwards)
        .split(xi, xt, xv, 4, TailStrategy::RoundUp)
        .vectorize(xv)
        .reorder(xv, xt, xb, y)
        .gpu_blocks(xb, y)
        .gpu_threads(xt);
}

{  // sum$1
    RVar r_x(sum_1.update(0).get_schedule().dims()[0].var);
    RVar r_y(sum_1.update(0).get_schedule().dims()[1].var);
    Var y(sum_1.update(0).get_schedule().dims()[3].var);
    Var x(sum_1.update(0).get_schedule().dims()[2].var);
    sum_1
        .compute_root()
        .gpu_single_thread();
    sum_1.update(0)
        .split(r_x, ro, ri, 2, TailStrategy::GuardWithIf)
        .fuse(ro, r_y, rf)
        .unroll(ri)
        .gpu_blocks(y)
        .gpu_threads(x);
}

{  // blur
    blur
        .compute_at(sum_1, rf)
        .store_in(MemoryType::Register);
}

{  // sum_in
    sum_in.compute_at(out, xb);
}

{  // blur_in
    Var y(blur_in.get_schedule().dims()[1].var);
    blur_in.unroll(y);
})");
}

TEST(CppSource, MakesAWrapperOfAWrapperAfterIt) {
    const std::string text = cpp_source(
        {in(3, "sum_in", 1), in(4, "sum_in_in_out", 3, 2), in(5, "blur_in", 0, 1)}, example_dag());
    EXPECT_EQ(text,
              "(void)target;\n\nFunc blur = pipeline.get_func(0);\n"
              "Func sum_1 = pipeline.get_func(1);\nFunc out = pipeline.get_func(2);\n"
              "Func sum_in = sum_1.in();\nFunc sum_in_in_out = sum_in.in(out);\n"
              "Func blur_in = blur.in(sum_1);\n\n{  // sum_in\n}\n\n"
              "{  // sum_in_in_out\n}\n\n{  // blur_in\n}");
}

TEST(CppSource, AlignsADimensionByItsVariable) {
    const std::string text = cpp_source(
        {on_func(DirectiveOp::compute_root, 0, "blur"), align_storage(0, "blur", own(0), 32)},
        example_dag());
    EXPECT_NE(text.find("    Var x(blur.get_schedule().dims()[0].var);\n"
                        "    blur\n"
                        "        .compute_root()\n"
                        "        .align_storage(x, 32);"),
              std::string::npos)
        << text;
}

TEST(CppSource, NamesTheLoopAroundAllLoopsAsHalideDoes) {
    const Schedule schedule = {
        split(1, "sum$1", 0, {LoopRef::outermost(), LoopRef::outermost(), made("b")}, 1),
        on_stage(DirectiveOp::gpu_blocks, 1, "sum$1", 0, {made("b")})};
    const std::string text = cpp_source(schedule, example_dag());
    EXPECT_NE(text.find(".split(Var::outermost(), Var::outermost(), b, 1, TailStrategy::Auto)"),
              std::string::npos)
        << text;
}

TEST(CppSource, TakesReductionsApartBeforeAllElse) {
    Dag factored = example_dag();
    add_func(factored, "sum_by_u", Func::Kind::internal,
             {{pure_loop("x", 0), pure_loop("y", 1), pure_loop("u", 2)},
              {reduction_loop("rs"), pure_loop("x", 0), pure_loop("y", 1), pure_loop("u", 2)}});
    const Schedule schedule = {
        split(1, "sum", 1, {own(0), made("rs"), made("ru")}, 32),
        rfactor(1, "sum", 1, {made("ru"), made("u")}, 3),
        reorder_storage(3, "sum_intm", {own(2), own(0), own(1)}),
        in(4, "sum_by_u_in", 3),
        on_stage(DirectiveOp::unroll, 3, "sum_by_u", 1, {own(0)}),
    };
    EXPECT_EQ(cpp_source(schedule, example_dag(), factored), R"((void)target;

Func sum_1 = pipeline.get_func(1);

// Partial results: what is left of these reductions puts them together.
Var u("u");
RVar rs("rs");
RVar ru("ru");
RVar r_x(sum_1.update(0).get_schedule().dims()[0].var);
sum_1.update(0).split(r_x, rs, ru, 32, TailStrategy::Auto);
Func sum_by_u = sum_1.update(0).rfactor({{ru, u}});
sum_by_u.reorder_storage(Var(sum_by_u.get_schedule().dims()[2].var), Var(sum_by_u.get_schedule().dims()[0].var), Var(sum_by_u.get_schedule().dims()[1].var));
Func sum_by_u_in = sum_by_u.in();

{  // sum_by_u_in
}

{  // sum_by_u
    RVar rs_2(sum_by_u.update(0).get_schedule().dims()[0].var);
    sum_by_u.update(0).unroll(rs_2);
})");
}

// A split moves the loops behind it, so that one of them would be looked up in another's place.
TEST(CppSource, LooksUpLoopsBeforeTheFirstOfSeveralSplits) {
    const Schedule schedule = {
        split(1, "sum", 1, {own(0), made("chunk"), made("row")}, 8),
        split(1, "sum", 1, {own(1), made("step"), made("lane")}, 32),
        rfactor(1, "sum", 1, {made("lane"), made("u")}, 3),
    };
    const std::string text = cpp_source(schedule, example_dag());
    EXPECT_NE(text.find(".split(r_x, chunk, row, 8, TailStrategy::Auto)"), std::string::npos)
        << text;
    EXPECT_NE(text.find(".split(r_y, step, lane, 32, TailStrategy::Auto)"), std::string::npos)
        << text;
    EXPECT_LT(text.rfind("get_schedule()"), text.find(".split("));
}

TEST(CppSource, WritesBothBranchesOfAStage) {
    const std::string text = cpp_source(two_branches(), example_dag());
    EXPECT_NE(text.find("    auto full_tiles = for_full_tiles(out, 0, out, {64, 0}, {0, 65535});\n"
                        "    full_tiles\n"
                        "        .split(x, xb, xt, 64, TailStrategy::ShiftInwards)\n"
                        "        .gpu_blocks(xb, y)\n"
                        "        .gpu_threads(xt);\n"
                        "    out\n"
                        "        .split(x, xb, xt, 1, TailStrategy::GuardWithIf)\n"
                        "        .gpu_blocks(xb)\n"
                        "        .gpu_threads(xt);\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("const auto for_full_tiles = "), std::string::npos) << text;
    EXPECT_EQ(cpp_source(example_schedule(), example_dag()).find("for_full_tiles"),
              std::string::npos);
    const std::string rows = cpp_source({specialize_rows_of_sum()}, example_dag());
    EXPECT_NE(rows.find("for_full_tiles(sum_1, 1, sum_1, {0, 0, 1}, {0, 0, 9}, {r_y.name()});"),
              std::string::npos)
        << rows;
}

TEST(CppSource, AsksWhereBuffersOfVectorsBeginOnTheDevice) {
    Schedule rows = two_branches(), pixels = rows;
    Directive vectorize =
        in_full_tiles(on_stage(DirectiveOp::vectorize_aligned, 2, "out", 0, {made("xt")}));
    vectorize.site_func = 2;
    rows.push_back(vectorize);
    pixels.push_back(vectorize_pixels_of_out());
    for (const Schedule &schedule : {rows, pixels}) {
        const std::string text = cpp_source(schedule, example_dag());
        EXPECT_EQ(text.find("ADDRESS"), std::string::npos) << text;
        EXPECT_LT(text.find("const auto has_aligned_address = ["), text.find("are_aligned = ["));
        EXPECT_NE(text.find("are_aligned = [&has_aligned_address]("), std::string::npos) << text;
        EXPECT_NE(text.find("require(has_aligned_address(buffer));"), std::string::npos) << text;
    }
    const std::string text = cpp_source(pixels, example_dag());
    EXPECT_NE(text.find("        {out.name(), \"in\"})\n        .vectorize(xt);\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(cpp_source(two_branches(), example_dag()).find("address"), std::string::npos);
}

TEST(CppSource, OfAnEmptyScheduleUsesBothParametersOnly) {
    EXPECT_EQ(cpp_source({}, example_dag()), "(void)target;\n(void)pipeline;");
}

TEST(CppSource, LooksUpASiteLoopOfTheAlgorithmBeforeAnythingIsScheduled) {
    const Schedule schedule = {on_func(DirectiveOp::compute_root, 2, "out"),
                               on_stage(DirectiveOp::gpu_blocks, 2, "out", 0, {own(1)}),
                               compute_at(0, "blur", 2, own(1))};
    const std::string text = cpp_source(schedule, example_dag());
    EXPECT_LT(text.find("Var out_y(out.get_schedule().dims()[1].var);"), text.find("{  // out"));
    EXPECT_NE(text.find(".gpu_blocks(out_y)"), std::string::npos);
    EXPECT_NE(text.find("blur.compute_at(out, out_y);"), std::string::npos);
}

TEST(CppSource, LeavesOutAnOrderOfOneLoop) {
    const std::string text =
        cpp_source({on_stage(DirectiveOp::reorder, 2, "out", 0, {own(0)})}, example_dag());
    EXPECT_EQ(text.find("reorder"), std::string::npos);
}

TEST(CppSource, GivesTwoThingsOfOneNameTwoIdentifiers) {
    Dag dag = example_dag();
    dag.funcs[1].name = "x";  // blur: as its loop
    const Schedule schedule = {split(0, "x", 0, {own(0), made("x_t"), made("x_2")}, 8)};
    const std::string text = cpp_source(schedule, dag);
    EXPECT_NE(text.find("Func x = pipeline.get_func(0);"), std::string::npos);
    EXPECT_NE(text.find("Var x_2(\"x_2\"), x_t(\"x_t\");"), std::string::npos);
    EXPECT_NE(text.find("Var x_3(x.get_schedule().dims()[0].var);"), std::string::npos);
}

TEST(CppSource, DeclaresANameThatIsAVarHereAndAnRVarThereTwice) {
    const Schedule schedule = {
        split(1, "sum$1", 0, {own(0), made("o"), made("i")}, 8),
        split(1, "sum$1", 1, {own(0), made("o"), made("i")}, 2, TailStrategy::guard_with_if)};
    const std::string text = cpp_source(schedule, example_dag());
    EXPECT_NE(text.find("Var i(\"i\"), o(\"o\");"), std::string::npos);
    EXPECT_NE(text.find("RVar i_2(\"i\"), o_2(\"o\");"), std::string::npos);
    EXPECT_NE(text.find("sum_1.split(x, o, i, 8, TailStrategy::Auto);"), std::string::npos);
    EXPECT_NE(text.find("sum_1.update(0).split(r_x, o_2, i_2, 2, TailStrategy::GuardWithIf);"),
              std::string::npos);
}

TEST(CppSource, StaysWithin96ColumnsWhileItDeclares) {
    Schedule schedule;
    for (int i = 0; i < 40; ++i) {
        const std::string n = std::to_string(i);
        schedule.push_back(split(2, "out", 0, {own(0), made("outer_" + n), made("inner_" + n)}, 2));
    }
    std::istringstream lines(cpp_source(schedule, example_dag()));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 96u) << line;
}

TEST(CppSource, BearsAScheduleOfAnotherPipeline) {
    const Schedule schedule = {split(9, "", 3, {own(7), made(""), made("\"\\")}, 2),
                               compute_at(8, "", -1, own(4)),
                               on_stage(DirectiveOp::unroll, -5, "", -1, {made("nowhere")})};
    EXPECT_FALSE(cpp_source(schedule, Dag()).empty());
}

TEST(CppIdentifier, KeepsWhatIsOneAlready) {
    for (const char *name : {"x", "blur_y", "A", "f0", "x_2"}) {
        EXPECT_EQ(cpp_identifier(name), name);
    }
}

TEST(CppIdentifier, ReplacesWhatCppReservesOrCannotSpell) {
    EXPECT_EQ(cpp_identifier("f$1"), "f_1");
    EXPECT_EQ(cpp_identifier("a.b"), "a_b");
    EXPECT_EQ(cpp_identifier("_0"), "v_0");
    EXPECT_EQ(cpp_identifier("3d"), "v3d");
    EXPECT_EQ(cpp_identifier("a__b"), "a_b");
    EXPECT_EQ(cpp_identifier(""), "v");
    EXPECT_EQ(cpp_identifier("float"), "float_");
    EXPECT_EQ(cpp_identifier("pipeline"), "pipeline_");
    EXPECT_EQ(cpp_identifier("target"), "target_");
    EXPECT_EQ(cpp_identifier("NULL"), "NULL_");
    EXPECT_EQ(cpp_identifier("linux"), "linux_");
    EXPECT_EQ(cpp_identifier("\xc3\xa9"), "v_");
}

}  // namespace
}  // namespace autoschedule_gpu
