#include "halide/lower/boolean_vectors.h"

#include <algorithm>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

bool is_boolean_vector(const Halide::Expr &e) {
    return e.type().is_bool() && e.type().is_vector();
}

// Equality, which is right, is not among the nodes.
class BooleanArithmetic : public ir::IRGraphVisitor {
public:
    bool found = false;

private:
    using IRGraphVisitor::visit;

    template <typename Node>
    void look(const Node *op) {
        found = found || is_boolean_vector(op->a);
        IRGraphVisitor::visit(op);
    }
    void visit(const ir::Add *op) override { look(op); }
    void visit(const ir::Sub *op) override { look(op); }
    void visit(const ir::Mul *op) override { look(op); }
    void visit(const ir::Div *op) override { look(op); }
    void visit(const ir::Mod *op) override { look(op); }
    void visit(const ir::Min *op) override { look(op); }
    void visit(const ir::Max *op) override { look(op); }
    void visit(const ir::LT *op) override { look(op); }
    void visit(const ir::LE *op) override { look(op); }
    void visit(const ir::GT *op) override { look(op); }
    void visit(const ir::GE *op) override { look(op); }

    void visit(const ir::Call *op) override {
        const bool is_arithmetic = op->is_intrinsic(
            {ir::Call::widening_add, ir::Call::widening_sub, ir::Call::widening_mul,
             ir::Call::widen_right_add, ir::Call::widen_right_sub, ir::Call::widen_right_mul});
        found = found || (is_arithmetic && std::ranges::any_of(op->args, is_boolean_vector));
        IRGraphVisitor::visit(op);
    }
};

}  // namespace

bool reckons_with_boolean_vectors(const ir::Stmt &stmt) {
    BooleanArithmetic finder;
    stmt.accept(&finder);
    return finder.found;
}

}  // namespace autoschedule_gpu
