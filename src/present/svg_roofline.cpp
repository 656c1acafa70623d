#include <algorithm>
#include <map>

#include "present/html.h"
#include "present/log_scale.h"
#include "present/plot.h"
#include "present/svg_grid.h"
#include "present/svg_labels.h"
#include "present/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kPlotWidth = 900, kPlotHeight = 560;
constexpr double kPointRadius = 4.5, kPointHole = 2.8;
constexpr double kNameGap = 6;  // between a roof and its name

struct RooflineAxes {
    LogScale across, up;
    double least_x, greatest_x;  // ends of the axis
};

// Returns axes that hold all points and the place where the roofs meet.
RooflineAxes roofline_axes(const RooflinePlot &plot) {
    std::vector<double> xs, ys;
    for (const RooflineCeiling &ceiling : plot.ceilings) {
        xs.push_back(ceiling.gop_per_s / plot.slope_gb_per_s);
        ys.push_back(ceiling.gop_per_s);
    }
    for (const RooflinePoint &point : plot.points) {
        xs.push_back(point.x);
        ys.push_back(point.y);
    }
    // The axis goes on to the right, so that some of the flat roof is visible.
    xs.push_back(2 * *std::max_element(xs.begin(), xs.end()));
    const auto [least, greatest] = std::minmax_element(xs.begin(), xs.end());
    return {LogScale(xs, kPlotLeft, kPlotWidth - kPlotRight),
            LogScale(ys, kPlotHeight - kPlotBottom, kPlotTop), *least / 2, *greatest};
}

std::string frame(const RooflinePlot &plot, const RooflineAxes &axes) {
    const double right = kPlotWidth - kPlotRight, bottom = kPlotHeight - kPlotBottom;
    std::string text = svg_grid({kPlotLeft, kPlotTop, right, bottom}, axes.across, axes.up);
    text += svg_text((kPlotLeft + right) / 2, kPlotHeight - 8, TextAnchor::middle, "label",
                     "operational intensity, useful operations per byte of DRAM");
    text += svg_text(4, kPlotTop - 7, TextAnchor::start, "label", plot.unit);
    return text;
}

// Returns the roofs. The slope may enter the plot from below, so it begins where it is inside.
std::string roofs(const RooflinePlot &plot, const RooflineAxes &axes, SvgLabels &labels) {
    const double right = kPlotWidth - kPlotRight, bottom = kPlotHeight - kPlotBottom;
    std::string text;
    const auto name = [&](double end, double y, const std::string &label) {
        labels.keep_clear_of_text(end, y, label);
        text += svg_text(end, y, TextAnchor::end, "tick", label);
    };
    for (size_t i = 0; i < plot.ceilings.size(); i++) {
        const RooflineCeiling &ceiling = plot.ceilings[i];
        const double x = axes.across.at(ceiling.gop_per_s / plot.slope_gb_per_s);
        const double y = axes.up.at(ceiling.gop_per_s);
        text += svg_line(x, y, right, y, i == 0 ? "roof" : "ceiling");
        // There are no points above the slope.
        const bool outside = i > 0 && x - estimated_width(ceiling.label) > kPlotLeft + kNameGap;
        outside ? name(x - kNameGap, y + 4, ceiling.label) : name(right, y - 4, ceiling.label);
    }
    const double peak = plot.ceilings[0].gop_per_s, knee = peak / plot.slope_gb_per_s;
    double x = kPlotLeft, y = axes.up.at(axes.least_x * plot.slope_gb_per_s);
    const double knee_x = axes.across.at(knee), knee_y = axes.up.at(peak);
    if (y > bottom) {
        x += (knee_x - x) * (y - bottom) / (y - knee_y);
        y = bottom;
    }
    text += svg_line(x, y, knee_x, knee_y, "roof");
    const double label_x = x + (knee_x - x) / 3, label_y = y + (knee_y - y) / 3;
    name(label_x - kNameGap, label_y - kNameGap, plot.slope_label);
    return text;
}

// Returns a disc, or a ring: two circles of which the inner one is left out.
std::string mark(const RooflinePoint &point, double x, double y) {
    const auto circle = [&](double radius) {
        const std::string r = coordinate(radius);
        const std::string half = "a" + r + " " + r + " 0 1 0 ";
        return "M" + coordinate(x - radius) + " " + coordinate(y) + half + coordinate(2 * radius) +
               " 0" + half + coordinate(-2 * radius) + " 0z";
    };
    const bool ring = point.kind == PointKind::predicted;
    return element("path",
                   {{"d", circle(kPointRadius) + (ring ? circle(kPointHole) : "")},
                    {"fill-rule", "evenodd"},
                    {"class", "point " + series_class(point.series)}},
                   element("title", {}, html_text(point.title))) +
           "\n";
}

// Returns a line from a point to the one before it, if they have the same label and kind.
std::string link(const RooflinePlot &plot, size_t i, const RooflineAxes &axes) {
    if (i == 0) return "";
    const RooflinePoint &from = plot.points[i - 1], &to = plot.points[i];
    if (from.label != to.label || from.kind != to.kind) return "";
    return svg_line(axes.across.at(from.x), axes.up.at(from.y), axes.across.at(to.x),
                    axes.up.at(to.y), "axis");
}

// Returns the highest point of each label.
std::map<std::string, const RooflinePoint *> labelled(const RooflinePlot &plot) {
    std::map<std::string, const RooflinePoint *> highest;
    for (const RooflinePoint &point : plot.points) {
        const RooflinePoint *&known = highest[point.label];
        if (known == nullptr || point.y > known->y) known = &point;
    }
    return highest;
}

}  // namespace

std::string svg(const RooflinePlot &plot) {
    if (plot.points.empty()) return "";
    const RooflineAxes axes = roofline_axes(plot);
    SvgLabels labels({kPlotLeft, 0, kPlotWidth, kPlotHeight - kPlotBottom}, kPointRadius);
    std::string content = frame(plot, axes) + roofs(plot, axes, labels);
    for (size_t i = 0; i < plot.points.size(); i++) content += link(plot, i, axes);
    for (const RooflinePoint &point : plot.points) {
        const double x = axes.across.at(point.x), y = axes.up.at(point.y);
        labels.keep_clear(x, y);
        content += mark(point, x, y);
    }
    for (const auto &[label, point] : labelled(plot)) {
        content += labels.place(axes.across.at(point->x), axes.up.at(point->y), label);
    }
    return svg_frame(kPlotWidth, kPlotHeight, plot.title + ", " + plot.unit + ", " + plot.better,
                     content);
}

}  // namespace autoschedule_gpu
