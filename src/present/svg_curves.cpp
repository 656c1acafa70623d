#include <algorithm>
#include <vector>

#include "present/html.h"
#include "present/log_scale.h"
#include "present/plot.h"
#include "present/svg_grid.h"
#include "present/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kWidth = 620, kHeight = 340;
constexpr double kLeft = 60, kRight = 20, kTop = 24, kBottom = 44;

struct CurveAxes {
    LogScale across, up;
};

CurveAxes axes_of(const CurvePlot &plot) {
    std::vector<double> xs, ys;
    for (const Curve &curve : plot.curves) {
        xs.push_back(curve.end);
        for (const CurvePoint &point : curve.points) {
            xs.push_back(point.x);
            ys.insert(ys.end(), {point.low, point.high});
        }
    }
    return {LogScale(xs, kLeft, kWidth - kRight), LogScale(ys, kHeight - kBottom, kTop)};
}

std::string frame(const CurvePlot &plot, const CurveAxes &axes) {
    const double right = kWidth - kRight, bottom = kHeight - kBottom;
    std::string text = svg_grid({kLeft, kTop, right, bottom}, axes.across, axes.up);
    text += svg_text((kLeft + right) / 2, kHeight - 8, TextAnchor::middle, "label", plot.x_name);
    return text + svg_text(4, kTop - 9, TextAnchor::start, "label",
                           plot.y_name + ", " + plot.unit + ", logarithmic");
}

struct EndPlace {
    double x, y;
};

// The corners of the steps that a curve makes, from left to right.
template <typename Value>
std::vector<EndPlace> steps(const Curve &curve, const CurveAxes &axes, Value value) {
    std::vector<EndPlace> places;
    for (size_t i = 0; i < curve.points.size(); ++i) {
        const bool is_last = i + 1 == curve.points.size();
        const double y = axes.up.at(curve.points[i].*value);
        const double until = is_last ? curve.end : curve.points[i + 1].x;
        places.push_back({axes.across.at(curve.points[i].x), y});
        places.push_back({axes.across.at(until), y});
    }
    return places;
}

std::string path(const std::vector<EndPlace> &places, const std::string &css_class,
                 const std::string &title) {
    std::string d;
    for (const EndPlace &place : places) {
        d += (d.empty() ? "M" : " L") + coordinate(place.x) + " " + coordinate(place.y);
    }
    return element("path", {{"d", d}, {"class", css_class}},
                   element("title", {}, html_text(title))) +
           "\n";
}

std::string band(const Curve &curve, const CurveAxes &axes) {
    std::vector<EndPlace> around = steps(curve, axes, &CurvePoint::high);
    const std::vector<EndPlace> below = steps(curve, axes, &CurvePoint::low);
    around.insert(around.end(), below.rbegin(), below.rend());
    return path(around, "band " + series_class(curve.series), curve.label);
}

std::string line(const Curve &curve, const CurveAxes &axes) {
    return path(steps(curve, axes, &CurvePoint::middle), "curve " + series_class(curve.series),
                curve.label);
}

}  // namespace

std::string svg(const CurvePlot &plot) {
    const bool is_empty =
        std::ranges::all_of(plot.curves, [](const Curve &curve) { return curve.points.empty(); });
    if (is_empty) return "";
    const CurveAxes axes = axes_of(plot);
    std::string content = frame(plot, axes);
    for (const Curve &curve : plot.curves) content += band(curve, axes);
    for (const Curve &curve : plot.curves) content += line(curve, axes);
    return svg_frame(kWidth, kHeight, plot.title + ", " + plot.unit + ", " + plot.better, content);
}

}  // namespace autoschedule_gpu
