#include "present/svg_labels.h"

#include <algorithm>
#include <vector>

#include "present/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kLetterHeight = 11;
constexpr double kAside = 22;  // of a label that is not next to its point
constexpr int kColumn = 12;
constexpr size_t kNextTo = 8;  // places that need no line to the point

struct LabelPlace {
    double x, y;  // where the text's base line begins
    TextAnchor anchor;
    PlotBox box;
};

LabelPlace place_at(TextAnchor anchor, double x, double baseline, double width) {
    const double left = anchor == TextAnchor::start    ? x
                        : anchor == TextAnchor::middle ? x - width / 2
                                                       : x - width;
    return {x, baseline, anchor, {left, baseline - kLetterHeight + 2, left + width, baseline + 2}};
}

// Returns the places in order of preference: right of the point, left, above, below, the corners;
// then further up and down on both sides, in a column.
std::vector<LabelPlace> places(double x, double y, double radius, double width) {
    const double gap = radius + 3, beside = y + kLetterHeight / 2 - 2;
    const double above = y - gap, below = y + gap + kLetterHeight - 3;
    const auto at = [&](TextAnchor anchor, double anchor_x, double baseline) {
        return place_at(anchor, anchor_x, baseline, width);
    };
    std::vector<LabelPlace> result = {
        at(TextAnchor::start, x + gap, beside),   at(TextAnchor::end, x - gap, beside),
        at(TextAnchor::middle, x, above),         at(TextAnchor::middle, x, below),
        at(TextAnchor::start, x + radius, above), at(TextAnchor::end, x - radius, above),
        at(TextAnchor::start, x + radius, below), at(TextAnchor::end, x - radius, below)};
    for (int i = 1; i <= kColumn; ++i) {
        for (const double drop : {-(kLetterHeight + 2) * i, (kLetterHeight + 2) * i}) {
            result.push_back(at(TextAnchor::start, x + kAside, beside + drop));
            result.push_back(at(TextAnchor::end, x - kAside, beside + drop));
        }
    }
    return result;
}

}  // namespace

void SvgLabels::keep_clear(double x, double y) {
    taken_.push_back({x - radius_, y - radius_, x + radius_, y + radius_});
}

void SvgLabels::keep_clear_of_text(double end, double y, const std::string &text) {
    taken_.push_back({end - estimated_width(text), y - kLetterHeight + 2, end, y + 2});
}

std::string SvgLabels::place(double x, double y, const std::string &label) {
    const std::vector<LabelPlace> candidates = places(x, y, radius_, estimated_width(label));
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [&](const LabelPlace &place) { return is_free(place.box); });
    if (found == candidates.end()) return "";
    taken_.push_back(found->box);
    const std::string text = svg_text(found->x, found->y, found->anchor, "value", label);
    if (found - candidates.begin() < static_cast<std::ptrdiff_t>(kNextTo)) return text;
    return svg_line(x, y, found->x, found->y - kLetterHeight / 2 + 2, "grid") + text;
}

bool SvgLabels::is_free(const PlotBox &box) const {
    if (box.left < bounds_.left || box.right > bounds_.right || box.top < bounds_.top ||
        box.bottom > bounds_.bottom) {
        return false;
    }
    return std::none_of(taken_.begin(), taken_.end(),
                        [&](const PlotBox &other) { return box.overlaps(other); });
}

}  // namespace autoschedule_gpu
