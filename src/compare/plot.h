// Plots as data, and as SVG to stand inside an HTML page: colours and letters are the page's (the
// classes of html_style.h). Logarithmic scales throughout.
//
//     plots_of_rows ─► BarPlot, ScatterPlot ─► svg
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autoschedule_gpu {

// How many series have a colour of their own. Colours come again after that; bars and points are
// labelled too.
inline constexpr size_t kSeriesColours = 8;

// CSS class of a series by its place among all: "series0".
std::string series_class(size_t index);

struct PlotBar {
    size_t series = 0;
    std::optional<double> value = {};  // positive; empty: only the text
    std::string text = {};             // beside the bar: "12.3 gpu"
};

struct BarGroup {
    std::string label = {};
    std::vector<PlotBar> bars = {};
};

// Horizontal bars, in groups one below the other.
struct BarPlot {
    std::string title = {};
    std::string unit = {};
    std::string better = {};  // "shorter is better"
    std::vector<BarGroup> groups = {};
};

struct ScatterPoint {
    std::string label = {};
    double x = 0;  // positive, both
    double y = 0;
};

// One point per application, and the diagonal on which both are equal.
struct ScatterPlot {
    std::string title = {};
    std::string unit = {};
    std::string better = {};
    std::string x_name = {};
    std::string y_name = {};
    size_t series = 0;
    std::vector<ScatterPoint> points = {};
};

std::string svg(const BarPlot &plot);
std::string svg(const ScatterPlot &plot);

}  // namespace autoschedule_gpu
