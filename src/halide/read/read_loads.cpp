#include "halide/read/read_loads.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

class Reads : public HI::IRGraphVisitor {
public:
    std::vector<const HI::Call *> calls;

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Call *op) override {
        if (op->call_type == HI::Call::Halide || op->call_type == HI::Call::Image) {
            calls.push_back(op);
        }
        HI::IRGraphVisitor::visit(op);
    }
};

std::vector<const HI::Call *> reads_of(const StageGraph &graph) {
    // One visitor walks all roots, so that what two of them share is visited once.
    struct Visitor : Reads {
        using Reads::include;
        void start(const Expr &e) { include(e); }
    } reads;
    for (const Expr &value : graph.values) reads.start(value);
    for (const Expr &arg : graph.args) reads.start(arg);
    if (graph.predicate.defined()) reads.start(graph.predicate);
    return std::move(reads.calls);
}

bool is_zero(const std::vector<Coefficient> &row) {
    for (const Coefficient &c : row) {
        if (!c.known || c.value != 0) return false;
    }
    return true;
}

// Finds what clamps a coordinate, or makes it otherwise no sum.
struct ClampFinder : HI::IRGraphVisitor {
    bool clamps = false, promises = false;
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Min *) override { clamps = true; }
    void visit(const HI::Max *) override { clamps = true; }
    void visit(const HI::Select *) override { clamps = true; }
    void visit(const HI::Cast *) override { promises = true; }
    void visit(const HI::Call *op) override {
        promises |= op->is_intrinsic({HI::Call::promise_clamped, HI::Call::unsafe_promise_clamped});
        IRGraphVisitor::visit(op);
    }
};

bool is_clamped(const HI::Call *load) {
    ClampFinder finder;
    for (size_t d = 1; d < load->args.size(); d++) load->args[d].accept(&finder);
    return finder.clamps;
}

bool is_of_sums(const HI::Call *load) {
    ClampFinder finder;
    for (const Expr &coordinate : load->args) coordinate.accept(&finder);
    return !finder.clamps && !finder.promises;
}

std::optional<double> number(const Expr &expr, const Estimates &estimates) {
    const auto constant = [](const Expr &e) -> std::optional<double> {
        if (const auto value = HI::as_const_int(e)) return static_cast<double>(*value);
        if (const auto value = HI::as_const_uint(e)) return static_cast<double>(*value);
        return HI::as_const_float(e);
    };
    if (const auto value = constant(expr)) return value;
    Gaps ignored;
    return constant(HI::simplify(estimates.with_estimates(expr, ignored)));
}

// Where elements of Tuples are read.
class TuplesRead {
public:
    // Whether no call before was about that Tuple at these coordinates. What is no Tuple is read
    // at different ones always, for there equal calls are one.
    bool is_first(const HI::Call *call) {
        if (!call->func.defined() || HI::Function(call->func).outputs() == 1) return true;
        return places_[call->name].insert(call->args).second;
    }

private:
    struct Before {
        bool operator()(const std::vector<Expr> &a, const std::vector<Expr> &b) const {
            return std::ranges::lexicographical_compare(a, b, HI::IRDeepCompare());
        }
    };
    std::map<std::string, std::set<std::vector<Expr>, Before>> places_;
};

}  // namespace

StageGraph stage_graph(const StageSource &stage) {
    std::vector<Expr> all = stage.values;
    if (stage.index > 0) all.insert(all.end(), stage.args.begin(), stage.args.end());
    if (stage.predicate.defined()) all.push_back(stage.predicate);
    if (all.size() > 1) {
        // Common subexpressions have been found within each value, but not between two values, or
        // between a value and the left-hand side.
        Expr bundle =
            HI::Call::make(Halide::Int(32), HI::Call::bundle, all, HI::Call::PureIntrinsic);
        bundle = HI::substitute_in_all_lets(HI::common_subexpression_elimination(bundle));
        all = bundle.as<HI::Call>()->args;
    } else if (all.size() == 1) {
        all[0] = HI::substitute_in_all_lets(all[0]);
    }
    StageGraph graph;
    size_t next = 0;
    for (size_t i = 0; i < stage.values.size(); i++) graph.values.push_back(all[next++]);
    if (stage.index > 0) {
        for (size_t i = 0; i < stage.args.size(); i++) graph.args.push_back(all[next++]);
    }
    if (stage.predicate.defined()) graph.predicate = all[next];
    return graph;
}

