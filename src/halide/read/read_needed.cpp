#include "halide/read/read_needed.h"

#include <ranges>

namespace autoschedule_gpu::reading {
namespace {

class NeededReads : public HI::IRGraphVisitor {
public:
    explicit NeededReads(std::set<std::string> &keys) : keys_(keys) {}

private:
    using HI::IRGraphVisitor::visit;

    void visit(const HI::Call *op) override {
        if (op->call_type == HI::Call::Halide || op->call_type == HI::Call::Image) {
            keys_.insert(op->name);
        }
        HI::IRGraphVisitor::visit(op);
    }
    // Simplification keeps what is called and then not used.
    void visit(const HI::Let *op) override {
        include(op->body);
        if (HI::expr_uses_var(op->body, op->name)) include(op->value);
    }

    std::set<std::string> &keys_;
};

// Parts that are repeated count each time: simplification goes through all of them.
class Length : public HI::IRMutator {
public:
    static constexpr int kMost = 4096;  // nodes

    bool is_short(const Halide::Expr &expr) {
        mutate(expr);
        return nodes_ <= kMost;
    }

private:
    Halide::Expr mutate(const Halide::Expr &expr) override {
        return ++nodes_ > kMost ? expr : HI::IRMutator::mutate(expr);
    }
    using HI::IRMutator::mutate;

    int nodes_ = 0;
};

// What is long is taken as it is. To put repeated parts into variables first would shorten it, but
// Halide numbers variables throughout a process: what it makes of the pipeline afterwards would be
// other code.
Halide::Expr simplified(const Halide::Expr &expr, const Estimates &estimates) {
    const Halide::Expr known = estimates.with_facts(expr);
    return Length().is_short(known) ? HI::simplify(known) : known;
}

// Nobody knows what an extern stage does with its arguments.
void add_arguments(const HI::Function &func, NeededReads &reads, std::set<std::string> &keys) {
    for (const Halide::ExternFuncArgument &arg : func.extern_arguments()) {
        if (arg.is_func()) keys.insert(HI::Function(arg.func).name());
        if (arg.is_buffer()) keys.insert(image_key(arg.buffer.name()));
        if (arg.is_image_param()) keys.insert(image_key(arg.image_param.name()));
        if (arg.is_expr()) prepared(arg.expr).accept(&reads);
    }
}

}  // namespace

std::set<std::string> needed(const std::vector<const StageSource *> &stages,
                             const std::vector<HI::Function> &outputs, const Estimates &estimates) {
    std::set<std::string> keys;
    for (const HI::Function &output : outputs) keys.insert(output.name());
    NeededReads reads(keys);
    for (const StageSource *stage : stages | std::views::reverse) {
        if (!keys.contains(stage->func.name())) continue;
        if (stage->func.has_extern_definition()) add_arguments(stage->func, reads, keys);
        for (const auto *exprs : {&stage->values, &stage->args}) {
            for (const Halide::Expr &expr : *exprs) simplified(expr, estimates).accept(&reads);
        }
        if (stage->predicate.defined()) simplified(stage->predicate, estimates).accept(&reads);
    }
    return keys;
}

}  // namespace autoschedule_gpu::reading
