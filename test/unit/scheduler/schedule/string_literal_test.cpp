#include "scheduler/schedule/string_literal.h"

#include <gtest/gtest.h>

#include "scheduler/schedule/cpp_source.h"
#include "scheduler/schedule/python_source.h"
#include "unit/scheduler/schedule/example.h"

namespace autoschedule_gpu {
namespace {

using namespace test;

TEST(Quoted, IsALiteralOfCppAndOfPython) {
    EXPECT_EQ(string_literal("in put"), "\"in put\"");
    EXPECT_EQ(string_literal("a\nb"), "\"a\\012b\"");
    EXPECT_EQ(string_literal("7\\\""), "\"7\\134\\042\"");
    EXPECT_EQ(string_literal("?\?/"), "\"?\\077/\"");
    EXPECT_EQ(string_literal("\u00fc\x7f"), "\"\u00fc\\177\"");
}

TEST(Quoted, StandsInACommentOnlyWhereItMust) {
    for (const char *name : {"f", "f$3", "f g", "\u00fc"}) EXPECT_EQ(in_comment(name), name);
    for (const char *name : {"f\\", "f\n", "f\r", "f?\?/"})
        EXPECT_EQ(in_comment(name), string_literal(name));
}

// Func out, which reads an input in vectors, both with names that Halide takes.
TEST(Quoted, KeepsNamesOnTheirLineInSchedules) {
    Dag dag = example_dag();
    const std::string output = "out\nput\\", input = "in\"";
    dag.funcs[3].name = output;
    dag.funcs[3].user_directives = {"compute_root"};
    Schedule schedule = two_branches();
    Directive vectorize =
        in_full_tiles(on_stage(DirectiveOp::vectorize_aligned, 2, output, 0, {made("xt")}));
    vectorize.site_func = 2;
    vectorize.inputs = {{input, 2}};
    schedule.push_back(vectorize);
    const std::string cpp = cpp_source(schedule, dag), python = python_source(schedule, dag, dag);
    const std::string named = "\"out\\012put\\134\"\n";
    EXPECT_NE(cpp.find("{  // " + named), std::string::npos) << cpp;
    EXPECT_NE(python.find("    # " + named), std::string::npos) << python;
    for (const std::string &text : {cpp, python}) {
        EXPECT_NE(text.find("\"in\\042\", 2"), std::string::npos) << text;
        EXPECT_EQ(text.find("\nput"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
