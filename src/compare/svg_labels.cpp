#include "compare/svg_labels.h"

#include <algorithm>
#include <array>

#include "compare/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kLetterHeight = 11;

struct Place {
    double x, y;  // of the text's base line
    TextAnchor anchor;
    PlotBox box;
};

// Right of the point, left, above, below.
std::array<Place, 4> places(double x, double y, double radius, double width) {
    const double gap = radius + 3, half = kLetterHeight / 2;
    const auto boxed = [&](double left, double baseline) {
        return PlotBox{left, baseline - kLetterHeight + 2, left + width, baseline + 2};
    };
    return {{{x + gap, y + half - 2, TextAnchor::start, boxed(x + gap, y + half - 2)},
             {x - gap, y + half - 2, TextAnchor::end, boxed(x - gap - width, y + half - 2)},
             {x, y - gap, TextAnchor::middle, boxed(x - width / 2, y - gap)},
             {x, y + gap + kLetterHeight - 3, TextAnchor::middle,
              boxed(x - width / 2, y + gap + kLetterHeight - 3)}}};
}

}  // namespace

void SvgLabels::keep_clear(double x, double y) {
    taken_.push_back({x - radius_, y - radius_, x + radius_, y + radius_});
}

void SvgLabels::keep_clear_of_text(double end, double y, const std::string &text) {
    taken_.push_back({end - estimated_width(text), y - kLetterHeight + 2, end, y + 2});
}

std::string SvgLabels::place(double x, double y, const std::string &label) {
    const std::array<Place, 4> candidates = places(x, y, radius_, estimated_width(label));
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
