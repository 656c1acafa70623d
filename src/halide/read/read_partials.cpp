#include "halide/read/read_partials.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "halide/read/read_loads.h"
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

// Halide replaces what an iteration adds to an element wherever it is written. Where another
// element's contains it, or is the same, nothing is left that would be replaced by the other's, and
// so parts would be put together without it.
bool takes_each_element(const HI::AssociativeOp &op) {
    return std::ranges::all_of(op.ys, [&op](const HI::AssociativeOp::Replacement &y) {
        const auto takes = [&y](const Halide::Expr &e) { return HI::expr_uses_var(e, y.var); };
        return !y.expr.defined() || std::ranges::any_of(op.pattern.ops, takes);
    });
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

// Finds variables of a condition that are not among these.
class OtherVariableFinder : public HI::IRGraphVisitor {
public:
    explicit OtherVariableFinder(std::vector<std::string> known) : known_(std::move(known)) {}
    bool found = false;

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Variable *op) override {
        found |= std::find(known_.begin(), known_.end(), op->name) == known_.end();
    }

    std::vector<std::string> known_;
};

// Names of the reduction loops of which all is known when the pipeline is compiled.
std::vector<std::string> constant_loops(const std::vector<Loop> &loops) {
    std::vector<std::string> names;
    for (size_t i = 0; i < loops.size(); i++) {
        if (loops[i].constant) names.push_back(loop_variable(i));
    }
    return names;
}

// Whether it is known when the pipeline is compiled which iterations there are. Else there may be
// none for any point that is asked for, and no parts: Halide's runtimes take no buffer without an
// element. And device code would read a condition's data behind guards of tiles (src/halide/
// README.md, "Conditions that read data").
bool has_known_condition(const StageSource &stage, const std::vector<Loop> &loops) {
    if (!stage.predicate.defined()) return true;
    OtherVariableFinder finder(constant_loops(loops));
    stage.predicate.accept(&finder);
    return !finder.found && !reads_data(stage.predicate);
}

}  // namespace

Partials partials_of(const StageSource &stage, const std::vector<Loop> &loops,
                     const Halide::Target &target) {
    if (stage.index == 0 || !is_reduction(stage) || !has_known_condition(stage, loops)) {
        return Partials::no;
    }
    if (!halide_version::kRfactorLeavesNoSplits || is_strict(stage, target)) return Partials::no;
    const HI::Definition &definition = stage.definition();
    const HI::AssociativeOp op =
        HI::prove_associativity(stage.func.name(), definition.args(), definition.values());
    if (!op.associative() || !takes_each_element(op)) return Partials::no;
    return op.commutative() && elements_are_apart(op) ? Partials::any_order : Partials::in_order;
}

}  // namespace autoschedule_gpu::reading
