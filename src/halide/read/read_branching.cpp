#include "halide/read/read_branching.h"

#include <algorithm>
#include <map>
#include <vector>

namespace autoschedule_gpu::reading {
namespace {

// Returns how many values are held at once while the operands are computed one after the other, the
// widest first: each operand that is done holds one value (Sethi and Ullman 1970).
int of_operands(std::vector<int> operands) {
    std::sort(operands.begin(), operands.end(), std::greater<>());
    int most = 1;
    for (size_t i = 0; i < operands.size(); ++i) {
        most = std::max(most, operands[i] + static_cast<int>(i));
    }
    return most;
}

class Branching : public HI::IRGraphVisitor {
public:
    int of(const Halide::Expr &expr) {
        const auto known = known_.find(expr.get());
        if (known != known_.end()) return known->second;
        std::vector<int> own;
        std::vector<int> *outer = std::exchange(operands_, &own);
        expr.accept(this);
        operands_ = outer;
        return known_[expr.get()] = of_operands(std::move(own));
    }

private:
    using HI::IRGraphVisitor::visit;

    void include(const Halide::Expr &expr) override { operands_->push_back(of(expr)); }

    void visit(const HI::Call *op) override {
        const bool is_read = op->call_type == HI::Call::Halide || op->call_type == HI::Call::Image;
        if (!is_read) HI::IRGraphVisitor::visit(op);
    }

    std::map<const HI::IRNode *, int> known_;
    std::vector<int> *operands_ = nullptr;
};

}  // namespace

int branching_of(const StageGraph &graph) {
    Branching branching;
    std::vector<int> values;
    for (const Halide::Expr &value : graph.values) values.push_back(branching.of(value));
    if (graph.predicate.defined()) values.push_back(branching.of(graph.predicate));
    return of_operands(std::move(values));
}

}  // namespace autoschedule_gpu::reading
