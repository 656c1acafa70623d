#include "halide/read/read_ops.h"

#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "halide/read/c_arithmetic.h"
#include "halide/read/target_api.h"
#include "halide/version/version.h"

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

OpType op_type(const Halide::Type &type) {
    if (type.is_float()) {
        if (type.bits() <= 16) return OpType::half;
        return type.bits() == 32 ? OpType::single : OpType::wide_float;
    }
    return type.bits() > 32 ? OpType::wide_integer : OpType::integer;
}

// The instructions of an intrinsic, by kind: roughly what the GPU backends expand it to.
struct IntrinsicCost {
    HI::Call::IntrinsicOp op;
    struct {
        OpKind kind;
        double count;
    } parts[3];
};

constexpr IntrinsicCost kIntrinsics[] = {
    {HI::Call::abs, {{OpKind::other, 1}}},
    {HI::Call::absd, {{OpKind::add, 1}, {OpKind::other, 1}}},
    {HI::Call::bitwise_and, {{OpKind::bitwise, 1}}},
    {HI::Call::bitwise_not, {{OpKind::bitwise, 1}}},
    {HI::Call::bitwise_or, {{OpKind::bitwise, 1}}},
    {HI::Call::bitwise_xor, {{OpKind::bitwise, 1}}},
    {HI::Call::concat_bits, {{OpKind::shift, 1}, {OpKind::bitwise, 1}}},
    {HI::Call::count_leading_zeros, {{OpKind::other, 1}}},
    {HI::Call::count_trailing_zeros, {{OpKind::other, 2}}},
    {HI::Call::div_round_to_zero, {{OpKind::div, 1}}},
    {HI::Call::extract_bits, {{OpKind::shift, 1}, {OpKind::bitwise, 1}}},
    {HI::Call::halving_add, {{OpKind::add, 1}, {OpKind::shift, 1}}},
    {HI::Call::halving_sub, {{OpKind::add, 1}, {OpKind::shift, 1}}},
    {HI::Call::if_then_else, {{OpKind::select, 1}}},
    {HI::Call::lerp, {{OpKind::mul, 2}, {OpKind::add, 2}}},
    {HI::Call::mod_round_to_zero, {{OpKind::div, 1}}},
    {HI::Call::mul_shift_right, {{OpKind::mul, 1}, {OpKind::shift, 1}}},
    {HI::Call::popcount, {{OpKind::other, 1}}},
    {HI::Call::random, {{OpKind::mul, 4}, {OpKind::add, 4}, {OpKind::bitwise, 2}}},
    {HI::Call::round, {{OpKind::other, 1}}},
    {HI::Call::rounding_halving_add, {{OpKind::add, 2}, {OpKind::shift, 1}}},
    {HI::Call::rounding_mul_shift_right, {{OpKind::mul, 1}, {OpKind::add, 1}, {OpKind::shift, 1}}},
    {HI::Call::rounding_shift_left, {{OpKind::add, 1}, {OpKind::shift, 1}}},
    {HI::Call::rounding_shift_right, {{OpKind::add, 1}, {OpKind::shift, 1}}},
    {HI::Call::saturating_add, {{OpKind::add, 1}, {OpKind::min_max, 2}}},
    {HI::Call::saturating_sub, {{OpKind::add, 1}, {OpKind::min_max, 2}}},
    {HI::Call::saturating_cast, {{OpKind::min_max, 2}, {OpKind::cast, 1}}},
    {HI::Call::shift_left, {{OpKind::shift, 1}}},
    {HI::Call::shift_right, {{OpKind::shift, 1}}},
    {HI::Call::sorted_avg, {{OpKind::add, 2}, {OpKind::shift, 1}}},
    {HI::Call::widen_right_add, {{OpKind::add, 1}}},
    {HI::Call::widen_right_mul, {{OpKind::mul, 1}}},
    {HI::Call::widen_right_sub, {{OpKind::add, 1}}},
    {HI::Call::widening_add, {{OpKind::add, 1}}},
    {HI::Call::widening_mul, {{OpKind::mul, 1}}},
    {HI::Call::widening_shift_left, {{OpKind::shift, 1}}},
    {HI::Call::widening_shift_right, {{OpKind::shift, 1}}},
    {HI::Call::widening_sub, {{OpKind::add, 1}}},
};