std::vector<Coefficient> Derivative::of(const Expr &expr) {
    const Row &result = row(expr);
    return result.empty() ? std::vector<Coefficient>(loops_) : result;
}

const Derivative::Row &Derivative::row(const Expr &expr) {
    const auto known = rows_.find(expr.get());
    if (known != rows_.end()) return known->second.second;
    Row result = compute(expr);
    if (is_zero(result)) result.clear();
    return rows_.emplace(expr.get(), std::pair(expr, std::move(result))).first->second.second;
}

Derivative::Row Derivative::compute(const Expr &expr) {
    if (const auto *op = expr.as<HI::Variable>()) {
        Row result;
        for (size_t k = 0; k < loops_; k++) {
            if (op->param.defined() || op->name != loop_variable(k)) continue;
            result.resize(loops_);
            result[k].value = 1;
        }
        return result;
    }
    if (const auto *op = expr.as<HI::Add>()) return sum(row(op->a), row(op->b), 1);
    if (const auto *op = expr.as<HI::Sub>()) return sum(row(op->a), row(op->b), -1);
    if (const auto *op = expr.as<HI::Mul>()) return product(op);
    if (const auto *op = expr.as<HI::Div>()) {
        if (row(op->b).empty()) return scaled(op->a, op->b, true);
        return unknown_where_nonzero({op->a, op->b});
    }
    if (const auto *op = expr.as<HI::Min>()) return either(op->a, op->b);
    if (const auto *op = expr.as<HI::Max>()) return either(op->a, op->b);
    if (const auto *op = expr.as<HI::Select>()) {
        if (row(op->condition).empty() || row(op->true_value) == row(op->false_value)) {
            return either(op->true_value, op->false_value);
        }
        return unknown_where_nonzero({op->condition, op->true_value, op->false_value});
    }
    if (const auto *op = expr.as<HI::Cast>()) {
        const bool narrow = !op->type.is_float() && op->type.bits() < 32 &&
                            !op->type.can_represent(op->value.type());
        return narrow ? unknown_where_nonzero({op->value}) : row(op->value);
    }
    if (const auto *op = expr.as<HI::Call>()) return of_call(op);
    if (const auto *op = expr.as<HI::Mod>()) return remainder(op);
    if (const auto *op = expr.as<HI::Not>()) return unknown_where_nonzero({op->a});
    if (const auto *op = expr.as<HI::Reinterpret>()) return unknown_where_nonzero({op->value});
    const auto comparison = [&](const auto *op) { return unknown_where_nonzero({op->a, op->b}); };
    if (const auto *op = expr.as<HI::EQ>()) return comparison(op);
    if (const auto *op = expr.as<HI::NE>()) return comparison(op);
    if (const auto *op = expr.as<HI::LT>()) return comparison(op);
    if (const auto *op = expr.as<HI::LE>()) return comparison(op);
    if (const auto *op = expr.as<HI::GT>()) return comparison(op);
    if (const auto *op = expr.as<HI::GE>()) return comparison(op);
    if (const auto *op = expr.as<HI::And>()) return comparison(op);
    if (const auto *op = expr.as<HI::Or>()) return comparison(op);
    return {};
}

