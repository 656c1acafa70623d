// A graph without cycles, drawn in layers from top to bottom: what feeds a box stands above it.
//
//     Graph ─► layers (the longest way from a source) ─► order in each layer ─► SVG
//
// The layout is that of Sugiyama et al. (1981) in its simplest form; pages must not need a program
// that draws, and graphs of kernels have some tens of boxes.
#pragma once

#include <string>
#include <vector>

namespace autoschedule_gpu {

struct GraphBox {
    std::string title = {};
    std::vector<std::string> lines = {};  // below the title
    std::string link = {};                // "#kernel-3"; empty: none
    std::string css_class = {};           // of html_style.h: "kernel", "data"
    double share = 0;                     // 0 to 1: so much of the box's lower edge is marked
};

struct GraphArrow {
    size_t from = 0, to = 0;  // positions of boxes; from another box to one further down
    std::string title = {};   // shown under the pointer
    double share = 0;         // 0 to 1: of the thickest arrow
};

struct Graph {
    std::string title = {};  // what a screen reader says
    std::vector<GraphBox> boxes = {};
    std::vector<GraphArrow> arrows = {};
};

// Returns a drawing as wide as the graph needs, for a box that scrolls sideways; empty without
// boxes. Arrows that would close a cycle are left out of the layout, and drawn.
std::string svg(const Graph &graph);

}  // namespace autoschedule_gpu