// Returns true for intrinsics that vanish in code generation.
bool is_annotation(const HI::Call *op) {
    return op->is_intrinsic({HI::Call::likely, HI::Call::likely_if_innermost,
                             HI::Call::promise_clamped, HI::Call::unsafe_promise_clamped,
                             HI::Call::undef, HI::Call::bundle, HI::Call::memoize_expr,
                             HI::Call::return_second});
}

// A mathematical function that the GPU backends have (a pure extern call, named without its type's
// suffix), and what it costs. The list was found by compiling a kernel for each function, in float
// and double, for the CUDA and OpenCL targets of Halide 21 (float16: CUDA only). Anything that is
// missing here, such as exp2, fma, hypot or round as an extern call, is an unresolved symbol in a
// kernel.
struct MathFunction {
    std::string_view name;
    OpKind kind;
    double count;
};

constexpr MathFunction kMathFunctions[] = {
    {"abs", OpKind::other, 1},
    {"acos", OpKind::transcendental, 2},
    {"acosh", OpKind::transcendental, 2},
    {"asin", OpKind::transcendental, 2},
    {"asinh", OpKind::transcendental, 2},
    {"atan", OpKind::transcendental, 2},
    {"atan2", OpKind::transcendental, 3},
    {"atanh", OpKind::transcendental, 2},
    {"ceil", OpKind::other, 1},
    {"cos", OpKind::transcendental, 1},
    {"cosh", OpKind::transcendental, 2},
    {"exp", OpKind::transcendental, 1},
    {"fast_inverse", OpKind::sqrt, 1},
    {"fast_inverse_sqrt", OpKind::sqrt, 1},
    {"floor", OpKind::other, 1},
    {"inf", OpKind::other, 0},
    {"is_finite", OpKind::compare, 1},
    {"is_inf", OpKind::compare, 1},
    {"is_nan", OpKind::compare, 1},
    {"log", OpKind::transcendental, 1},
    {"nan", OpKind::other, 0},
    {"neg_inf", OpKind::other, 0},
    {"pow", OpKind::transcendental, 2},
    {"sin", OpKind::transcendental, 1},
    {"sinh", OpKind::transcendental, 2},
    {"sqrt", OpKind::sqrt, 1},
    {"tan", OpKind::transcendental, 2},
    {"tanh", OpKind::transcendental, 2},
    {"trunc", OpKind::other, 1},
};

const MathFunction *math_function(const HI::Call *op) {
    if (op->call_type != HI::Call::PureExtern) return nullptr;
    std::string_view name = op->name;
    // The fast inverse functions exist in single precision only.
    if (name.starts_with("fast_inverse") && !name.ends_with("_f32")) return nullptr;
    for (const std::string_view suffix : {"_f16", "_f32", "_f64"}) {
        if (name.size() <= suffix.size() || !name.ends_with(suffix)) continue;
        name.remove_suffix(suffix.size());
        for (const MathFunction &function : kMathFunctions) {
            if (function.name == name) return &function;
        }
    }
    return nullptr;
}

// Finds which loops of a stage expressions depend on.
class LoopUse : public HI::IRGraphVisitor {
public:
    explicit LoopUse(const StageSource &source)
        : own_(source.func.name()), loops_(source.dims.size()) {}

    // As a set: bit i for loop i.
    uint64_t of(const HI::IRNode *node) {
        const auto known = used_.find(node);
        if (known != used_.end()) return known->second;
        const uint64_t outside = std::exchange(found_, 0);
        node->accept(this);
        return used_[node] = std::exchange(found_, outside);
    }

