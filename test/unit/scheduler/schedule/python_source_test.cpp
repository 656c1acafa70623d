#include "scheduler/schedule/python_source.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "scheduler/schedule/size_sections.h"
#include "unit/scheduler/schedule/example.h"

namespace autoschedule_gpu {
namespace {

using namespace test;

// That it gives the same code as the directives, test/wheel/python_text_test.py says.
TEST(PythonSource, MakesACallForEachDirective) {
    const auto text = python_source(example_schedule(), example_dag(), example_dag());
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
        EXPECT_NE(text.find(line), std::string::npos) << line << "is not in\n" << text;
    }
    EXPECT_EQ(text.find("conditions"), std::string::npos) << text;
}

TEST(PythonSource, PutsConditionsInTheirPlaceAtTheEnd) {
    const auto text = python_source(two_branches(), example_dag(), example_dag());
    EXPECT_NE(text.find("    full_tiles = conditions.for_full_tiles(out, out, [64, 0], [0, "
                        "65535])\n    full_tiles.split("),
              std::string::npos)
        << text;
    EXPECT_TRUE(text.ends_with("    conditions.settle(pipeline)\n")) << text;
    const std::string rows =
        python_source({specialize_rows_of_sum()}, example_dag(), example_dag());
    EXPECT_NE(rows.find("for_full_tiles(sum_1.update(0), sum_1, [0, 0, 1], [0, 0, 9], 1, "
                        "[sum_1_r_y])"),
              std::string::npos)
        << rows;
}

TEST(PythonSource, NamesTheBuffersOfPixelsThatMustBeginAligned) {
    Schedule schedule = two_branches();
    schedule.push_back(vectorize_pixels_of_out());
    const auto text = python_source(schedule, example_dag(), example_dag());
    EXPECT_NE(text.find("], [out.name(), \"in\"]).vectorize(xt)\n"), std::string::npos) << text;
}

TEST(PythonSource, HasNoNameThatPythonReserves) {
    const auto text =
        python_source({in(3, "lambda", 0), on_func(DirectiveOp::compute_root, 3, "lambda")},
                      example_dag(), example_dag());
    EXPECT_NE(text.find("    lambda_2 = blur.in_()\n"), std::string::npos) << text;
}

TEST(PythonSource, OfNoDirectivesIsAFunctionThatDoesNothing) {
    const auto text = python_source({}, example_dag(), example_dag());
    EXPECT_TRUE(text.ends_with("def apply_schedule(pipeline):\n    pass\n")) << text;
}

TEST(PythonSource, OfSeveralSizesIsAFunctionForEach) {
    const Schedule large = two_branches(), small = {on_func(DirectiveOp::compute_root, 2, "out")};
    const Schedule schedule = joined_sections(
        {{.extents = {{2, "", 0, 64}, {-1, "in", 1, 32}}, .schedule = large}, {.schedule = small}},
        example_dag());
    const auto dag = std::make_shared<const Dag>(example_dag());
    const auto text = python_source(schedule, *dag, {dag, dag});
    EXPECT_NE(text.find("from autoschedule_gpu import conditions, sizes\n"), std::string::npos);
    EXPECT_NE(text.find("\n\ndef schedule_0(pipeline):\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\n\ndef schedule_1(pipeline):\n    out = pipeline.get_func(2)\n"),
              std::string::npos)
        << text;
    EXPECT_TRUE(text.ends_with(R"(

def apply_schedule(pipeline):
    copy_0 = sizes.copy_for_sizes(pipeline, 0)
    extents_0 = [(pipeline.get_func(2).output_buffers()[0].name(), 0, 64), ("in", 1, 32)]
    schedule_0(copy_0)
    schedule_1(pipeline)
    sizes.compute_as_in(copy_0, pipeline, extents_0)

    # What Halide's Python binding can't say.
    conditions.settle(pipeline)
)")) << text;
}

}  // namespace
}  // namespace autoschedule_gpu
