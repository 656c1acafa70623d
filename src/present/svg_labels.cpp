#include "present/svg_labels.h"

#include <algorithm>
#include <array>

#include "present/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kLetterHeight = 11;

struct Place {
    double x, y;  // where the text's base line begins
    TextAnchor anchor;
    PlotBox box;
};

// Returns the places in order of preference: right of the point, left, above, below, then the
// corners.
std::array<Place, 8> places(double x, double y, double radius, double width) {
    const double gap = radius + 3, beside = y + kLetterHeight / 2 - 2;
    const double above = y - gap, below = y + gap + kLetterHeight - 3;
    const auto at = [&](TextAnchor anchor, double anchor_x, double baseline) {
        const double left = anchor == TextAnchor::start    ? anchor_x
                            : anchor == TextAnchor::middle ? anchor_x - width / 2
                                                           : anchor_x - width;
        const PlotBox box = {left, baseline - kLetterHeight + 2, left + width, baseline + 2};
        return Place{anchor_x, baseline, anchor, box};
    };
    return {at(TextAnchor::start, x + gap, beside),   at(TextAnchor::end, x - gap, beside),
            at(TextAnchor::middle, x, above),         at(TextAnchor::middle, x, below),
            at(TextAnchor::start, x + radius, above), at(TextAnchor::end, x - radius, above),
            at(TextAnchor::start, x + radius, below), at(TextAnchor::end, x - radius, below)};
}

}  // namespace

void SvgLabels::keep_clear(double x, double y) {
    taken_.push_back({x - radius_, y - radius_, x + radius_, y + radius_});
}

void SvgLabels::keep_clear_of_text(double end, double y, const std::string &text) {
    taken_.push_back({end - estimated_width(text), y - kLetterHeight + 2, end, y + 2});
}

std::string SvgLabels::place(double x, double y, const std::string &label) {
    const std::array<Place, 8> candidates = places(x, y, radius_, estimated_width(label));
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [&](const Place &place) { return is_free(place.box); });
    const Place &chosen = found == candidates.end() ? candidates[0] : *found;
    taken_.push_back(chosen.box);
    return svg_text(chosen.x, chosen.y, chosen.anchor, "value", label);
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
