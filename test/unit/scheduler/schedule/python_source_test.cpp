#include "scheduler/schedule/python_source.h"

#include <gtest/gtest.h>

#include "scheduler/schedule/size_sections.h"
#include "unit/scheduler/schedule/example.h"

namespace autoschedule_gpu {
namespace {

using namespace test;

// That it gives the same code as the directives, test/wheel/python_text_test.py says.
TEST(PythonSource, MakesACallForEachDirective) {
    const auto text = python_source(example_schedule(), example_dag(), example_dag());
    ASSERT_TRUE(text) << text.error().message;
    for (const char *line : {
             "def apply_schedule(pipeline):\n    blur = pipeline.get_func(0)\n",
             "    sum_in = sum_1.in_(out)\n    blur_in = blur.in_()\n",
             "    ro = hl.RVar(\"ro\")\n",
             "    out_x = out.args()[0]\n",
             "    sum_1_r_x = sum_1.rvars(0)[0]\n",
             "    out.split(out_x, xb, xi, 64, hl.TailStrategy.ShiftInwards)\n",
             "    sum_1.update(0).fuse(ro, sum_1_r_y, rf)\n",
             "    sum_1.gpu_single_thread()\n",
             "    blur.compute_at(sum_1, rf)\n    blur.store_in(hl.MemoryType.Register)\n",
         }) {
        EXPECT_NE(text->find(line), std::string::npos) << line << "is not in\n" << *text;
    }
    EXPECT_EQ(text->find("conditions"), std::string::npos) << *text;
}

TEST(PythonSource, PutsConditionsInTheirPlaceAtTheEnd) {
    const auto text = python_source(two_branches(), example_dag(), example_dag());
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_NE(text->find("    full_tiles = conditions.for_full_tiles(out, out, [64, 0], [0, "
                         "65535])\n    full_tiles.split("),
              std::string::npos)
        << *text;
    EXPECT_TRUE(text->ends_with("    conditions.settle(pipeline)\n")) << *text;
}

TEST(PythonSource, HasNoNameThatPythonReserves) {
    const auto text =
        python_source({in(3, "lambda", 0), on_func(DirectiveOp::compute_root, 3, "lambda")},
                      example_dag(), example_dag());
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_NE(text->find("    lambda_2 = blur.in_()\n"), std::string::npos) << *text;
}

TEST(PythonSource, OfNoDirectivesIsAFunctionThatDoesNothing) {
    const auto text = python_source({}, example_dag(), example_dag());
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_TRUE(text->ends_with("def apply_schedule(pipeline):\n    pass\n")) << *text;
}

TEST(PythonSource, OfSeveralSizesIsAnError) {
    const Schedule whole = {on_func(DirectiveOp::compute_root, 2, "out")};
    const Schedule schedule = joined_sections(
        {{.extents = {{2, "", 0, 64}}, .schedule = whole}, {.schedule = whole}}, example_dag());
    EXPECT_FALSE(python_source(schedule, example_dag(), example_dag()));
}

}  // namespace
}  // namespace autoschedule_gpu
