#include "present/html.h"
#include "present/log_scale.h"
#include "present/plot.h"
#include "present/svg_labels.h"
#include "present/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kSize = 440;
constexpr double kLeft = 60, kRight = 20, kTop = 20, kBottom = 44;
constexpr double kRadius = 4;

std::string axes(const ScatterPlot &plot, const LogScale &across, const LogScale &up) {
    const double right = kSize - kRight, bottom = kSize - kBottom;
    std::string text;
    for (const double tick : across.ticks()) {
        const double x = across.at(tick), y = up.at(tick);
        const std::string label = tick_text(tick);
        text += svg_line(x, kTop, x, bottom, "grid") + svg_line(kLeft, y, right, y, "grid");
        text += svg_text(x, bottom + 14, TextAnchor::middle, "tick", label);
        text += svg_text(kLeft - 5, y + 4, TextAnchor::end, "tick", label);
    }
    text += svg_line(kLeft, bottom, right, kTop, "axis");
    text += svg_line(kLeft, bottom, right, bottom, "axis");
    text += svg_line(kLeft, kTop, kLeft, bottom, "axis");
    text += svg_text((kLeft + right) / 2, kSize - 8, TextAnchor::middle, "label",
                     plot.x_name + ", " + plot.unit);
    text += svg_text(4, kTop - 7, TextAnchor::start, "label", plot.y_name + ", " + plot.unit);
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
    const LogScale across(values, kLeft, kSize - kRight);
    const LogScale up(values, kSize - kBottom, kTop);
    SvgLabels labels({kLeft, 0, kSize, kSize - kBottom}, kRadius);
    std::string content = axes(plot, across, up);
    for (const ScatterPoint &point : plot.points) {
        const double x = across.at(point.x), y = up.at(point.y);
        labels.keep_clear(x, y);
        content += element("circle",
                           {{"cx", coordinate(x)},
                            {"cy", coordinate(y)},
                            {"r", coordinate(kRadius)},
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
