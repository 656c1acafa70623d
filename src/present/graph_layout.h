// Where the boxes of a graph stand, and by which points its arrows pass.
#pragma once

#include <vector>

#include "present/graph.h"

namespace autoschedule_gpu {

struct GraphPoint {
    double x = 0, y = 0;
};

struct GraphLayout {
    double width = 0, height = 0;
    std::vector<GraphPoint> boxes = {};                // by box: its left upper corner
    std::vector<std::vector<GraphPoint>> arrows = {};  // by arrow: from its beginning to its end
};

// All boxes have one size.
struct GraphSizes {
    double box_width = 0, box_height = 0;
};

GraphLayout layout_of(const Graph &graph, const GraphSizes &sizes);

}  // namespace autoschedule_gpu
