#include "halide/read/lost_clamps.h"

namespace autoschedule_gpu::reading {
namespace {

// What of a position matters here.
class PositionParts : public HI::IRGraphVisitor {
public:
    bool has_bits = false, has_clamp = false;

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Mod *op) override {
        has_bits = true;
        HI::IRGraphVisitor::visit(op);
    }
    void visit(const HI::Call *op) override {
        has_bits = has_bits || op->is_intrinsic(HI::Call::bitwise_and);
        HI::IRGraphVisitor::visit(op);
    }
    void visit(const HI::Min *op) override {
        has_clamp = true;
        HI::IRGraphVisitor::visit(op);
    }
    void visit(const HI::Max *op) override {
        has_clamp = true;
        HI::IRGraphVisitor::visit(op);
    }
};

// All that a Func's stages compute, and where they put it. What is used twice is no name here.
std::vector<Halide::Expr> expressions_of(const HI::Function &func) {
    std::vector<Halide::Expr> result;
    const auto add = [&](const HI::Definition &definition) {
        for (const auto &exprs : {definition.values(), definition.args()}) {
            for (const Halide::Expr &expr : exprs)
                result.push_back(HI::substitute_in_all_lets(expr));
        }
        if (definition.predicate().defined()) result.push_back(definition.predicate());
    };
    if (func.has_pure_definition()) add(func.definition());
    for (const HI::Definition &update : func.updates()) add(update);
    return result;
}

// Finds what a Func reads, and where.
class Reads : public HI::IRGraphVisitor {
public:
    std::set<std::string> funcs = {}, at_bits = {};  // all, and those at positions with bits
    bool at_clamped = false;

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Call *op) override {
        HI::IRGraphVisitor::visit(op);
        if (op->call_type != HI::Call::Halide && op->call_type != HI::Call::Image) return;
        PositionParts parts;
        for (const Halide::Expr &arg : op->args) arg.accept(&parts);
        at_clamped = at_clamped || parts.has_clamp;
        if (op->call_type != HI::Call::Halide) return;
        funcs.insert(op->name);
        if (parts.has_bits) at_bits.insert(op->name);
    }
};

}  // namespace

std::set<std::string> lose_clamps_inline(const std::vector<std::string> &order,
                                         const std::map<std::string, HI::Function> &env) {
    std::set<std::string> clamping, at_bits, found;
    for (const std::string &name : order) {  // what is read comes before its readers
        const HI::Function &func = env.at(name);
        Reads reads;
        for (const Halide::Expr &expr : expressions_of(func)) expr.accept(&reads);
        bool clamps = reads.at_clamped;
        for (const std::string &read : reads.funcs) {
            clamps = clamps || (clamping.contains(read) && env.at(read).can_be_inlined());
        }
        if (clamps) clamping.insert(name);
        at_bits.merge(reads.at_bits);
    }
    for (const std::string &name : at_bits) {
        if (clamping.contains(name)) found.insert(name);
    }
    return found;
}

}  // namespace autoschedule_gpu::reading
