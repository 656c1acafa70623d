#include "halide/read/c_arithmetic.h"

#include <cmath>
#include <limits>

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

// What the expression is at least; undefined if that is not known. (A definition is a graph, which
// Halide's own analysis would walk as a tree.)
Expr least(const Expr &e) {
    return HI::find_constant_bound(HI::common_subexpression_elimination(e), HI::Direction::Lower);
}

bool is_above_zero(const Expr &e) {
    return HI::is_positive_const(least(e));
}

bool is_never_negative(const Expr &e) {
    const Expr bound = least(e);
    return HI::is_const_zero(bound) || HI::is_positive_const(bound);
}

// Infinity and NaN float has as well.
bool float_has(double value) {
    if (!std::isfinite(value)) return true;
    if (std::abs(value) > std::numeric_limits<float>::max()) return false;
    return static_cast<double>(static_cast<float>(value)) == value;
}

bool is_double(const Expr &e) {
    return e.type() == Halide::Float(64);
}

// What a constant of type double becomes; nullptr for other expressions.
const HI::FloatImm *constant_double(const Expr &e) {
    return is_double(e) && HI::is_const(e) ? HI::simplify(e).as<HI::FloatImm>() : nullptr;
}

class ZeroDivisors : public HI::IRGraphVisitor {
public:
    bool found = false;

private:
    using HI::IRGraphVisitor::visit;

    template <typename Node>
    void look(const Node *op) {
        found = found || (op->type.is_uint() && !is_above_zero(op->b));
        HI::IRGraphVisitor::visit(op);
    }
    void visit(const HI::Div *op) override { look(op); }
    void visit(const HI::Mod *op) override { look(op); }
};

}  // namespace

bool is_remainder_of_any_sign(const Expr &e) {
    const auto *op = e.as<HI::Mod>();
    if (op == nullptr || !op->type.is_float()) return false;
    return !is_above_zero(op->b) || !is_never_negative(op->a);
}

bool needs_constant_beyond_float(const Expr &e) {
    if (const auto *constant = constant_double(e)) return !float_has(constant->value);
    if (const auto *op = e.as<HI::Div>()) {
        // Halide multiplies by the reciprocal.
        const auto *divisor = constant_double(op->b);
        return divisor != nullptr && !float_has(1 / divisor->value);
    }
    if (const auto *op = e.as<HI::Call>(); op && op->is_intrinsic(HI::Call::saturating_cast)) {
        constexpr int kDigits = std::numeric_limits<float>::digits;
        return is_double(op->args[0]) && !op->type.is_float() && op->type.bits() > kDigits;
    }
    return false;
}

bool may_divide_unsigned_by_zero(const StageGraph &graph) {
    ZeroDivisors finder;
    for (const Expr &value : graph.values) value.accept(&finder);
    for (const Expr &arg : graph.args) arg.accept(&finder);
    if (graph.predicate.defined()) graph.predicate.accept(&finder);
    return finder.found;
}

}  // namespace autoschedule_gpu::reading
