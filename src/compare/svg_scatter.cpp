#include <algorithm>
#include <array>

#include "compare/html.h"
#include "compare/log_scale.h"
#include "compare/plot.h"
#include "compare/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kSize = 440;
constexpr double kLeft = 60, kRight = 20, kTop = 20, kBottom = 44;
constexpr double kRadius = 4;
constexpr double kLetterHeight = 11;

struct Box {
    double left, top, right, bottom;

    bool overlaps(const Box &other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

struct Place {
    double x, y;  // of the text's base line
    TextAnchor anchor;
    Box box;
};

// Right of the point, left, above, below.
std::array<Place, 4> places(double x, double y, double width) {
    const double gap = kRadius + 3, half = kLetterHeight / 2;
    const auto boxed = [&](double left, double baseline) {
        return Box{left, baseline - kLetterHeight + 2, left + width, baseline + 2};
    };
    return {{{x + gap, y + half - 2, TextAnchor::start, boxed(x + gap, y + half - 2)},
             {x - gap, y + half - 2, TextAnchor::end, boxed(x - gap - width, y + half - 2)},
             {x, y - gap, TextAnchor::middle, boxed(x - width / 2, y - gap)},
             {x, y + gap + kLetterHeight - 3, TextAnchor::middle,
              boxed(x - width / 2, y + gap + kLetterHeight - 3)}}};
}

// Labels where they hide no other label and no point; where there is no such place, to the right.
class Labels {
public:
    void keep_clear(double x, double y) {
        taken_.push_back({x - kRadius, y - kRadius, x + kRadius, y + kRadius});
    }

    std::string place(double x, double y, const std::string &label) {
        const std::array<Place, 4> candidates = places(x, y, estimated_width(label));
        const auto found = std::find_if(candidates.begin(), candidates.end(),
                                        [&](const Place &place) { return is_free(place.box); });
        const Place &chosen = found == candidates.end() ? candidates[0] : *found;
        taken_.push_back(chosen.box);
        return svg_text(chosen.x, chosen.y, chosen.anchor, "value", label);
    }

private:
    bool is_free(const Box &box) const {
        if (box.left < kLeft || box.right > kSize || box.top < 0 || box.bottom > kSize - kBottom) {
            return false;
        }
        return std::none_of(taken_.begin(), taken_.end(),
                            [&](const Box &other) { return box.overlaps(other); });
    }

    std::vector<Box> taken_;
};

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
    // One range for both axes, so that the diagonal means equality.
    std::vector<double> values;
    for (const ScatterPoint &point : plot.points) {
        values.push_back(point.x);
        values.push_back(point.y);
    }
    const LogScale across(values, kLeft, kSize - kRight);
    const LogScale up(values, kSize - kBottom, kTop);
    Labels labels;
    std::string content = axes(plot, across, up);
    for (const ScatterPoint &point : plot.points) {
        const double x = across.at(point.x), y = up.at(point.y);
        labels.keep_clear(x, y);
        content += empty_element("circle", {{"cx", coordinate(x)},
                                            {"cy", coordinate(y)},
                                            {"r", coordinate(kRadius)},
                                            {"class", "point " + series_class(plot.series)}}) +
                   "\n";
    }
    for (const ScatterPoint &point : plot.points) {
        content += labels.place(across.at(point.x), up.at(point.y), point.label);
    }
    return svg_frame(kSize, kSize, plot.title + ", " + plot.unit + ", " + plot.better, content);
}

}  // namespace autoschedule_gpu