    uint64_t all() const { return loops_ < 64 ? (uint64_t{1} << loops_) - 1 : ~uint64_t{0}; }

private:
    using HI::IRGraphVisitor::visit;

    // Expressions share much of each other.
    void include(const Expr &e) override { found_ |= of(e.get()); }

    void visit(const HI::Variable *op) override {
        for (size_t i = 0; i < loops_ && i < 64; ++i) {
            if (op->name == loop_variable(i)) found_ |= uint64_t{1} << i;
        }
    }
    // What a stage has stored itself differs from iteration to iteration of any loop.
    void visit(const HI::Call *op) override {
        if (op->call_type == HI::Call::Halide && op->name == own_) found_ |= all();
        HI::IRGraphVisitor::visit(op);
    }

    const std::string own_;
    const size_t loops_;
    uint64_t found_ = 0;
    std::map<const HI::IRNode *, uint64_t> used_;
};

class OpCounter : public HI::IRGraphVisitor {
public:
    OpCounter(const StageSource &source, const Choices &choices)
        : choices_(choices), loops_(source) {
        if (!choices.choices().empty()) untaken.resize(choices.known_sets());
    }

    OpHistogram ops, spared;
    std::vector<OpHistogram> untaken;        // by the choices that are known
    std::map<uint64_t, OpHistogram> shared;  // by the loops that they depend on, if not on all

    void count_value(const Expr &e) {
        address_ = false;
        include(e);
    }
    void count_address(const Expr &e) {
        address_ = true;
        include(e);
    }

private:
    using HI::IRGraphVisitor::visit;

    void include(const Expr &e) override {
        if (address_ && !reads_data(e)) return;
        if (!seen_.insert(e.get()).second) return;
        const HI::IRNode *outside = std::exchange(node_, e.get());
        e.accept(this);
        node_ = outside;
    }

    bool reads_data(const Expr &e) {
        const auto known = reads_data_.find(e.get());
        if (known != reads_data_.end()) return known->second;
        return reads_data_[e.get()] = reading::reads_data(e);
    }

    static void add(OpHistogram &to, OpKind kind, const Halide::Type &type, double number) {
        to.at(kind, op_type(type)) += number * type.lanes();
    }
    void count(OpKind kind, const Halide::Type &type, double number = 1) {
        add(ops, kind, type, number);
        for (size_t known = 1; known < untaken.size(); ++known) {
            add(untaken[known], kind, type, number * (1 - choices_.share(node_, known)));
        }
        // An arm that few points take has few to share it.
        const uint64_t loops = loops_.of(node_);
        const bool always = untaken.empty() || choices_.share(node_, untaken.size() - 1) == 1;
        if (loops != loops_.all() && always) add(shared[loops], kind, type, number);
    }
    void spare(OpKind kind, const Halide::Type &type, double number) {
        add(spared, kind, type, number);
    }

    template <typename Node>
    void binary(OpKind kind, const Node *op) {
        count(kind, op->a.type());
        HI::IRGraphVisitor::visit(op);
    }

    void visit(const HI::Add *op) override { binary(OpKind::add, op); }
    void visit(const HI::Sub *op) override { binary(OpKind::add, op); }
    void visit(const HI::Mul *op) override { binary(OpKind::mul, op); }
    void visit(const HI::Min *op) override { binary(OpKind::min_max, op); }
    void visit(const HI::Max *op) override { binary(OpKind::min_max, op); }
    void visit(const HI::EQ *op) override { binary(OpKind::compare, op); }
    void visit(const HI::NE *op) override { binary(OpKind::compare, op); }
    void visit(const HI::LT *op) override { binary(OpKind::compare, op); }
    void visit(const HI::LE *op) override { binary(OpKind::compare, op); }
    void visit(const HI::GT *op) override { binary(OpKind::compare, op); }
    void visit(const HI::GE *op) override { binary(OpKind::compare, op); }
    void visit(const HI::And *op) override { binary(OpKind::logic, op); }
    void visit(const HI::Or *op) override { binary(OpKind::logic, op); }
    void visit(const HI::Not *op) override { binary(OpKind::logic, op); }

