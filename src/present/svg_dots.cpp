#include <algorithm>

#include "present/html.h"
#include "present/log_scale.h"
#include "present/plot.h"
#include "present/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kDotsWidth = 720;
constexpr double kDotRadius = 4;
constexpr double kStep = 14;  // distance from line to line
constexpr double kGroupGap = 9;
constexpr double kAxis = 24;       // above and below the lines
constexpr double kLetterDrop = 4;  // from a line to the base line of its text
constexpr double kGap = 5;
constexpr double kLeastLines = 200;

struct Frame {
    double left, right;  // of the lines
    double width, height;
};

Frame frame_of(const DotPlot &plot) {
    double labels = 0, texts = 0, remarks = 0, height = 2 * kAxis;
    for (const DotGroup &group : plot.groups) {
        labels = std::max(labels, estimated_bold_width(group.label));
        height += kStep * static_cast<double>(group.dots.size()) + kGroupGap;
        for (const PlotDot &dot : group.dots) {
            double &widest = dot.value ? texts : remarks;
            widest = std::max(widest, estimated_width(dot.text));
        }
    }
    const double left = labels + 2 * kGap;
    const double behind = texts + kDotRadius + 2 * kGap;
    const double right = std::max(left + kLeastLines, kDotsWidth - behind);
    return {left, right, std::max(right + behind, left + remarks + 2 * kGap), height};
}

std::string axes(const DotPlot &plot, const LogScale &scale, const Frame &frame) {
    std::string text;
    for (const double tick : scale.ticks()) {
        const double x = scale.at(tick);
        const std::string label = tick_text(tick);
        text += svg_line(x, kAxis - 4, x, frame.height - kAxis, "grid");
        text += svg_text(x, kAxis - 8, TextAnchor::middle, "tick", label);
        text += svg_text(x, frame.height - kAxis + 13, TextAnchor::middle, "tick", label);
    }
    text += svg_line(frame.left, kAxis - 4, frame.left, frame.height - kAxis, "axis");
    text += svg_text(0, kAxis - 8, TextAnchor::start, "tick", plot.unit);
    return text;
}

// What has no value has its text where the lines begin.
std::string drawn(const PlotDot &dot, const LogScale &scale, const Frame &frame, double y) {
    const double x = dot.value ? scale.at(*dot.value) : frame.left - kDotRadius;
    std::string text = svg_line(frame.left, y, frame.right, y, "row");
    if (dot.value) {
        text += empty_element("circle", {{"cx", coordinate(x)},
                                         {"cy", coordinate(y)},
                                         {"r", coordinate(kDotRadius)},
                                         {"class", "point " + series_class(dot.series)}}) +
                "\n";
    }
    return text +
           svg_text(x + kDotRadius + kGap, y + kLetterDrop, TextAnchor::start, "value", dot.text);
}

}  // namespace

std::string series_class(size_t index) {
    return "series" + std::to_string(index % kSeriesColours);
}

std::string svg(const DotPlot &plot) {
    std::vector<double> values;
    for (const DotGroup &group : plot.groups) {
        for (const PlotDot &dot : group.dots) {
            if (dot.value) values.push_back(*dot.value);
        }
    }
    if (values.empty()) return "";
    const Frame frame = frame_of(plot);
    const LogScale scale(values, frame.left, frame.right);
    std::string content = axes(plot, scale, frame);
    double y = kAxis + kGroupGap / 2 + kStep / 2;
    for (const DotGroup &group : plot.groups) {
        content +=
            svg_text(frame.left - kGap, y + kLetterDrop, TextAnchor::end, "label", group.label);
        for (const PlotDot &dot : group.dots) {
            content += drawn(dot, scale, frame, y);
            y += kStep;
        }
        y += kGroupGap;
    }
    return svg_frame(frame.width, frame.height, plot.title + ", " + plot.unit + ", " + plot.better,
                     content);
}

}  // namespace autoschedule_gpu
