#include "halide/read/read_bounds.h"

#include <algorithm>
#include <ranges>

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

Expr register_expr(size_t reg) {
    return HI::Variable::make(Halide::Int(32), register_variable(reg));
}

HI::Interval loop_interval(size_t loop) {
    return {register_expr(2 * loop), register_expr(2 * loop + 1)};
}

void push_loops(const StageSource &stage, HI::Scope<HI::Interval> &scope) {
    for (size_t k = 0; k < stage.dims.size(); k++) {
        scope.push(loop_variable(k), loop_interval(k));
    }
}

// Finds calls inside the arguments of other calls, also through lets.
class IndexCalls : public HI::IRGraphVisitor {
public:
    std::set<std::string> names;

    void visit_index(const Expr &index) {
        inside_++;
        walk(index);
        inside_--;
    }
    void walk(const Expr &e) {
        // An expression may occur both as a value and inside an index, and is visited once as each.
        if (seen_[inside_ > 0].insert(e.get()).second) e.accept(this);
    }

private:
    using HI::IRGraphVisitor::visit;
    void include(const Expr &e) override { walk(e); }

    void visit(const HI::Call *op) override {
        const bool reads = op->call_type == HI::Call::Halide || op->call_type == HI::Call::Image;
        if (inside_ > 0 && op->call_type == HI::Call::Halide) names.insert(op->name);
        for (const Expr &arg : op->args) reads ? visit_index(arg) : walk(arg);
    }

    int inside_ = 0;
    std::set<const HI::IRNode *> seen_[2];
};

class AllCalls : public HI::IRGraphVisitor {
public:
    std::set<std::string> names;

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Call *op) override {
        if (op->call_type == HI::Call::Halide) names.insert(op->name);
        HI::IRGraphVisitor::visit(op);
    }
};

void find_index_calls(const HI::Definition &definition, bool is_update, IndexCalls &found) {
    for (const Expr &value : definition.values()) found.walk(HI::substitute_in_all_lets(value));
    if (!is_update) return;
    for (const Expr &arg : definition.args()) {
        found.visit_index(HI::substitute_in_all_lets(arg));
    }
    const Expr &predicate = definition.predicate();
    if (predicate.defined()) found.walk(HI::substitute_in_all_lets(predicate));
}

}  // namespace

HI::FuncValueBounds value_bounds_of_indices(const std::vector<std::string> &order,
                                            const std::map<std::string, HI::Function> &env) {
    IndexCalls found;
    for (const std::string &name : order) {
        const HI::Function &func = env.at(name);
        if (func.has_extern_definition()) continue;
        find_index_calls(func.definition(), false, found);
        for (const HI::Definition &update : func.updates()) {
            find_index_calls(update, true, found);
        }
    }
    std::set<std::string> needed = std::move(found.names);
    std::vector<std::string> needed_order;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        if (needed.count(*it) == 0) continue;
        needed_order.insert(needed_order.begin(), *it);
        const HI::Function &func = env.at(*it);
        if (!func.is_pure()) continue;
        AllCalls calls;
        func.accept(&calls);
        needed.insert(calls.names.begin(), calls.names.end());
    }
    if (needed_order.empty()) return {};
    return HI::compute_function_value_bounds(needed_order, env);
}

namespace {

// Makes of choices what the analysis takes for branches, of which each limits what it reads.
class BranchMaker : public HI::IRGraphMutator {
public:
    bool found = false;

private:
    using HI::IRGraphMutator::visit;
    Expr visit(const HI::Select *op) override {
        found = true;
        return HI::Call::make(
            op->type, HI::Call::if_then_else,
            {mutate(op->condition), mutate(op->true_value), mutate(op->false_value)},
            HI::Call::PureIntrinsic);
    }
};

// Finds the loops whose ends a bound depends on.
std::set<int> loops_of(const Expr &bound) {
    struct Finder : HI::IRGraphVisitor {
        std::set<int> loops;
        using HI::IRGraphVisitor::visit;
        void visit(const HI::Variable *op) override {
            if (const int reg = register_of(op->name); reg >= 0) loops.insert(reg / 2);
        }
    } finder;
    if (bound.defined()) bound.accept(&finder);
    return finder.loops;
}

// Whether a parameter chooses between ends: Halide can't bound a choice whose condition is no more
// than a Boolean parameter.
bool is_chosen(const Expr &bound) {
    struct Finder : HI::IRGraphVisitor {
        bool found = false;
        using HI::IRGraphVisitor::visit;
        void visit(const HI::Select *) override { found = true; }
    } finder;
    bound.accept(&finder);
    return finder.found;
}

// Whether loops decide an end in a branch that don't where all branches are read.
bool is_set_by_other_loops(const Expr &in_branch, const Expr &in_all) {
    const bool by_others = !std::ranges::includes(loops_of(in_all), loops_of(in_branch));
    return by_others && !is_chosen(in_branch);
}

// Puts the ends that a branch gives a Func's region into the one that all branches need, where
// other loops than the dimension's own decide them.
void limit_by_other_loops(HI::Box &box, const HI::Box &in_branches) {
    for (size_t d = 0; d < box.size(); ++d) {
        const HI::Interval &branch = in_branches[d];
        if (is_set_by_other_loops(branch.min, box[d].min)) box[d].min = branch.min;
        if (is_set_by_other_loops(branch.max, box[d].max)) box[d].max = branch.max;
    }
}

std::map<std::string, HI::Box> boxes_of(const std::vector<Expr> &reads,
                                        const HI::Scope<HI::Interval> &scope,
                                        const HI::FuncValueBounds &values) {
    std::map<std::string, HI::Box> boxes;
    for (const Expr &read : reads) {
        for (const auto &[name, box] : HI::boxes_required(read, scope, values)) {
            HI::merge_boxes(boxes[name], box);
        }
    }
    return boxes;
}

}  // namespace