    void visit(const HI::Div *op) override {
        // Halide multiplies by the reciprocal of a floating-point constant.
        if (op->type.is_float() && HI::is_const(op->b)) {
            spare(OpKind::div, op->type, 1);
            spare(OpKind::mul, op->type, -1);
            return binary(OpKind::mul, op);
        }
        const bool shift = !op->type.is_float() && HI::is_const_power_of_two_integer(op->b);
        if (!shift && is_wide_by_constant(op)) return wide_by_constant(op, 0);
        binary(shift ? OpKind::shift : OpKind::div, op);
    }
    void visit(const HI::Mod *op) override {
        const bool mask = !op->type.is_float() && HI::is_const_power_of_two_integer(op->b);
        if (!mask && is_wide_by_constant(op)) return wide_by_constant(op, 1);
        binary(mask ? OpKind::bitwise : OpKind::div, op);
    }
    template <typename Node>
    static bool is_wide_by_constant(const Node *op) {
        return op_type(op->type) == OpType::wide_integer && HI::is_const(op->b);
    }
    // Compilers multiply by the reciprocal of a constant: of 64 bits, in four parts (ptxas makes 20
    // instructions of it, of which an operation on 64 bits counts as two). What remains takes a
    // product more.
    template <typename Node>
    void wide_by_constant(const Node *op, double remainders) {
        count(OpKind::mul, op->type, 4 + remainders);
        count(OpKind::add, op->type, 4 + remainders);
        count(OpKind::shift, op->type, 2);
        HI::IRGraphVisitor::visit(op);
    }
    void visit(const HI::Select *op) override {
        count(OpKind::select, op->type);
        HI::IRGraphVisitor::visit(op);
    }
    void visit(const HI::Cast *op) override {
        // Integers of one size have the same bits, and a load fills a whole register, so these
        // casts are free.
        const Halide::Type from = op->value.type();
        const bool integers = !op->type.is_float() && !from.is_float();
        const bool same_bits = integers && op->type.bits() == from.bits();
        const bool extends = integers && from.bits() < op->type.bits() && op->type.bits() <= 32;
        if (!same_bits && !(extends && is_load(op->value))) {
            const bool from_wider = from.is_float() && !op->type.is_float();
            count(OpKind::cast, from_wider ? from : op->type);
        }
        HI::IRGraphVisitor::visit(op);
    }

    static bool is_load(const Expr &e) {
        const HI::Call *call = e.as<HI::Call>();
        return call != nullptr &&
               (call->call_type == HI::Call::Halide || call->call_type == HI::Call::Image);
    }

    void visit(const HI::Call *op) override {
        if (op->call_type == HI::Call::Halide || op->call_type == HI::Call::Image) {
            const bool outer = address_;
            address_ = true;
            for (const Expr &arg : op->args) include(arg);
            address_ = outer;
            return;
        }
        count_call(op);
        HI::IRGraphVisitor::visit(op);
    }

    void count_call(const HI::Call *op) {
        if (is_annotation(op)) return;
        if (const MathFunction *function = math_function(op)) {
            count(function->kind, op->args.empty() ? op->type : op->args[0].type(),
                  function->count);
            return;
        }
        if (op->is_intrinsic(HI::Call::mux)) {
            // Which channel it is, is known where channels are unrolled, as they mostly are.
            OpHistogram &to = reads_data(op->args[0]) ? ops : spared;
            const double choices = static_cast<double>(op->args.size()) - 2;
            add(to, OpKind::select, op->type, choices);
            add(to, OpKind::compare, op->args[0].type(), choices);
            return;
        }
        for (const IntrinsicCost &cost : kIntrinsics) {
            if (!op->is_intrinsic(cost.op)) continue;
            for (const auto &part : cost.parts) {
                if (part.count > 0) count(part.kind, op->type, part.count);
            }
            return;
        }
        count(OpKind::other, op->type);
    }

