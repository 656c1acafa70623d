#include "halide/read/read_nodes.h"

#include <set>

namespace autoschedule_gpu::reading {
namespace {

class Nodes : public HI::IRGraphVisitor {
public:
    int count() const { return static_cast<int>(seen_.size()); }

    void include(const Halide::Expr &expr) override {
        seen_.insert(expr.get());
        HI::IRGraphVisitor::include(expr);
    }

private:
    std::set<const HI::IRNode *> seen_;
};

}  // namespace

int nodes_of(const StageGraph &graph) {
    Nodes nodes;
    for (const auto *exprs : {&graph.args, &graph.values}) {
        for (const Halide::Expr &expr : *exprs) nodes.include(expr);
    }
    if (graph.predicate.defined()) nodes.include(graph.predicate);
    return nodes.count();
}

}  // namespace autoschedule_gpu::reading
