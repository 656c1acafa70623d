#include "present/html.h"
#include "present/log_scale.h"
#include "present/plot.h"
#include "present/svg_labels.h"
#include "present/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kSize = 440;
constexpr double kScatterRadius = 4;

std::string axes(const ScatterPlot &plot, const LogScale &across, const LogScale &up) {
    const double right = kSize - kPlotRight, bottom = kSize - kPlotBottom;
    std::string text;
    for (const double tick : across.ticks()) {
        const double x = across.at(tick), y = up.at(tick);
        const std::string label = tick_text(tick);
        text += svg_line(x, kPlotTop, x, bottom, "grid") + svg_line(kPlotLeft, y, right, y, "grid");
        text += svg_text(x, bottom + 14, TextAnchor::middle, "tick", label);
        text += svg_text(kPlotLeft - 5, y + 4, TextAnchor::end, "tick", label);
    }
    text += svg_line(kPlotLeft, bottom, right, kPlotTop, "axis");
    text += svg_line(kPlotLeft, bottom, right, bottom, "axis");
    text += svg_line(kPlotLeft, kPlotTop, kPlotLeft, bottom, "axis");
    text += svg_text((kPlotLeft + right) / 2, kSize - 8, TextAnchor::middle, "label",
                     plot.x_name + ", " + plot.unit);
    text += svg_text(4, kPlotTop - 7, TextAnchor::start, "label", plot.y_name + ", " + plot.unit);
    return text;
}

}  // namespace

std::string svg(const ScatterPlot &plot) {
    if (plot.points.empty()) return "";
    // Both axes have the same range, so that the diagonal means equality.
    std::vector<double> values;
    for (const ScatterPoint &point : plot.points) {
        values.push_back(point.x);
        values.push_back(point.y);
    }
    const LogScale across(values, kPlotLeft, kSize - kPlotRight);
    const LogScale up(values, kSize - kPlotBottom, kPlotTop);
    SvgLabels labels({kPlotLeft, 0, kSize, kSize - kPlotBottom}, kScatterRadius);
    std::string content = axes(plot, across, up);
    for (const ScatterPoint &point : plot.points) {
        const double x = across.at(point.x), y = up.at(point.y);
        labels.keep_clear(x, y);
        content += element("circle",
                           {{"cx", coordinate(x)},
                            {"cy", coordinate(y)},
                            {"r", coordinate(kScatterRadius)},
                            {"class", "point " + series_class(plot.series)}},
                           element("title", {}, html_text(point.label))) +
                   "\n";
    }
    for (const ScatterPoint &point : plot.points) {
        content += labels.place(across.at(point.x), up.at(point.y), point.label);
    }
    return svg_frame(kSize, kSize, plot.title + ", " + plot.unit + ", " + plot.better, content);
}

}  // namespace autoschedule_gpu
