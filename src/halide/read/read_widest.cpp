#include "halide/read/read_widest.h"

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

// The declared ranges of the scalar parameters in an expression.
class ParameterRanges : public HI::IRGraphVisitor {
public:
    HI::Scope<HI::Interval> ranges;

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Variable *op) override {
        if (!op->param.defined() || ranges.contains(op->name)) return;
        ranges.push(op->name, declared_range(op->param));
    }
};

HI::Interval range_of(const Expr &expr, const Estimates &estimates) {
    const Expr known = HI::simplify(estimates.with_facts(expr));
    ParameterRanges parameters;
    known.accept(&parameters);
    return HI::bounds_of_expr_in_scope(known, parameters.ranges);
}

std::optional<RegionBound> compiled(const Expr &end, RegionCompiler &compiler) {
    const Expr simple = HI::simplify(end);
    return has_registers_only(simple) ? compiler.compile(simple) : std::nullopt;
}

RegionDimension widest_dimension(const HI::Interval &interval, const Estimates &estimates,
                                 RegionCompiler &compiler) {
    RegionDimension dim;
    dim.lo.add = -kRegionLimit;
    dim.hi.add = kRegionLimit;
    if (!interval.is_bounded()) return dim;
    const HI::Interval least = range_of(interval.min, estimates);
    const HI::Interval most = range_of(interval.max, estimates);
    if (!least.has_lower_bound() || !most.has_upper_bound()) return dim;
    const auto lo = compiled(least.min, compiler), hi = compiled(most.max, compiler);
    if (!lo || !hi) return dim;
    dim.lo = *lo;
    dim.hi = *hi;
    dim.inputs_only = true;
    return dim;
}

}  // namespace

HI::Interval declared_range(const Halide::Parameter &param) {
    HI::Interval range = HI::Interval::everything();
    if (!param.defined() || param.is_buffer()) return range;
    if (param.min_value().defined()) range.min = param.min_value();
    if (param.max_value().defined()) range.max = param.max_value();
    return range;
}

bool has_registers_only(const Expr &expr) {
    struct Finder : HI::IRGraphVisitor {
        bool only = true;
        using IRGraphVisitor::visit;
        void visit(const HI::Variable *variable) override {
            only = only && !variable->param.defined() && register_of(variable->name) >= 0;
        }
        void visit(const HI::Load *) override { only = false; }
    } finder;
    expr.accept(&finder);
    return finder.only;
}

std::optional<WidestBox> widest_box(const std::vector<HI::Interval> &box,
                                    const Estimates &estimates, size_t inputs) {
    WidestBox result{RegionCompiler(inputs), {}};
    bool any = false;
    for (const HI::Interval &interval : box) {
        result.dims.push_back(widest_dimension(interval, estimates, result.compiler));
        any = any || result.dims.back().inputs_only;
    }
    return any ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace autoschedule_gpu::reading