std::map<std::string, HI::Box> required_boxes(const StageSource &stage,
                                              const HI::FuncValueBounds &values) {
    HI::Scope<HI::Interval> scope;
    push_loops(stage, scope);
    std::vector<Expr> reads = stage.values;
    if (stage.index > 0) reads.insert(reads.end(), stage.args.begin(), stage.args.end());
    for (const Expr &condition : stage.conditions) {
        for (Expr &read : reads) {
            read = HI::Call::make(read.type(), HI::Call::if_then_else, {condition, read},
                                  HI::Call::PureIntrinsic);
        }
    }
    if (!stage.conditions.empty()) {
        // Lowering does the same: a condition on r.x + r.y limits the reads at r.x + r.y, but the
        // analysis sees that only if the sum has a name.
        for (Expr &read : reads) read = HI::common_subexpression_elimination(read);
    }
    // Every condition is evaluated at all points, whatever the others say.
    reads.insert(reads.end(), stage.conditions.begin(), stage.conditions.end());
    std::map<std::string, HI::Box> boxes = boxes_of(reads, scope, values);
    // Lowering computes of a Func what the branches need that read it, and is refused in a thread
    // where that is no constant number of points (a causal mask). Of images nothing is computed.
    BranchMaker branches;
    for (Expr &read : reads) read = branches.mutate(read);
    if (!branches.found) return boxes;
    for (const auto &[name, in_branches] : boxes_of(reads, scope, values)) {
        const bool is_computed = image_of(name).empty() && name != stage.func.name();
        if (is_computed) limit_by_other_loops(boxes.at(name), in_branches);
    }
    return boxes;
}

std::map<std::string, HI::Box> proxy_boxes(const StageSource &stage, const Expr &proxy,
                                           const HI::FuncValueBounds &values) {
    HI::Scope<HI::Interval> scope;
    for (size_t k = 0; k < stage.dims.size(); k++) scope.push(stage.dims[k].var, loop_interval(k));
    return HI::boxes_required(prepared(proxy), scope, values);
}

bool is_limited_by_other_loops(const HI::Box &box) {
    return std::ranges::any_of(box.bounds, [](const HI::Interval &bounds) {
        return loops_of(bounds.min).size() > 1 || loops_of(bounds.max).size() > 1;
    });
}

HI::Box written_box(const StageSource &stage, const HI::FuncValueBounds &values) {
    HI::Scope<HI::Interval> scope;
    push_loops(stage, scope);
    HI::Stmt store =
        HI::Provide::make(stage.func.name(), stage.values, stage.args, HI::const_true());
    for (const Expr &condition : stage.conditions) {
        store = HI::IfThenElse::make(condition, store);
    }
    return HI::box_provided(store, stage.func.name(), scope, values);
}

namespace {

bool is_register(const Expr &e) {
    const auto *variable = e.as<HI::Variable>();
    return variable != nullptr && register_of(variable->name) >= 0;
}

std::map<std::string, Expr> values_at(std::span<const Interval> inputs,
                                      const std::vector<bool> &which) {
    std::map<std::string, Expr> result;
    for (size_t k = 0; k < inputs.size(); k++) {
        if (!which[k]) continue;
        const auto clamped = [](int64_t v) {
            return static_cast<int>(std::clamp<int64_t>(v, INT32_MIN, INT32_MAX));
        };
        result[register_variable(2 * k)] = clamped(inputs[k].min);
        result[register_variable(2 * k + 1)] = clamped(inputs[k].max);
    }
    return result;
}

class BoxCompiler {
public:
    BoxCompiler(const Estimates &estimates, std::span<const Interval> at_estimates,
                const std::vector<bool> &fixed, Gaps &gaps)
        : estimates_(estimates), at_estimates_(at_estimates), fixed_(fixed), gaps_(gaps) {}

