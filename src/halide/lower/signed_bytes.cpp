#include "halide/lower/signed_bytes.h"

#include <algorithm>
#include <set>
#include <string>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

bool is_signed_byte(const Halide::Type &type) {
    return type.is_int() && type.bits() == 8;
}

using Names = std::set<std::string>;

// Whether an expression is made of signed bytes, or of what has one of the names.
class ByteFinder : public ir::IRGraphVisitor {
public:
    explicit ByteFinder(const Names &names) : names_(names) {}

    // Where bytes are read is no matter.
    void include(const Halide::Expr &e) override {
        const auto *variable = e.as<ir::Variable>();
        const auto *load = e.as<ir::Load>();
        if (is_signed_byte(e.type()) && !ir::is_const(e)) found = true;
        if (variable != nullptr && names_.contains(variable->name)) found = true;
        if (load != nullptr && names_.contains(load->name)) found = true;
        if (!found && load == nullptr) IRGraphVisitor::include(e);
    }
    using IRGraphVisitor::include;

    bool found = false;

private:
    const Names &names_;
};

// Finds comparisons, and adds to the names the variables and the arrays whose values are made of
// bytes.
class OrderFinder : public ir::IRGraphVisitor {
public:
    explicit OrderFinder(Names &names) : names_(names) {}

    bool found = false;

private:
    using IRGraphVisitor::visit;

    bool has_bytes(const Halide::Expr &e) const {
        ByteFinder finder(names_);
        finder.include(e);
        return finder.found;
    }

    template <typename Node>
    void look(const Node *op) {
        found = found || has_bytes(op->a) || has_bytes(op->b);
        IRGraphVisitor::visit(op);
    }
    void visit(const ir::LT *op) override { look(op); }
    void visit(const ir::LE *op) override { look(op); }
    void visit(const ir::GT *op) override { look(op); }
    void visit(const ir::GE *op) override { look(op); }

    template <typename Node>
    void look_at_extremum(const Node *op) {
        const bool is_clamp = ir::is_const(op->a) || ir::is_const(op->b);
        found = found || (!is_clamp && (has_bytes(op->a) || has_bytes(op->b)));
        IRGraphVisitor::visit(op);
    }
    void visit(const ir::Min *op) override { look_at_extremum(op); }
    void visit(const ir::Max *op) override { look_at_extremum(op); }

    void visit(const ir::Call *op) override {
        const bool compares = op->is_intrinsic({ir::Call::abs, ir::Call::absd});
        found = found || (compares && std::ranges::any_of(op->args, [&](const Halide::Expr &arg) {
                              return has_bytes(arg);
                          }));
        IRGraphVisitor::visit(op);
    }

    template <typename Node>
    void name(const Node *op) {
        if (has_bytes(op->value)) names_.insert(op->name);
        IRGraphVisitor::visit(op);
    }
    void visit(const ir::Let *op) override { name(op); }
    void visit(const ir::LetStmt *op) override { name(op); }
    void visit(const ir::Store *op) override { name(op); }

    Names &names_;
};

// What a loop stores may be read before in its code.
bool orders_signed_bytes(const ir::Stmt &kernel) {
    Names names;
    for (size_t known = 0;; known = names.size()) {
        OrderFinder finder(names);
        kernel.accept(&finder);
        if (finder.found) return true;
        if (names.size() == known) return false;
    }
}

// In the order in which kernels are counted elsewhere (device_code.h).
class KernelFinder : public ir::IRMutator {
public:
    std::vector<ir::Stmt> kernels;

protected:
    using IRMutator::visit;
    ir::Stmt visit(const ir::For *op) override {
        if (op->for_type != ir::ForType::GPUBlock) return IRMutator::visit(op);
        kernels.emplace_back(op);
        return op;
    }
};

bool has_signed_bytes(const Halide::Func &func) {
    if (!func.defined()) return false;
    if (std::ranges::any_of(func.types(), is_signed_byte)) return true;
    const Names none;
    ByteFinder finder(none);
    func.function().accept(&finder);
    return finder.found;
}

}  // namespace

bool has_signed_bytes(std::span<const Halide::Func> funcs) {
    return std::ranges::any_of(funcs,
                               [](const Halide::Func &func) { return has_signed_bytes(func); });
}

std::vector<size_t> kernels_that_order_signed_bytes(const ir::Stmt &lowered) {
    KernelFinder finder;
    finder.mutate(lowered);
    std::vector<size_t> result;
    for (size_t i = 0; i < finder.kernels.size(); ++i) {
        if (orders_signed_bytes(finder.kernels[i])) result.push_back(i);
    }
    return result;
}

}  // namespace autoschedule_gpu