    const Choices &choices_;
    LoopUse loops_;
    const HI::IRNode *node_ = nullptr;  // that is visited
    bool address_ = false;
    std::set<const HI::IRNode *> seen_;
    std::map<const HI::IRNode *, bool> reads_data_;
};

// Returns what the target lacks: "half, for which the target needs the feature cl_half", or
// "double, which kernels for Metal can't have". Empty if the target has the ability.
std::string lack_of(const Ability &ability, std::string_view what, const Halide::Target &target) {
    if (has(target, ability)) return "";
    if (ability.when == Ability::When::with_feature) {
        return std::string(what) + ", for which the target needs the feature " +
               std::string(ability.feature);
    }
    return std::string(what) + ", which kernels for " +
           std::string(capabilities(*gpu_api(target)).title) + " can't have";
}

// Returns the same for a call whose types are supported.
std::string lack_of_call(const HI::Call *op, const Halide::Target &target) {
    const std::optional<GpuApi> api = gpu_api(target);
    if (!api) return "";
    const ApiCapabilities &able = capabilities(*api);
    if (op->is_intrinsic(
            {HI::Call::popcount, HI::Call::count_leading_zeros, HI::Call::count_trailing_zeros})) {
        return lack_of(able.bit_counts, "counts of bits", target);
    }
    if (op->is_intrinsic(HI::Call::bitwise_not) && op->type.is_bool()) {
        return lack_of(able.boolean_complements, "`~` of Booleans", target);
    }
    if (math_function(op) == nullptr) return "";
    if (op->name == "pow_f16") return lack_of(able.half_power, "pow of half", target);
    if (op->name.ends_with("_f64")) {
        return lack_of(able.double_math, "mathematical functions of double", target);
    }
    return "";
}

// Returns the same for a conversion.
std::string lack_of_cast(const HI::Cast *op, const Halide::Target &target) {
    const std::optional<GpuApi> api = gpu_api(target);
    if (!api || !op->type.is_bool() || op->value.type().is_bool()) return "";
    if (op->value.type().is_int_or_uint() && HI::can_prove(op->value >= 0) &&
        HI::can_prove(op->value <= 1)) {
        return "";
    }
    return lack_of(capabilities(*api).boolean_conversions, "conversions of numbers to Booleans",
                   target);
}

// Returns the same for an operation on floating-point numbers.
std::string lack_of_arithmetic(const Expr &e, const Halide::Target &target) {
    const std::optional<GpuApi> api = gpu_api(target);
    if (!api) return "";
    const ApiCapabilities &able = capabilities(*api);
    if (!has(target, able.float_remainders) && is_remainder_of_any_sign(e)) {
        return lack_of(able.float_remainders, "remainders of float that may be negative", target);
    }
    if (!has(target, able.double_constants) && needs_constant_beyond_float(e)) {
        return lack_of(able.double_constants, "constants of double that float does not have",
                       target);
    }
    return "";
}

class HostReason : public HI::IRGraphVisitor {
public:
    explicit HostReason(const Halide::Target &target) : target_(target) {}
    std::string reason;

    void look(const Expr &e) { include(e); }

private:
    using HI::IRGraphVisitor::visit;

    void include(const Expr &e) override {
        if (reason.empty()) {
            const std::string problem = unsupported_type(e.type(), target_);
            const std::string lack = problem.empty() ? lack_of_arithmetic(e, target_) : problem;
            if (!lack.empty()) reason = "computes with " + lack;
        }
        if (reason.empty()) HI::IRGraphVisitor::include(e);
    }