    void add(const HI::Interval &interval, CompiledBox &box) {
        RegionDimension dim;
        dim.inputs_only = true;
        std::optional<RegionBound> lo, hi;
        if (interval.has_lower_bound()) {
            lo = bound(interval.min, box.compiler, dim.inputs_only, dim.lo_affine, dim.lo_form);
        } else {
            lo = RegionBound{0, 0, -kRegionLimit};
        }
        if (interval.has_upper_bound()) {
            hi = bound(interval.max, box.compiler, dim.inputs_only, dim.hi_affine, dim.hi_form);
        } else {
            hi = RegionBound{0, 0, kRegionLimit};
        }
        if (lo && hi) {
            dim.lo = *lo;
            dim.hi = *hi;
        } else {
            dim = {};
            box.holes.push_back(box.dims.size());
            box.hole_estimates.push_back(value(interval));
        }
        dim.grows = !dim.inputs_only && grows(interval);
        box.dims.push_back(std::move(dim));
    }

private:
    std::optional<RegionBound> bound(const Expr &expr, RegionCompiler &compiler, bool &inputs_only,
                                     bool &affine, AffineBound &form) {
        // Most bounds are ends of loops as they are, which need no simplification.
        const Expr known = is_register(expr) ? expr : HI::simplify(estimates_.with_facts(expr));
        if (auto exact = affine_form(known)) {
            affine = true;
            form = std::move(*exact);
            return compiler.compile(known);
        }
        inputs_only = inputs_only && has_registers_only(known);
        const Expr estimated = HI::simplify(estimates_.with_estimates(known, gaps_));
        if (auto result = compiler.compile(estimated)) return result;
        const Expr narrowed =
            HI::simplify(HI::substitute(values_at(at_estimates_, fixed_), estimated));
        return compiler.compile(narrowed);
    }

    // Whether a block in the middle needs another number of points if parameters and sizes have
    // other values.
    bool grows(const HI::Interval &interval) {
        if (!interval.is_bounded()) return false;
        const auto middle =
            values_at(block_in_the_middle(), std::vector(at_estimates_.size(), true));
        const auto extent = [&](Values values) {
            const Expr ends = interval.max - interval.min;
            return HI::as_const_int(HI::simplify(HI::substitute(
                middle, HI::simplify(estimates_.with_estimates(ends, gaps_, values)))));
        };
        const auto estimated = extent(Values::estimated), larger = extent(Values::larger);
        return estimated && larger && *estimated != *larger;
    }

    std::vector<Interval> block_in_the_middle() const {
        constexpr int64_t kPoints = 8;
        std::vector<Interval> block;
        for (size_t k = 0; k < at_estimates_.size(); k++) {
            const Interval &whole = at_estimates_[k];
            const int64_t points = std::min(kPoints, std::max<int64_t>(1, whole.extent()));
            const int64_t start = whole.min + (whole.extent() - points) / 2;
            block.push_back(fixed_[k] ? whole : Interval::from_extent(start, points));
        }
        return block;
    }

    // Returns the interval at the estimates, by Halide's own evaluation.
    Interval value(const HI::Interval &interval) {
        const auto all = values_at(at_estimates_, std::vector(at_estimates_.size(), true));
        const auto evaluate = [&](const Expr &e, HI::Direction direction) {
            const Expr concrete =
                HI::simplify(HI::substitute(all, estimates_.with_estimates(e, gaps_)));
            const Expr constant = HI::find_constant_bound(concrete, direction);
            return constant.defined() ? HI::as_const_int(constant) : std::nullopt;
        };
        if (!interval.is_bounded()) return {-kRegionLimit, kRegionLimit};
        const auto lo = evaluate(interval.min, HI::Direction::Lower);
        const auto hi = evaluate(interval.max, HI::Direction::Upper);
        return lo && hi ? Interval{*lo, *hi} : Interval{};
    }

    const Estimates &estimates_;
    std::span<const Interval> at_estimates_;
    const std::vector<bool> &fixed_;
    Gaps &gaps_;
};

}  // namespace

CompiledBox compile_box(const std::vector<HI::Interval> &box, const Estimates &estimates,
                        std::span<const Interval> at_estimates, const std::vector<bool> &fixed,
                        Gaps &gaps) {
    CompiledBox result(at_estimates.size());
    BoxCompiler compiler(estimates, at_estimates, fixed, gaps);
    for (const HI::Interval &interval : box) compiler.add(interval, result);
    const auto by_parameters = [](const RegionDimension &dim) { return !dim.inputs_only; };
    if (std::ranges::any_of(result.dims, by_parameters)) {
        result.widest = widest_box(box, estimates, at_estimates.size());
    }
    return result;
}