Derivative::Row Derivative::of_call(const HI::Call *op) {
    if (op->is_intrinsic({HI::Call::likely, HI::Call::likely_if_innermost,
                          HI::Call::promise_clamped, HI::Call::unsafe_promise_clamped,
                          HI::Call::saturating_cast, HI::Call::round}) ||
        op->name.compare(0, 6, "floor_") == 0 || op->name.compare(0, 5, "ceil_") == 0 ||
        op->name.compare(0, 6, "trunc_") == 0 || op->name.compare(0, 6, "round_") == 0) {
        return row(op->args[0]);
    }
    if (op->is_intrinsic({HI::Call::shift_left, HI::Call::shift_right})) {
        if (const auto bits = HI::as_const_uint(HI::simplify(op->args[1]))) {
            const bool right = op->is_intrinsic(HI::Call::shift_right);
            return scaled(op->args[0], HI::make_const(Halide::Int(64), int64_t{1} << (*bits & 31)),
                          right);
        }
        if (const auto bits = HI::as_const_int(HI::simplify(op->args[1])); bits && *bits >= 0) {
            const bool right = op->is_intrinsic(HI::Call::shift_right);
            return scaled(op->args[0], HI::make_const(Halide::Int(64), int64_t{1} << (*bits & 31)),
                          right);
        }
    }
    if (op->is_intrinsic(HI::Call::if_then_else) && op->args.size() == 3) {
        if (row(op->args[0]).empty()) return either(op->args[1], op->args[2]);
    }
    Row result = unknown_where_nonzero(op->args);
    if (op->call_type != HI::Call::PureIntrinsic) {
        for (Coefficient &c : result) c.period = 0;  // what it is depends on data
    }
    return result;
}

Derivative::Row Derivative::scaled(const Expr &varying, const Expr &factor, bool inverse) {
    Row result = row(varying);
    if (result.empty()) return result;
    const auto value = number(factor, estimates_);
    if (!value || (inverse && *value == 0)) return unknown_where_nonzero({varying});
    for (Coefficient &c : result) c.value = inverse ? c.value / *value : c.value * *value;
    return result;
}

Derivative::Row Derivative::product(const HI::Mul *op) {
    if (row(op->b).empty()) return scaled(op->a, op->b, false);
    if (row(op->a).empty()) return scaled(op->b, op->a, false);
    return unknown_where_nonzero({op->a, op->b});
}

Derivative::Row Derivative::sum(const Row &a, const Row &b, double sign) const {
    Row result = a.empty() ? Row(loops_) : a;
    for (size_t k = 0; k < b.size(); k++) {
        result[k].period = common_period(result[k], b[k]);
        result[k].value += sign * b[k].value;
        result[k].known &= b[k].known;
        if (!result[k].known) result[k].value = 0;
    }
    return result;
}

// Returns the derivative of an expression that is either `a` or `b`, such as a minimum. If one of
// them is a limit that does not vary, it is the derivative of the other.
Derivative::Row Derivative::either(const Expr &a, const Expr &b) {
    const Row &left = row(a), &right = row(b);
    if (left.empty() || left == right) return right;
    if (right.empty()) return left;
    Row result(loops_);
    for (size_t k = 0; k < loops_; k++) {
        result[k] = left[k] == right[k] ? left[k] : Coefficient{0, false};
    }
    return result;
}

Derivative::Row Derivative::unknown_where_nonzero(const std::vector<Expr> &from) {
    Row result(loops_);
    for (const Expr &e : from) {
        const Row &part = row(e);
        for (size_t k = 0; k < part.size(); k++) {
            if (part[k].known && part[k].value == 0) continue;
            result[k] = {0, false, common_period(result[k], part[k])};
        }
    }
    return result;
}

// Of what moves by whole steps it repeats.
Derivative::Row Derivative::remainder(const HI::Mod *op) {
    Row result = unknown_where_nonzero({op->a, op->b});
    const auto divisor = HI::as_const_int(op->b);
    const Row &moves = row(op->a);
    if (!divisor || *divisor <= 0) return result;
    for (size_t k = 0; k < moves.size(); k++) {
        const auto step = static_cast<int64_t>(moves[k].value);
        if (!moves[k].known || static_cast<double>(step) != moves[k].value) continue;
        if (step != 0) result[k].period = *divisor / std::gcd(*divisor, std::abs(step));
    }
    return result;
}

