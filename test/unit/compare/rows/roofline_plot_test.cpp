#include "compare/rows/roofline_plot.h"

#include <gtest/gtest.h>

#include "unit/compare/rows/sample_rows.h"

namespace autoschedule_gpu {
namespace {

size_t count(const std::string &text, const std::string &part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        found++;
    return found;
}

// A knee at 10 operations per byte. The axes reach from 1 to 1.1 * 2 * 50 operations per byte and
// from 50 to 1.1 * 1000 Gop/s.
RooflinePlot plot() {
    return {.title = "roofline",
            .unit = "Gop/s",
            .better = "higher is better",
            .slope_label = "DRAM",
            .slope_gb_per_s = 100,
            .ceilings = {{"peak", 1000}, {"integers", 500}},
            .points = {{"blur", "blur by gpu", 0, PointKind::predicted, 2, 100},
                       {"blur", "blur by manual", 1, PointKind::predicted, 2, 150},
                       {"scan", "scan by gpu", 0, PointKind::measured, 50, 800}}};
}

TEST(RooflineSvg, PutsTheRoofsWhereTheyMeet) {
    const std::string drawing = svg(plot());
    // Across: 60 + 820 * log(x / 1) / log(110). The knee at x = 10 is at 461.7. Up: 516 - 496 *
    // log(y / 50) / log(22): 1000 is at 35.3, 500 at 146.5, 100 at 404.8.
    EXPECT_NE(drawing.find("x1=\"461.7\" y1=\"35.3\" x2=\"880.0\" y2=\"35.3\" class=\"roof\""),
              std::string::npos)
        << drawing;
    EXPECT_NE(drawing.find("x1=\"60.0\" y1=\"404.8\" x2=\"461.7\" y2=\"35.3\" class=\"roof\""),
              std::string::npos)
        << drawing;
    // The ceiling meets the slope at x = 5.
    EXPECT_NE(drawing.find("x1=\"340.8\" y1=\"146.5\" x2=\"880.0\" y2=\"146.5\" class=\"ceiling\""),
              std::string::npos)
        << drawing;
}

TEST(RooflineSvg, MarksEachPointAndLabelsEachApplicationOnce) {
    const std::string drawing = svg(plot());
    EXPECT_EQ(count(drawing, "class=\"point series0\""), 2u);
    EXPECT_EQ(count(drawing, "class=\"point series1\""), 1u);
    EXPECT_EQ(count(drawing, "<title>blur by gpu</title>"), 1u);
    EXPECT_EQ(count(drawing, ">blur</text>"), 1u);
    EXPECT_EQ(count(drawing, ">scan</text>"), 1u);
    // Two circles each of two rings and one disc.
    EXPECT_EQ(count(drawing, "0z"), 2u * 2u + 1u);
    // 181.0, 404.8 is where blur by gpu is.
    EXPECT_NE(drawing.find("M176.4 404.8"), std::string::npos) << drawing;
}

TEST(RooflineSvg, TheSlopeBeginsInsideThePlot) {
    RooflinePlot low = plot();
    low.points[0].x = 0.002;
    const std::string drawing = svg(low);
    EXPECT_NE(drawing.find("y1=\"516.0\" x2=\""), std::string::npos);
    EXPECT_EQ(count(drawing, "class=\"roof\""), 2u);
}

TEST(RooflineSvg, OfNothingIsNothing) {
    EXPECT_EQ(svg(RooflinePlot{}), "");
}

TEST(RooflinePlots, HaveAPointPerTimeUnderTheRoofs) {
    ComparisonRow measured = sample::row("blur", "gpu");
    measured.device = "cuda: invented";
    const std::vector<RooflinePlot> plots =
        roofline_plots({measured, sample::row("blur", "manual"),
                        sample::failed_row("scan", "gpu", FailureKind::crash, "signal 11")});
    ASSERT_EQ(plots.size(), 1u);
    EXPECT_EQ(plots[0].title, "roofline of A100");
    EXPECT_EQ(plots[0].slope_gb_per_s, 1000);
    EXPECT_EQ(plots[0].ceilings[0].gop_per_s, 10000);
    // Half of the peak is both what floats reach that are not fused and what integers do.
    ASSERT_EQ(plots[0].ceilings.size(), 2u);
    EXPECT_EQ(plots[0].ceilings[1].gop_per_s, 5000);
    EXPECT_EQ(plots[0].ceilings[1].label, "integers; floats, not fused: 5000 Gop/s");
    ASSERT_EQ(plots[0].points.size(), 3u);
    EXPECT_EQ(plots[0].points[0].kind, PointKind::predicted);
    EXPECT_DOUBLE_EQ(plots[0].points[0].x, 3);
    EXPECT_DOUBLE_EQ(plots[0].points[0].y, 1500);
    EXPECT_EQ(plots[0].points[1].series, 1u);
    EXPECT_EQ(plots[0].points[2].kind, PointKind::measured);
    EXPECT_DOUBLE_EQ(plots[0].points[2].y, 72);
    EXPECT_EQ(plots[0].points[2].title,
              "blur, gpu: 72.0 Gop/s at 3.00 operations per byte, measured 0.500 ms, 2.40 % of "
              "what is attainable");
}

TEST(RooflinePlots, AreOnePerDevice) {
    ComparisonRow other = sample::row("blur", "gpu");
    other.gpu = "V100";
    other.roofs->dram_gb_per_s = 900;
    const std::vector<RooflinePlot> plots = roofline_plots({sample::row("blur", "gpu"), other});
    ASSERT_EQ(plots.size(), 2u);
    EXPECT_EQ(plots[1].title, "roofline of V100");
    EXPECT_EQ(plots[1].points.size(), 1u);
    EXPECT_TRUE(roofline_plots({sample::bare_row("blur", "gpu")}).empty());
}

}  // namespace
}  // namespace autoschedule_gpu
