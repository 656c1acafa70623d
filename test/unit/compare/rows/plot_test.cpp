#include "present/plot.h"

#include <gtest/gtest.h>

#include "present/log_scale.h"
#include "present/round_ticks.h"

namespace autoschedule_gpu {
namespace {

TEST(LogScale, PutsEqualRatiosAtEqualDistances) {
    const LogScale scale({2, 100 / 1.1}, 0, 200);  // from 1 to 100
    EXPECT_NEAR(scale.at(1), 0, 1e-9);
    EXPECT_NEAR(scale.at(10), 100, 1e-9);
    EXPECT_NEAR(scale.at(100), 200, 1e-9);
}

TEST(LogScale, ShowsTheLeastValue) {
    EXPECT_GT(LogScale({5, 5000}, 0, 100).at(5), 0);
    EXPECT_GT(LogScale({5}, 0, 100).at(5), 0);
}

TEST(LogScale, NamesRoundValues) {
    EXPECT_EQ(LogScale({2, 90}, 0, 1).ticks(), (std::vector<double>{1, 2, 5, 10, 20, 50}));
    EXPECT_EQ(LogScale({2, 90000}, 0, 1).ticks(), (std::vector<double>{1, 10, 100, 1000, 10000}));
}

TEST(LogScale, NamesAFewValuesOfAnyRange) {
    for (const double greatest : {1.0, 1e3, 1e6, 1e12, 1e30}) {
        const size_t ticks = LogScale({1, greatest}, 0, 1).ticks().size();
        EXPECT_GE(ticks, 1u) << greatest;
        EXPECT_LE(ticks, 10u) << greatest;
    }
}

TEST(RoundTicks, AreMultiplesOfAStep) {
    EXPECT_EQ(round_ticks(26, 8), (std::vector<int64_t>{0, 5, 10, 15, 20, 25}));
    EXPECT_EQ(round_ticks(3, 8), (std::vector<int64_t>{0, 1, 2, 3}));
    EXPECT_EQ(round_ticks(1000, 4), (std::vector<int64_t>{0, 500, 1000}));
    for (const int64_t last : {1, 7, 99, 12345, 1000000}) {
        EXPECT_LE(round_ticks(last, 8).size(), 9u) << last;
        EXPECT_GE(round_ticks(last, 8).size(), 2u) << last;
    }
}

TEST(Plot, OfNothingIsNothing) {
    EXPECT_EQ(svg(DotPlot{}), "");
    EXPECT_EQ(svg(ScatterPlot{}), "");
}

TEST(Plot, RepeatsColoursAfterTheLast) {
    EXPECT_EQ(series_class(3), "series3");
    EXPECT_EQ(series_class(kSeriesColours + 3), "series3");
}

TEST(Plot, DrawsADotPerValueAndATextPerLine) {
    const DotPlot plot = {
        .title = "run time",
        .unit = "ms",
        .better = "further left is better",
        .groups = {{"blur", {{0, 1.0, "1.00 gpu"}, {1, {}, "manual: failed (crash)"}}}}};
    const std::string drawing = svg(plot);
    EXPECT_EQ(drawing.find("<circle"), drawing.rfind("<circle"));
    EXPECT_NE(drawing.find(">1.00 gpu</text>"), std::string::npos);
    EXPECT_NE(drawing.find(">manual: failed (crash)</text>"), std::string::npos);
    EXPECT_NE(drawing.find("<title>run time, ms, further left is better</title>"),
              std::string::npos);
}

TEST(Plot, DrawsACurveInStepsAndItsBand) {
    const CurvePlot plot = {
        .title = "best so far",
        .unit = "ms",
        .better = "lower is better",
        .curves = {
            {.label = "random", .series = 2, .points = {{1, 3, 4, 5}, {4, 1, 2, 3}}, .end = 8}}};
    const std::string drawing = svg(plot);
    EXPECT_NE(drawing.find("class=\"band series2\""), std::string::npos);
    const size_t line = drawing.find("class=\"curve series2\"");
    ASSERT_NE(line, std::string::npos);
    // Along, down, along.
    const std::string path = drawing.substr(drawing.rfind("<path", line), line);
    EXPECT_EQ(std::count(path.begin(), path.begin() + static_cast<long>(path.find('>')), 'L'), 3);
    EXPECT_EQ(svg(CurvePlot{}), "");
}

TEST(Plot, LabelsPointsThatLieOnEachOther) {
    ScatterPlot plot = {.title = "run time", .unit = "ms", .x_name = "manual", .y_name = "gpu"};
    for (int i = 0; i < 6; i++) plot.points.push_back({"blur" + std::to_string(i), 1, 1});
    const std::string drawing = svg(plot);
    for (const ScatterPoint &point : plot.points) {
        EXPECT_NE(drawing.find(">" + point.label + "</text>"), std::string::npos);
    }
}

}  // namespace
}  // namespace autoschedule_gpu