RegionProgramId CompiledBox::add_to(RegionCode &code) const {
    const RegionProgramId id = compiler.add_to(code, dims);
    if (widest) code.set_widest(id, widest->compiler.add_to(code, widest->dims));
    return id;
}

void fill_holes(CompiledBox &box, std::span<const Interval> whole) {
    for (size_t d : box.holes) {
        box.dims[d].lo = {0, 0, std::clamp(whole[d].min, -kRegionLimit, kRegionLimit)};
        box.dims[d].hi = {0, 0, std::clamp(whole[d].max, -kRegionLimit, kRegionLimit)};
    }
}

namespace {

// Applies Func::bound, which replaces the required range; align_bounds, which widens it to whole
// multiples; or align_extent, which has no remainder, and rounds up the extent alone.
HI::Interval with_bound(HI::Interval range, const HI::Bound &bound) {
    if (bound.min.defined()) range.min = prepared(bound.min);
    if (bound.extent.defined() && range.has_lower_bound()) {
        range.max = range.min + prepared(bound.extent) - 1;
    }
    if (!bound.modulus.defined() || !range.is_bounded()) return range;
    const Expr modulus = prepared(bound.modulus);
    if (!bound.remainder.defined()) {
        const Expr multiples = (range.max - range.min + modulus) / modulus;
        range.max = HI::simplify(range.min + multiples * modulus - 1);
        return range;
    }
    const Expr remainder = prepared(bound.remainder);
    const auto floor_to = [&](const Expr &e) {
        return HI::simplify(((e - remainder) / modulus) * modulus + remainder);
    };
    const Expr min = floor_to(range.min);
    range.max = floor_to(range.max) + modulus - 1;
    range.min = min;
    return range;
}

// Applies all of a dimension. Halide begins with the last that was asked for, so that the first has
// the last word.
HI::Interval with_bounds(HI::Interval range, const HI::Function &func, size_t dim) {
    for (const HI::Bound &bound : func.schedule().bounds() | std::views::reverse) {
        if (bound.var == func.args()[dim]) range = with_bound(range, bound);
    }
    return range;
}

// Whether a stage computes along that dimension what is asked of its Func, and nothing else.
bool is_pure_along(const StageSource &stage, size_t dim) {
    const auto *variable = stage.definition().args()[dim].as<HI::Variable>();
    return variable != nullptr && variable->name == stage.func.args()[dim];
}

// Returns the ends of the loops of `stage` when `region` is computed of the Func.
std::map<std::string, Expr> loop_ends(const StageSource &stage,
                                      const std::vector<HI::Interval> &region) {
    std::map<std::string, Expr> ends;
    const auto &args = stage.func.args();
    for (size_t k = 0; k < stage.dims.size(); k++) {
        HI::Interval range;
        for (size_t d = 0; d < args.size(); d++) {
            if (args[d] == stage.dims[k].var) range = region[d];
        }
        for (const HI::ReductionVariable &rvar : stage.rvars) {
            if (rvar.var != stage.dims[k].var) continue;
            range.min = prepared(rvar.min);
            range.max = HI::simplify(range.min + prepared(rvar.extent) - 1);
        }
        ends[register_variable(2 * k)] = range.min;
        ends[register_variable(2 * k + 1)] = range.max;
    }
    return ends;
}

}  // namespace

std::optional<std::vector<HI::Interval>> computed_region(const std::vector<StageSource> &stages,
                                                         const HI::FuncValueBounds &values) {
    const HI::Function &func = stages.front().func;
    if (stages.size() == 1 && func.schedule().bounds().empty()) return {};
    std::vector<HI::Interval> region;
    for (int d = 0; d < func.dimensions(); d++) {
        region.push_back(with_bounds(loop_interval(d), func, static_cast<size_t>(d)));
    }
    for (size_t s = stages.size() - 1; s > 0; s--) {
        HI::Box own = written_box(stages[s], values);
        const auto read = required_boxes(stages[s], values);
        const auto it = read.find(func.name());
        if (it != read.end()) HI::merge_boxes(own, it->second);
        const auto ends = loop_ends(stages[s], region);
        for (size_t d = 0; d < own.size(); d++) {
            HI::Interval part = own[d];
            if (part.has_lower_bound()) part.min = HI::simplify(HI::substitute(ends, part.min));
            if (part.has_upper_bound()) part.max = HI::simplify(HI::substitute(ends, part.max));
            region[d] = HI::Interval::make_union(region[d], part);
            // What an update reaches beyond that is bounded anew.
            if (!is_pure_along(stages[s], d)) region[d] = with_bounds(region[d], func, d);
        }
    }
    return region;
}

}  // namespace autoschedule_gpu::reading
