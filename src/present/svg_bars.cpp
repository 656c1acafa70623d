#include <algorithm>

#include "present/html.h"
#include "present/log_scale.h"
#include "present/plot.h"
#include "present/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kWidth = 720;
constexpr double kBar = 11;   // height
constexpr double kStep = 13;  // distance from bar to bar
constexpr double kGroupGap = 9;
constexpr double kAxis = 24;       // above and below the bars
constexpr double kLetterDrop = 9;  // from a bar's top to the base line of its text
constexpr double kGap = 5;
constexpr double kLeastBars = 200;

struct Frame {
    double left, right;  // of the bars
    double height;
};

Frame frame_of(const BarPlot &plot) {
    double labels = 0, texts = 0, height = 2 * kAxis;
    for (const BarGroup &group : plot.groups) {
        labels = std::max(labels, estimated_width(group.label));
        height += kStep * static_cast<double>(group.bars.size()) + kGroupGap;
        for (const PlotBar &bar : group.bars) {
            if (bar.value) texts = std::max(texts, estimated_width(bar.text));
        }
    }
    const double left = labels + 2 * kGap;
    return {left, std::max(left + kLeastBars, kWidth - texts - 2 * kGap), height};
}

std::string axes(const BarPlot &plot, const LogScale &scale, const Frame &frame) {
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

std::string drawn(const PlotBar &bar, const LogScale &scale, double left, double y) {
    double end = left;
    std::string text;
    if (bar.value) {
        end = scale.at(*bar.value);
        text += empty_element("rect", {{"x", coordinate(left)},
                                       {"y", coordinate(y)},
                                       {"width", coordinate(end - left)},
                                       {"height", coordinate(kBar)},
                                       {"class", "bar " + series_class(bar.series)}}) +
                "\n";
    }
    return text + svg_text(end + kGap, y + kLetterDrop, TextAnchor::start, "value", bar.text);
}

}  // namespace

std::string series_class(size_t index) {
    return "series" + std::to_string(index % kSeriesColours);
}

std::string svg(const BarPlot &plot) {
    std::vector<double> values;
    for (const BarGroup &group : plot.groups) {
        for (const PlotBar &bar : group.bars) {
            if (bar.value) values.push_back(*bar.value);
        }
    }
    if (values.empty()) return "";
    const Frame frame = frame_of(plot);
    const LogScale scale(values, frame.left, frame.right);
    std::string content = axes(plot, scale, frame);
    double y = kAxis + kGroupGap / 2;
    for (const BarGroup &group : plot.groups) {
        content +=
            svg_text(frame.left - kGap, y + kLetterDrop, TextAnchor::end, "label", group.label);
        for (const PlotBar &bar : group.bars) {
            content += drawn(bar, scale, frame.left, y);
            y += kStep;
        }
        y += kGroupGap;
    }
    return svg_frame(std::max(kWidth, frame.right), frame.height,
                     plot.title + ", " + plot.unit + ", " + plot.better, content);
}

}  // namespace autoschedule_gpu
