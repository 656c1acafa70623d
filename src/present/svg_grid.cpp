#include "present/svg_grid.h"

#include "present/svg_parts.h"

namespace autoschedule_gpu {

std::string svg_grid(const PlotBox &box, const LogScale &across, const LogScale &up) {
    std::string text;
    for (const double tick : across.ticks()) {
        const double x = across.at(tick);
        text += svg_line(x, box.top, x, box.bottom, "grid");
        text += svg_text(x, box.bottom + 14, TextAnchor::middle, "tick", tick_text(tick));
    }
    for (const double tick : up.ticks()) {
        const double y = up.at(tick);
        text += svg_line(box.left, y, box.right, y, "grid");
        text += svg_text(box.left - 5, y + 4, TextAnchor::end, "tick", tick_text(tick));
    }
    text += svg_line(box.left, box.bottom, box.right, box.bottom, "axis");
    return text + svg_line(box.left, box.top, box.left, box.bottom, "axis");
}

}  // namespace autoschedule_gpu