// Of accesses that are alike but for how they repeat.
static void join_periods(const AccessMatrix &other, AccessMatrix &access) {
    for (size_t d = 0; d < access.dims(); d++) {
        for (size_t k = 0; k < access.loops(); k++) {
            Coefficient &c = access.at(d, k);
            c.period = c.known ? 0 : common_period(c, other.at(d, k));
        }
    }
}

static bool is_in_place(const HI::Call *call, const StageGraph &graph) {
    return std::ranges::equal(call->args, graph.args, [](const Expr &read, const Expr &stored) {
        return HI::equal(read, stored);
    });
}

std::vector<KeyedLoad> loads_of(const StageGraph &graph, size_t loops, const Estimates &estimates) {
    Derivative derivative(loops, estimates);
    std::vector<KeyedLoad> loads;
    TuplesRead tuples;
    for (const HI::Call *call : reads_of(graph)) {
        const bool clamped = is_clamped(call), of_sums = is_of_sums(call);
        KeyedLoad load{call->name,
                       call->type.bytes(),
                       AccessMatrix(call->args.size(), loops),
                       clamped,
                       of_sums,
                       {}};
        for (size_t d = 0; d < call->args.size(); d++) {
            const auto row = derivative.of(call->args[d]);
            for (size_t k = 0; k < loops; k++) load.access.at(d, k) = row[k];
        }
        const auto same = std::find_if(loads.begin(), loads.end(), [&](const KeyedLoad &other) {
            return other.producer == load.producer && other.access == load.access &&
                   other.bytes_per_site == load.bytes_per_site;
        });
        if (same != loads.end()) join_periods(load.access, same->access);
        KeyedLoad &into = same == loads.end() ? loads.emplace_back(std::move(load)) : *same;
        into.clamped &= clamped;
        into.of_sums &= of_sums;
        into.sites.push_back(call);
        into.in_place += is_in_place(call, graph);
        into.in_tuple += !tuples.is_first(call);
    }
    return loads;
}

AccessMatrix store_of(const StageSource &stage, const StageGraph &graph,
                      const Estimates &estimates) {
    const size_t loops = stage.dims.size();
    AccessMatrix store(stage.func.args().size(), loops);
    if (stage.index == 0) {
        for (size_t d = 0; d < store.dims(); d++) {
            for (size_t k = 0; k < loops; k++) {
                if (stage.dims[k].var == stage.func.args()[d]) store.at(d, k).value = 1;
            }
        }
        return store;
    }
    Derivative derivative(loops, estimates);
    for (size_t d = 0; d < graph.args.size(); d++) {
        const auto row = derivative.of(graph.args[d]);
        for (size_t k = 0; k < loops; k++) store.at(d, k) = row[k];
    }
    return store;
}

bool reads_pointwise(const StageSource &stage, const StageGraph &graph,
                     const std::string &producer) {
    const auto &own = stage.func.args();
    bool any = false;
    for (const HI::Call *call : reads_of(graph)) {
        if (call->name != producer) continue;
        any = true;
        if (call->args.size() != own.size()) return false;
        for (size_t d = 0; d < own.size(); d++) {
            const auto *variable = call->args[d].as<HI::Variable>();
            if (variable == nullptr) return false;
            bool own_loop = false;
            for (size_t k = 0; k < stage.dims.size(); k++) {
                own_loop |= variable->name == loop_variable(k) && stage.dims[k].var == own[d];
            }
            if (!own_loop) return false;
        }
    }
    return any;
}

bool reads_data(const Halide::Expr &expr) {
    struct Finder : HI::IRGraphVisitor {
        bool found = false;
        using HI::IRGraphVisitor::visit;
        void visit(const HI::Call *call) override {
            found =
                found || call->call_type == HI::Call::Halide || call->call_type == HI::Call::Image;
            HI::IRGraphVisitor::visit(call);
        }
    } finder;
    expr.accept(&finder);
    return finder.found;
}

}  // namespace autoschedule_gpu::reading
