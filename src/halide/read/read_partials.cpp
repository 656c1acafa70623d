#include "halide/read/read_partials.h"

#include <algorithm>

#include "halide/version/version.h"

namespace autoschedule_gpu::reading {
namespace {

// Finds variables of an operator that are not of the one element.
class OtherElementFinder : public HI::IRGraphVisitor {
public:
    OtherElementFinder(const HI::AssociativeOp &op, size_t element)
        : x_(op.xs[element].var), y_(op.ys[element].var) {}
    bool found = false;

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Variable *op) override { found |= op->name != x_ && op->name != y_; }

    const std::string &x_, &y_;
};

// Where the elements of a Tuple are chosen by one of them (the place of a maximum), equal ones are
// told apart by their order, be the operator commutative for Halide.
bool elements_are_apart(const HI::AssociativeOp &op) {
    for (size_t i = 0; i < op.size(); i++) {
        OtherElementFinder finder(op, i);
        op.pattern.ops[i].accept(&finder);
        if (finder.found) return false;
    }
    return true;
}

bool is_reduction(const StageSource &stage) {
    return std::any_of(stage.dims.begin(), stage.dims.end(),
                       [](const HI::Dim &dim) { return dim.is_rvar() && !dim.is_pure(); });
}

// Rounding is the user's then, in the order that is written.
bool is_strict(const StageSource &stage, const Halide::Target &target) {
    return target.has_feature(Halide::Target::StrictFloat) &&
           std::any_of(stage.values.begin(), stage.values.end(),
                       [](const Halide::Expr &value) { return value.type().is_float(); });
}

}  // namespace

Partials partials_of(const StageSource &stage, const Halide::Target &target) {
    const bool plain = stage.index > 0 && !stage.predicate.defined() && is_reduction(stage);
    if (!plain || !halide_version::kRfactorLeavesNoSplits || is_strict(stage, target)) {
        return Partials::no;
    }
    const HI::Definition &definition = stage.definition();
    const HI::AssociativeOp op =
        HI::prove_associativity(stage.func.name(), definition.args(), definition.values());
    if (!op.associative()) return Partials::no;
    return op.commutative() && elements_are_apart(op) ? Partials::any_order : Partials::in_order;
}

}  // namespace autoschedule_gpu::reading