    void visit(const HI::Call *op) override {
        if (op->name == "halide_print") {
            reason = "calls print()";
        } else if (op->is_intrinsic(HI::Call::require)) {
            reason = "calls require()";
        } else if (op->is_extern() && math_function(op) == nullptr) {
            reason = "calls the extern function " + op->name;
        } else if (op->param.defined() && op->param.is_buffer() &&
                   halide_version::traces_loads(op->param)) {
            reason = "traces its loads";
        } else if (const std::string lack = lack_of_call(op, target_); !lack.empty()) {
            reason = "computes with " + lack;
        } else if (op->call_type == HI::Call::Image && !lack_of_stored(op->type, target_).empty()) {
            reason = "reads " + lack_of_stored(op->type, target_);
        }
        // The arguments of require() and print() are text, which no kernel has to compute.
        if (reason.empty()) HI::IRGraphVisitor::visit(op);
    }

    void visit(const HI::Cast *op) override {
        if (const std::string lack = lack_of_cast(op, target_); !lack.empty()) {
            reason = "computes with " + lack;
        }
        if (reason.empty()) HI::IRGraphVisitor::visit(op);
    }

    const Halide::Target &target_;
};

class CallsWithEffects : public HI::IRGraphVisitor {
public:
    bool found = false;

    void look(const Expr &e) { include(e); }

private:
    using HI::IRGraphVisitor::visit;

    void visit(const HI::Call *op) override {
        const bool is_foreign =
            op->call_type == HI::Call::Extern || op->call_type == HI::Call::ExternCPlusPlus;
        found = found || (is_foreign && math_function(op) == nullptr);
        HI::IRGraphVisitor::visit(op);
    }
};

// Looks at all that a definition computes.
void look_at(const StageGraph &graph, auto &visitor) {
    for (const Expr &value : graph.values) visitor.look(value);
    for (const Expr &arg : graph.args) visitor.look(arg);
    if (graph.predicate.defined()) visitor.look(graph.predicate);
}

}  // namespace

Ops ops_of(const StageSource &source, const StageGraph &graph, const Choices &choices) {
    OpCounter counter(source, choices);
    if (graph.predicate.defined()) counter.count_value(graph.predicate);
    for (const Expr &value : graph.values) counter.count_value(value);
    for (const Expr &arg : graph.args) counter.count_address(arg);
    Ops ops{counter.ops, counter.spared, counter.untaken, {}};
    for (const auto &[loops, shared] : counter.shared) ops.shared.push_back({loops, shared});
    return ops;
}

std::string host_reason_of(const StageGraph &graph, const Halide::Target &target) {
    HostReason finder(target);
    look_at(graph, finder);
    return finder.reason;
}

bool must_be_in_order(const StageGraph &graph) {
    CallsWithEffects finder;
    look_at(graph, finder);
    return finder.found;
}

std::string unsupported_type(const Halide::Type &type, const Halide::Target &target) {
    const std::optional<GpuApi> api = gpu_api(target);
    if (!api) return "";
    const ApiCapabilities &able = capabilities(*api);
    if (type.is_bfloat()) return lack_of(able.brain_floats, "bfloat16", target);
    if (type.is_float()) {
        if (type.bits() == 64) return lack_of(able.doubles, "double", target);
        if (type.bits() == 16) return lack_of(able.half, "half", target);
    }
    if (type.is_int_or_uint()) {
        if (type.bits() == 8) return lack_of(able.integers_8, "8-bit integers", target);
        if (type.bits() == 16) return lack_of(able.integers_16, "16-bit integers", target);
        if (type.bits() == 64) return lack_of(able.integers_64, "64-bit integers", target);
    }
    return "";
}

std::string lack_of_stored(const Halide::Type &type, const Halide::Target &target) {
    const std::optional<GpuApi> api = gpu_api(target);
    if (!api || !type.is_bool()) return "";
    return lack_of(capabilities(*api).stored_booleans, "Booleans in memory", target);
}

}  // namespace autoschedule_gpu::reading
