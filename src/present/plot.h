// Plots as data, and as SVG for use in an HTML page, which defines colours and fonts (the classes
// of html_style.h). All scales are logarithmic.
//
//     DotPlot, ScatterPlot, RooflinePlot, CurvePlot ─► svg ─► figures (html_page.h)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autoschedule_gpu {

// How many series have colours of their own. After that colours repeat, which is why points
// are also labelled.
inline constexpr size_t kSeriesColours = 8;

// Returns the CSS class of a series by its position among all: "series0".
std::string series_class(size_t index);

struct PlotDot {
    size_t series = 0;
    std::optional<double> value = {};  // positive; none: only the text is shown
    std::string text = {};             // beside the dot: "12.3 gpu"
};

struct DotGroup {
    std::string label = {};
    std::vector<PlotDot> dots = {};
};

// A line for each value, in groups one below the other, and a dot where it is. A logarithmic scale
// has no zero from which bars could begin.
struct DotPlot {
    std::string title = {};
    std::string unit = {};
    std::string better = {};  // "further left is better"
    std::vector<DotGroup> groups = {};
};

struct ScatterPoint {
    std::string label = {};
    double x = 0;  // both are positive
    double y = 0;
};

// One point per application, and the diagonal on which both values are equal.
struct ScatterPlot {
    std::string title = {};
    std::string unit = {};
    std::string better = {};
    std::string x_name = {};
    std::string y_name = {};
    size_t series = 0;
    std::vector<ScatterPoint> points = {};
};

enum class PointKind : uint8_t { predicted, measured };  // drawn as a ring, and as a disc

// Points of one scheduler and application share a label. It is shown once, at the highest of them,
// and lines connect those of one kind.
struct RooflinePoint {
    std::string label = {};
    std::string title = {};  // of this point alone, shown under the pointer
    size_t series = 0;
    PointKind kind = PointKind::predicted;
    double x = 0;  // operations per byte; x and y are positive
    double y = 0;  // 10^9 operations per second
};

struct RooflineCeiling {
    std::string label = {};
    double gop_per_s = 0;
};

// Performance over intensity under the roofs: the slope of the bandwidth up to the highest ceiling,
// and that ceiling. Lower ceilings are broken lines.
struct RooflinePlot {
    std::string title = {};
    std::string unit = {};
    std::string better = {};
    std::string slope_label = {};
    double slope_gb_per_s = 0;
    std::vector<RooflineCeiling> ceilings = {};  // the highest first; at least one
    std::vector<RooflinePoint> points = {};      // points of one label are adjacent
};

// A value that holds from `x` on until the next point, in the middle of its spread.
struct CurvePoint {
    double x = 0;  // all are positive, and low <= middle <= high
    double low = 0, middle = 0, high = 0;
};

struct Curve {
    std::string label = {};
    size_t series = 0;
    std::vector<CurvePoint> points = {};  // by x
    double end = 0;                       // up to which the last one holds
};

// How values changed, in steps, each in a band.
struct CurvePlot {
    std::string title = {};
    std::string unit = {};
    std::string better = {};
    std::string x_name = {};
    std::string y_name = {};
    std::vector<Curve> curves = {};
};

std::string svg(const DotPlot &plot);
std::string svg(const ScatterPlot &plot);
std::string svg(const RooflinePlot &plot);
std::string svg(const CurvePlot &plot);

}  // namespace autoschedule_gpu
