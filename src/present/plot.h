// Plots as data, and as SVG to stand inside an HTML page: colours and letters are the page's (the
// classes of html_style.h). Logarithmic scales throughout.
//
//     BarPlot, ScatterPlot, RooflinePlot ─► svg ─► figures (html_page.h)
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

enum class PointKind : uint8_t { predicted, measured };  // a ring, a disc

// What several points have in common is said once: a label at the highest of them, and lines
// between those of a kind.
struct RooflinePoint {
    std::string label = {};
    std::string title = {};  // of this point alone, where the pointer is on it
    size_t series = 0;
    PointKind kind = PointKind::predicted;
    double x = 0;  // operations per byte; positive, as is y
    double y = 0;  // 10^9 operations per second
};

struct RooflineCeiling {
    std::string label = {};
    double gop_per_s = 0;
};

// Performance over intensity under the roofs: the slope of the bandwidth, up to where it meets the
// highest ceiling, and that ceiling; lower ceilings are broken lines.
struct RooflinePlot {
    std::string title = {};
    std::string unit = {};
    std::string better = {};
    std::string slope_label = {};
    double slope_gb_per_s = 0;
    std::vector<RooflineCeiling> ceilings = {};  // the highest first; one at least
    std::vector<RooflinePoint> points = {};      // those of one label together
};

std::string svg(const BarPlot &plot);
std::string svg(const ScatterPlot &plot);
std::string svg(const RooflinePlot &plot);

}  // namespace autoschedule_gpu
