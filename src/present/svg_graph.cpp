#include <algorithm>

#include "present/graph.h"
#include "present/graph_layout.h"
#include "present/html.h"
#include "present/svg_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr double kPadding = 9, kLine = 14, kTitleLine = 17, kLeastWidth = 110, kMarkHeight = 4;
constexpr double kThinnest = 1.2, kThickest = 7;

GraphSizes sizes_of(const Graph &graph) {
    GraphSizes sizes{kLeastWidth, kTitleLine};
    size_t lines = 0;
    for (const GraphBox &box : graph.boxes) {
        lines = std::max(lines, box.lines.size());
        sizes.box_width = std::max(sizes.box_width, estimated_bold_width(box.title) + 2 * kPadding);
        for (const std::string &line : box.lines) {
            sizes.box_width = std::max(sizes.box_width, estimated_width(line) + 2 * kPadding);
        }
    }
    sizes.box_height = kTitleLine + kLine * static_cast<double>(lines) + kPadding + kMarkHeight;
    return sizes;
}

// A smooth line through the points, which goes straight down at each.
std::string path_of(const std::vector<GraphPoint> &points) {
    const auto text = [](double x, double y) { return coordinate(x) + " " + coordinate(y); };
    std::string path = "M" + text(points[0].x, points[0].y);
    for (size_t i = 1; i < points.size(); ++i) {
        const auto [x1, y1] = points[i - 1];
        const auto [x2, y2] = points[i];
        const double middle = (y1 + y2) / 2;
        path += "C" + text(x1, middle) + " " + text(x2, middle) + " " + text(x2, y2);
    }
    return path;
}

std::string arrow_text(const GraphArrow &arrow, const std::vector<GraphPoint> &points) {
    const double width = kThinnest + (kThickest - kThinnest) * std::clamp(arrow.share, 0.0, 1.0);
    return element(
               "path",
               {{"d", path_of(points)}, {"class", "arrow"}, {"stroke-width", coordinate(width)}},
               element("title", {}, html_text(arrow.title))) +
           "\n";
}

std::string box_text(const GraphBox &box, const GraphPoint &at, const GraphSizes &sizes) {
    const auto rectangle = [&](double y, double width, double height, const std::string &name) {
        return empty_element("rect", {{"x", coordinate(at.x)},
                                      {"y", coordinate(y)},
                                      {"width", coordinate(width)},
                                      {"height", coordinate(height)},
                                      {"class", name}}) +
               "\n";
    };
    std::string text = rectangle(at.y, sizes.box_width, sizes.box_height, "box " + box.css_class);
    if (box.share > 0) {
        text += rectangle(at.y + sizes.box_height - kMarkHeight, sizes.box_width * box.share,
                          kMarkHeight, "mark");
    }
    double y = at.y + kTitleLine;
    text += svg_text(at.x + kPadding, y, TextAnchor::start, "label", box.title);
    for (const std::string &line : box.lines) {
        y += kLine;
        text += svg_text(at.x + kPadding, y, TextAnchor::start, "tick", line);
    }
    return box.link.empty() ? text : element("a", {{"href", box.link}}, "\n" + text) + "\n";
}

}  // namespace

std::string svg(const Graph &graph) {
    if (graph.boxes.empty()) return "";
    const GraphSizes sizes = sizes_of(graph);
    const GraphLayout layout = layout_of(graph, sizes);
    std::string content;
    for (size_t i = 0; i < graph.arrows.size(); ++i) {
        content += arrow_text(graph.arrows[i], layout.arrows[i]);
    }
    for (size_t i = 0; i < graph.boxes.size(); ++i) {
        content += box_text(graph.boxes[i], layout.boxes[i], sizes);
    }
    return svg_frame(layout.width, layout.height, graph.title, content);
}

}  // namespace autoschedule_gpu
