#include "present/graph.h"

#include <gtest/gtest.h>

#include <cmath>

#include "present/graph_layout.h"

namespace autoschedule_gpu {
namespace {

constexpr GraphSizes kSizes = {100, 50};

// 0 feeds 1 and 2, these feed 3, which 0 feeds as well.
Graph diamond() {
    Graph graph;
    graph.boxes.resize(4);
    graph.arrows = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 3}};
    return graph;
}

TEST(GraphLayout, PutsWhatFeedsABoxAboveIt) {
    const Graph graph = diamond();
    const GraphLayout layout = layout_of(graph, kSizes);
    for (const GraphArrow &arrow : graph.arrows) {
        EXPECT_LT(layout.boxes[arrow.from].y + kSizes.box_height, layout.boxes[arrow.to].y);
    }
}

TEST(GraphLayout, KeepsBoxesApartAndInside) {
    Graph graph = diamond();
    graph.boxes.resize(9);
    for (size_t i = 4; i < 9; ++i) graph.arrows.push_back({i - 3, i});
    const GraphLayout layout = layout_of(graph, kSizes);
    for (size_t i = 0; i < layout.boxes.size(); ++i) {
        const auto [x, y] = layout.boxes[i];
        EXPECT_GE(x, 0);
        EXPECT_LE(x + kSizes.box_width, layout.width);
        EXPECT_LE(y + kSizes.box_height, layout.height);
        for (size_t k = 0; k < i; ++k) {
            const auto [other_x, other_y] = layout.boxes[k];
            EXPECT_TRUE(std::abs(x - other_x) >= kSizes.box_width ||
                        std::abs(y - other_y) >= kSizes.box_height)
                << i << " and " << k;
        }
    }
}

TEST(GraphLayout, LeadsLongArrowsPastTheBoxesBetween) {
    const Graph graph = diamond();
    const GraphLayout layout = layout_of(graph, kSizes);
    for (const auto &[x, y] : layout.arrows[4]) {
        for (const size_t box : {1, 2}) {
            const auto [left, top] = layout.boxes[box];
            const bool is_inside =
                x > left && x < left + kSizes.box_width && y > top && y < top + kSizes.box_height;
            EXPECT_FALSE(is_inside) << x << ", " << y;
        }
    }
}

TEST(GraphLayout, PutsASourceRightAboveWhatItFeeds) {
    Graph graph;
    graph.boxes.resize(4);
    graph.arrows = {{0, 1}, {1, 2}, {3, 2}};
    const GraphLayout layout = layout_of(graph, kSizes);
    EXPECT_EQ(layout.boxes[3].y, layout.boxes[1].y);
}

TEST(GraphLayout, EndsForACycle) {
    Graph graph;
    graph.boxes.resize(2);
    graph.arrows = {{0, 1}, {1, 0}};
    EXPECT_EQ(layout_of(graph, kSizes).boxes.size(), 2u);
}

TEST(GraphDrawing, LinksItsBoxes) {
    Graph graph = diamond();
    graph.boxes[0] = {.title = "a <b>", .lines = {"one"}, .link = "#there", .share = 0.5};
    const std::string drawing = svg(graph);
    EXPECT_NE(drawing.find("<a href=\"#there\">"), std::string::npos);
    EXPECT_NE(drawing.find("a &lt;b&gt;"), std::string::npos);
    EXPECT_EQ(svg(Graph()), "");
}

}  // namespace
}  // namespace autoschedule_gpu
