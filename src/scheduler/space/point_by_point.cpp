#include "scheduler/space/point_by_point.h"

#include <algorithm>

namespace autoschedule_gpu {

namespace {

// A Func that many read point by point is computed by each of them if it takes no more operations.
constexpr double kCheapOps = 12;

}  // namespace

bool is_read_point_by_point(const Dag &dag, FuncId func) {
    return std::ranges::all_of(dag.consumers[func.index()], [&](EdgeId id) {
        const Edge &edge = dag.edge(id);
        return edge.pointwise && !dag.func_of(edge.consumer).wraps.valid();
    });
}

bool is_computed_by_readers(const Dag &dag, FuncId id) {
    const Func &func = dag.func(id);
    const std::vector<EdgeId> &edges = dag.consumers[id.index()];
    if (!func.can_inline || func.on_host() || func.is_output() || edges.empty()) return false;
    if (!is_read_point_by_point(dag, id)) return false;
    // What is not cheap is not left to the host.
    const bool by_one = edges.size() == 1 && !dag.func_of(dag.edge(edges[0]).consumer).on_host();
    return by_one || dag.stage(func.stages[0]).ops.total() <= kCheapOps;
}

}  // namespace autoschedule_gpu
