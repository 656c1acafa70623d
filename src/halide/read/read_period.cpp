#include "halide/read/read_period.h"

#include <numeric>

namespace autoschedule_gpu::reading {
namespace {

// No tile has so many points that it would be a multiple of more.
constexpr int64_t kMostPeriod = 8;

// Whether an expression is of loops and parameters alone: a remainder of data is known to no
// compiler.
bool is_index(const Halide::Expr &expr) {
    struct Finder : HI::IRGraphVisitor {
        bool loop = false;
        using HI::IRGraphVisitor::visit;
        void visit(const HI::Variable *op) override { loop |= !op->param.defined(); }
    } finder;
    expr.accept(&finder);
    return finder.loop && !reads_data(expr);
}

class Period : public HI::IRGraphVisitor {
public:
    int64_t value = 1;

private:
    using HI::IRGraphVisitor::visit;

    template <typename Node>
    void divide(const Node *op) {
        HI::IRGraphVisitor::visit(op);
        const auto divisor = HI::as_const_int(op->b);
        if (!divisor || *divisor < 2 || *divisor > kMostPeriod || !is_index(op->a)) return;
        const int64_t both = std::lcm(value, static_cast<int64_t>(*divisor));
        if (both <= kMostPeriod) value = both;
    }
    void visit(const HI::Div *op) override { divide(op); }
    void visit(const HI::Mod *op) override { divide(op); }
};

}  // namespace

int64_t period_of(const StageGraph &graph) {
    Period period;
    for (const auto *exprs : {&graph.args, &graph.values}) {
        for (const Halide::Expr &expr : *exprs) expr.accept(&period);
    }
    return period.value;
}

}  // namespace autoschedule_gpu::reading
