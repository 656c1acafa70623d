#include "present/graph_layout.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace autoschedule_gpu {

namespace {

constexpr double kGapAcross = 26, kGapDown = 34, kMargin = 4;
constexpr double kThroughWidth = 14;  // of an arrow that passes through a layer
constexpr int kSweeps = 8;

// A box, or a place where a long arrow passes through a layer.
struct Node {
    size_t layer = 0;
    double width = 0;
    std::vector<size_t> above = {}, below = {};
};

class LayerLayout {
public:
    LayerLayout(const Graph &graph, const GraphSizes &sizes) : graph_(graph), sizes_(sizes) {
        for (const size_t layer : layers()) nodes_.push_back({layer, sizes.box_width});
        for (const GraphArrow &arrow : graph.arrows) ways_.push_back(way_of(arrow));
        for (size_t i = 0; i < nodes_.size(); ++i) {
            rows_.resize(std::max(rows_.size(), nodes_[i].layer + 1));
            rows_[nodes_[i].layer].push_back(i);
        }
        for (int sweep = 0; sweep < kSweeps; ++sweep) sort_rows(sweep % 2 == 0);
    }

    GraphLayout make() const {
        const std::vector<double> middles = middles_of_nodes();
        GraphLayout result;
        const double step = sizes_.box_height + kGapDown;
        for (size_t i = 0; i < nodes_.size(); ++i) {
            result.width = std::max(result.width, middles[i] + nodes_[i].width / 2 + kMargin);
        }
        result.height = kMargin + step * static_cast<double>(rows_.size()) - kGapDown + kMargin;
        const auto top = [&](size_t node) {
            return kMargin + step * static_cast<double>(nodes_[node].layer);
        };
        for (size_t i = 0; i < graph_.boxes.size(); ++i) {
            result.boxes.push_back({middles[i] - sizes_.box_width / 2, top(i)});
        }
        for (const std::vector<size_t> &way : ways_) {
            std::vector<GraphPoint> points{
                {middles[way.front()], top(way.front()) + sizes_.box_height}};
            for (size_t i = 1; i + 1 < way.size(); ++i) {
                points.push_back({middles[way[i]], top(way[i])});
                points.push_back({middles[way[i]], top(way[i]) + sizes_.box_height});
            }
            points.push_back({middles[way.back()], top(way.back())});
            result.arrows.push_back(std::move(points));
        }
        return result;
    }

private:
    // The longest way from a source, for each box. There are as many rounds as there are boxes, at
    // most, so that a cycle ends.
    std::vector<size_t> layers() const {
        std::vector<size_t> layer(graph_.boxes.size(), 0);
        for (size_t round = 0; round < layer.size(); ++round) {
            bool changed = false;
            for (const GraphArrow &arrow : graph_.arrows) {
                if (layer[arrow.to] > layer[arrow.from]) continue;
                layer[arrow.to] = layer[arrow.from] + 1;
                changed = true;
            }
            if (!changed) break;
        }
        pull_down_sources(layer);
        return layer;
    }

    // What nothing feeds stands right above what it feeds.
    void pull_down_sources(std::vector<size_t> &layer) const {
        for (size_t box = 0; box < layer.size(); ++box) {
            size_t nearest = graph_.boxes.size();
            bool is_fed = false;
            for (const GraphArrow &arrow : graph_.arrows) {
                is_fed |= arrow.to == box;
                if (arrow.from == box) nearest = std::min(nearest, layer[arrow.to]);
            }
            const bool feeds = nearest < graph_.boxes.size() && nearest > layer[box];
            if (!is_fed && feeds) layer[box] = nearest - 1;
        }
    }

    // The nodes by which an arrow passes, one in each layer; makes those between its boxes.
    std::vector<size_t> way_of(const GraphArrow &arrow) {
        std::vector<size_t> way{arrow.from};
        for (size_t layer = nodes_[arrow.from].layer + 1; layer < nodes_[arrow.to].layer; ++layer) {
            nodes_.push_back({layer, kThroughWidth});
            way.push_back(nodes_.size() - 1);
        }
        way.push_back(arrow.to);
        for (size_t i = 1; i < way.size(); ++i) {
            nodes_[way[i - 1]].below.push_back(way[i]);
            nodes_[way[i]].above.push_back(way[i - 1]);
        }
        return way;
    }

    // Each node moves to the mean place of its neighbours in the rows above, or below.
    void sort_rows(bool by_above) {
        std::vector<double> places(nodes_.size());
        const auto number = [&](const std::vector<size_t> &row) {
            for (size_t i = 0; i < row.size(); ++i) {
                places[row[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(row.size());
            }
        };
        for (const std::vector<size_t> &row : rows_) number(row);
        const size_t count = rows_.size();
        for (size_t i = 0; i < count; ++i) {
            std::vector<size_t> &row = rows_[by_above ? i : count - 1 - i];
            std::map<size_t, double> wanted;
            for (const size_t node : row) {
                const auto &others = by_above ? nodes_[node].above : nodes_[node].below;
                double sum = others.empty() ? places[node] : 0;
                for (const size_t other : others) sum += places[other];
                wanted[node] = others.empty() ? sum : sum / static_cast<double>(others.size());
            }
            std::ranges::stable_sort(row, {}, [&](size_t node) { return wanted[node]; });
            number(row);
        }
    }

    // Rows are centred.
    std::vector<double> middles_of_nodes() const {
        const auto width_of = [&](const std::vector<size_t> &row) {
            double width = -kGapAcross;
            for (const size_t node : row) width += nodes_[node].width + kGapAcross;
            return width;
        };
        double widest = 0;
        for (const std::vector<size_t> &row : rows_) widest = std::max(widest, width_of(row));
        std::vector<double> middles(nodes_.size());
        for (const std::vector<size_t> &row : rows_) {
            double x = kMargin + (widest - width_of(row)) / 2;
            for (const size_t node : row) {
                middles[node] = x + nodes_[node].width / 2;
                x += nodes_[node].width + kGapAcross;
            }
        }
        return middles;
    }

    const Graph &graph_;
    const GraphSizes sizes_;
    std::vector<Node> nodes_;                // boxes first
    std::vector<std::vector<size_t>> ways_;  // by arrow
    std::vector<std::vector<size_t>> rows_;  // by layer, from left to right
};

}  // namespace

GraphLayout layout_of(const Graph &graph, const GraphSizes &sizes) {
    return LayerLayout(graph, sizes).make();
}

}  // namespace autoschedule_gpu
