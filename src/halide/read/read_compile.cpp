#include "halide/read/read_compile.h"

#include <bit>
#include <limits>

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

bool fits_int32(int64_t value) {
    return value >= std::numeric_limits<int32_t>::min() &&
           value <= std::numeric_limits<int32_t>::max();
}

bool is_single(const Halide::Type &type) {
    return type.is_float() && type.bits() == 32;
}

void add_scaled(AffineBound &to, const AffineBound &from, int64_t scale) {
    to.add += from.add * scale;
    for (const AffineBound::Term &term : from.terms) {
        auto it = to.terms.begin();
        while (it != to.terms.end() && it->reg < term.reg) ++it;
        if (it != to.terms.end() && it->reg == term.reg) {
            it->coefficient += term.coefficient * scale;
            if (it->coefficient == 0) to.terms.erase(it);
        } else if (term.coefficient * scale != 0) {
            to.terms.insert(it, {term.reg, term.coefficient * scale});
        }
    }
}

}  // namespace

std::optional<AffineBound> affine_form(const Expr &expr) {
    AffineBound result;
    if (const auto constant = HI::as_const_int(expr)) {
        result.add = *constant;
        return result;
    }
    if (!(expr.type().is_int() && expr.type().bits() >= 32)) return {};
    if (const auto *variable = expr.as<HI::Variable>()) {
        const int reg = variable->param.defined() ? -1 : register_of(variable->name);
        if (reg < 0) return {};
        result.terms.push_back({static_cast<uint16_t>(reg), 1});
        return result;
    }
    const auto combine = [&](const Expr &a, const Expr &b, int64_t sign) {
        std::optional<AffineBound> left = affine_form(a), right = affine_form(b);
        if (left && right) add_scaled(*left, *right, sign);
        return right ? left : right;
    };
    if (const auto *add = expr.as<HI::Add>()) return combine(add->a, add->b, 1);
    if (const auto *sub = expr.as<HI::Sub>()) return combine(sub->a, sub->b, -1);
    if (const auto *mul = expr.as<HI::Mul>()) {
        const auto factor = HI::as_const_int(mul->b);
        const auto base = affine_form(mul->a);
        if (!factor || !base || !fits_int32(*factor)) return {};
        add_scaled(result, *base, *factor);
        return result;
    }
    return {};
}

std::optional<RegionBound> RegionCompiler::compile(const Expr &expr) {
    try {
        Value v = value(expr);
        if (!fits_int32(v.coefficient)) throw Unsupported();
        v.add = std::clamp(v.add, -kRegionLimit, kRegionLimit);
        return RegionBound{v.reg, static_cast<int32_t>(v.coefficient), v.add};
    } catch (const Unsupported &) {
        return {};
    }
}

RegionCompiler::Value RegionCompiler::value(const Expr &expr) {
    const auto found = known_.find(expr.get());
    if (found != known_.end()) return found->second.second;
    const Value v = value_uncached(expr);
    // Values are not remembered under a let, where a name may mean something else later.
    if (lets_.empty()) known_[expr.get()] = {expr, v};
    return v;
}

RegionCompiler::Value RegionCompiler::value_uncached(const Expr &expr) {
    if (expr.type().is_float() && !is_single(expr.type())) throw Unsupported();
    if (const auto constant = HI::as_const_int(expr)) return {0, 0, *constant};
    if (const auto constant = HI::as_const_uint(expr)) {
        if (*constant > static_cast<uint64_t>(kRegionLimit)) throw Unsupported();
        return {0, 0, static_cast<int64_t>(*constant)};
    }
    if (const auto *op = expr.as<HI::FloatImm>()) return constant_float(op->value);
    if (const auto *op = expr.as<HI::Variable>()) return variable(op);
    if (const auto *op = expr.as<HI::Cast>()) return cast(op);
    if (const auto *op = expr.as<HI::Call>()) return call(op);
    if (const auto *op = expr.as<HI::Let>()) return let(op);
    if (const auto *op = expr.as<HI::Select>()) {
        return select(op->condition, op->true_value, op->false_value);
    }
    if (const auto *op = expr.as<HI::Add>()) return binary(op, RegionOp::add, RegionOp::f_add);
    if (const auto *op = expr.as<HI::Sub>()) return binary(op, RegionOp::sub, RegionOp::f_sub);
    if (const auto *op = expr.as<HI::Mul>()) return binary(op, RegionOp::mul, RegionOp::f_mul);
    if (const auto *op = expr.as<HI::Div>()) return binary(op, RegionOp::div, RegionOp::f_div);
    if (const auto *op = expr.as<HI::Min>()) return binary(op, RegionOp::min, RegionOp::f_min);
    if (const auto *op = expr.as<HI::Max>()) return binary(op, RegionOp::max, RegionOp::f_max);
    if (const auto *op = expr.as<HI::Mod>()) {
        if (op->type.is_float()) throw Unsupported();
        return divided(value(op->a), value(op->b), RegionOp::mod, RegionOp::mod_imm);
    }
    if (const auto *op = expr.as<HI::LT>()) {
        return compare(op, RegionOp::lt, RegionOp::f_lt, false);
    }
    if (const auto *op = expr.as<HI::GT>()) return compare(op, RegionOp::lt, RegionOp::f_lt, true);
    if (const auto *op = expr.as<HI::LE>()) {
        return compare(op, RegionOp::le, RegionOp::f_le, false);
    }
    if (const auto *op = expr.as<HI::GE>()) return compare(op, RegionOp::le, RegionOp::f_le, true);
    if (const auto *op = expr.as<HI::EQ>()) return compare(op, RegionOp::eq, RegionOp::eq, false);
    if (const auto *op = expr.as<HI::NE>()) {
        return negated(compare(op, RegionOp::eq, RegionOp::eq, false));
    }
    if (const auto *op = expr.as<HI::Not>()) return negated(value(op->a));
    if (const auto *op = expr.as<HI::And>()) {
        return emit(RegionOp::logical_and, in_register(value(op->a)), in_register(value(op->b)));
    }
    if (const auto *op = expr.as<HI::Or>()) {
        return emit(RegionOp::logical_or, in_register(value(op->a)), in_register(value(op->b)));
    }
    throw Unsupported();
}

RegionCompiler::Value RegionCompiler::variable(const HI::Variable *op) {
    const auto bound = lets_.find(op->name);
    if (bound != lets_.end()) return bound->second;
    const int reg = op->param.defined() ? -1 : register_of(op->name);
    if (reg < 0 || static_cast<size_t>(reg) >= 2 * inputs_) throw Unsupported();
    return {static_cast<uint16_t>(reg), 1, 0};
}

RegionCompiler::Value RegionCompiler::let(const HI::Let *op) {
    const Value bound = value(op->value);
    const auto shadowed = lets_.find(op->name);
    const std::optional<Value> outer =
        shadowed == lets_.end() ? std::nullopt : std::optional(shadowed->second);
    lets_[op->name] = bound;
    const Value body = value(op->body);
    lets_.erase(op->name);
    if (outer) lets_[op->name] = *outer;
    return body;
}

RegionCompiler::Value RegionCompiler::constant_float(double constant) {
    RegionInstruction ins{};
    ins.op = RegionOp::f_constant;
    ins.imm = std::bit_cast<int32_t>(static_cast<float>(constant));
    return emit(ins);
}

RegionCompiler::Value RegionCompiler::cast(const HI::Cast *op) {
    const Halide::Type from = op->value.type(), to = op->type;
    const Value v = value(op->value);
    if (to.is_float()) return is_single(from) ? v : emit(RegionOp::int_to_float, in_register(v));
    if (to.is_bool()) throw Unsupported();
    if (is_single(from)) {
        return in_type(emit(RegionOp::float_to_int, in_register(v)), to);
    }
    return to.can_represent(from) ? v : in_type(v, to);
}

RegionCompiler::Value RegionCompiler::call(const HI::Call *op) {
    if (op->is_intrinsic({HI::Call::likely, HI::Call::likely_if_innermost,
                          HI::Call::promise_clamped, HI::Call::unsafe_promise_clamped})) {
        return value(op->args[0]);
    }
    if (op->is_intrinsic(HI::Call::if_then_else) && op->args.size() == 3) {
        return select(op->args[0], op->args[1], op->args[2]);
    }
    if (op->is_intrinsic(HI::Call::abs) && op->args[0].type().is_int()) {
        const Value v = value(op->args[0]);
        return extremum(v, product(v, {0, 0, -1}), RegionOp::max, RegionOp::max_imm);
    }
    if (op->is_intrinsic({HI::Call::shift_left, HI::Call::shift_right})) {
        const auto bits = HI::as_const_int(op->args[1]);
        if (!bits || *bits < 0 || *bits > 30) throw Unsupported();
        const Value v = value(op->args[0]), power = {0, 0, int64_t{1} << *bits};
        if (op->is_intrinsic(HI::Call::shift_left)) return in_type(product(v, power), op->type);
        return divided(v, power, RegionOp::div, RegionOp::div_imm);
    }
    if (!is_single(op->type) || op->args.size() != 1) throw Unsupported();
    const auto unary = [&](RegionOp code) { return emit(code, in_register(value(op->args[0]))); };
    if (op->name == "floor_f32") return unary(RegionOp::f_floor);
    if (op->name == "ceil_f32") return unary(RegionOp::f_ceil);
    if (op->name == "sqrt_f32") return unary(RegionOp::f_sqrt);
    if (op->name == "round_f32" || op->is_intrinsic(HI::Call::round)) {
        return unary(RegionOp::f_round);
    }
    if (op->name == "trunc_f32") {
        return emit(RegionOp::int_to_float, in_register(unary(RegionOp::float_to_int)));
    }
    throw Unsupported();
}

RegionCompiler::Value RegionCompiler::select(const Expr &condition, const Expr &yes,
                                             const Expr &no) {
    const Value c = value(condition);
    if (c.is_constant()) return value(c.add != 0 ? yes : no);
    const uint16_t a = in_register(c), b = in_register(value(yes));
    return emit(RegionOp::select, a, b, in_register(value(no)));
}

RegionCompiler::Value RegionCompiler::negated(Value condition) {
    return emit(RegionOp::logical_not, in_register(condition));
}

template <typename Node>
RegionCompiler::Value RegionCompiler::binary(const Node *op, RegionOp code, RegionOp float_code) {
    const Value a = value(op->a), b = value(op->b);
    if (op->type.is_float()) return emit(float_code, in_register(a), in_register(b));
    switch (code) {
        case RegionOp::add:
            return in_type(sum(a, b, 1), op->type);
        case RegionOp::sub:
            return in_type(sum(a, b, -1), op->type);
        case RegionOp::mul:
            return in_type(product(a, b), op->type);
        case RegionOp::min:
            return extremum(a, b, code, RegionOp::min_imm);
        case RegionOp::max:
            return extremum(a, b, code, RegionOp::max_imm);
        default:
            return divided(a, b, RegionOp::div, RegionOp::div_imm);
    }
}

template <typename Node>
RegionCompiler::Value RegionCompiler::compare(const Node *op, RegionOp code, RegionOp float_code,
                                              bool swapped) {
    uint16_t a = in_register(value(op->a)), b = in_register(value(op->b));
    if (swapped) std::swap(a, b);
    // Comparing floats by their bits would get -0 and NaN wrong.
    if (op->a.type().is_float() && float_code == RegionOp::eq) throw Unsupported();
    return emit(op->a.type().is_float() ? float_code : code, a, b);
}

RegionCompiler::Value RegionCompiler::sum(Value a, Value b, int64_t sign) {
    const int64_t add = a.add + sign * b.add;
    if (b.is_constant()) return {a.reg, a.coefficient, add};
    if (a.is_constant()) return {b.reg, sign * b.coefficient, add};
    if (a.reg == b.reg) return {a.reg, a.coefficient + sign * b.coefficient, add};
    if (b.coefficient == 1 || b.coefficient == -1) {
        sign *= b.coefficient;
        b.coefficient = 1;
    }
    a.add = b.add = 0;
    const uint16_t left = in_register(a), right = in_register(b);
    Value result = emit(sign > 0 ? RegionOp::add : RegionOp::sub, left, right);
    result.add = add;
    return result;
}

RegionCompiler::Value RegionCompiler::product(Value a, Value b) {
    if (a.is_constant()) std::swap(a, b);
    if (!b.is_constant()) return emit(RegionOp::mul, in_register(a), in_register(b));
    Value result{a.reg, 0, 0};
    if (__builtin_mul_overflow(a.coefficient, b.add, &result.coefficient) ||
        __builtin_mul_overflow(a.add, b.add, &result.add)) {
        throw Unsupported();
    }
    if (!fits_int32(result.coefficient)) {
        return emit(RegionOp::mul, in_register(a), in_register(b));
    }
    return result;
}

RegionCompiler::Value RegionCompiler::extremum(Value a, Value b, RegionOp op, RegionOp op_imm) {
    const bool is_min = op == RegionOp::min;
    if (a.coefficient == b.coefficient && (a.reg == b.reg || a.is_constant())) {
        return (a.add < b.add) == is_min ? a : b;
    }
    if (a.is_constant()) std::swap(a, b);
    if (b.is_constant() && fits_int32(b.add)) return emit_imm(op_imm, in_register(a), b.add);
    return emit(op, in_register(a), in_register(b));
}

RegionCompiler::Value RegionCompiler::divided(Value a, Value b, RegionOp op, RegionOp op_imm) {
    if (b.is_constant() && fits_int32(b.add)) return emit_imm(op_imm, in_register(a), b.add);
    return emit(op, in_register(a), in_register(b));
}

RegionCompiler::Value RegionCompiler::in_type(Value v, const Halide::Type &type) {
    // Overflow of int32 and wider signed types is undefined in Halide, so saturation is as good.
    if (type.is_int() && type.bits() >= 32) return v;
    if (!type.is_int() && !type.is_uint()) throw Unsupported();
    RegionInstruction ins{};
    ins.op = RegionOp::wrap;
    ins.a = in_register(v);
    ins.aux = static_cast<uint8_t>(type.bits());
    ins.imm = type.is_int() ? 1 : 0;
    return emit(ins);
}

uint16_t RegionCompiler::in_register(Value v) {
    if (v.is_constant()) {
        if (!fits_int32(v.add)) {
            const uint16_t high = in_register({0, 0, v.add >> 20});
            const Value scaled = emit_imm(RegionOp::mul_imm, high, 1 << 20);
            return emit_imm(RegionOp::add_imm, scaled.reg, v.add & ((1 << 20) - 1)).reg;
        }
        RegionInstruction ins{};
        ins.op = RegionOp::constant;
        ins.imm = static_cast<int32_t>(v.add);
        return emit(ins).reg;
    }
    if (v.coefficient != 1) v.reg = emit_imm(RegionOp::mul_imm, v.reg, v.coefficient).reg;
    if (v.add == 0) return v.reg;
    if (fits_int32(v.add)) return emit_imm(RegionOp::add_imm, v.reg, v.add).reg;
    return emit(RegionOp::add, v.reg, in_register({0, 0, v.add})).reg;
}

RegionCompiler::Value RegionCompiler::emit(RegionInstruction instruction) {
    const uint64_t bits = std::bit_cast<uint64_t>(instruction);
    const auto known = numbering_.find(bits);
    if (known != numbering_.end()) return {known->second, 1, 0};
    const size_t reg = 2 * inputs_ + instructions_.size();
    if (reg >= kMaxRegionRegisters) throw Unsupported();
    instructions_.push_back(instruction);
    numbering_[bits] = static_cast<uint16_t>(reg);
    return {static_cast<uint16_t>(reg), 1, 0};
}

RegionCompiler::Value RegionCompiler::emit(RegionOp op, uint16_t a) {
    return emit(op, a, 0, 0);
}

RegionCompiler::Value RegionCompiler::emit(RegionOp op, uint16_t a, uint16_t b, uint16_t c) {
    RegionInstruction ins{};
    ins.op = op;
    ins.a = a;
    ins.reg = {b, c};
    return emit(ins);
}

RegionCompiler::Value RegionCompiler::emit_imm(RegionOp op, uint16_t a, int64_t imm) {
    if (!fits_int32(imm)) throw Unsupported();
    RegionInstruction ins{};
    ins.op = op;
    ins.a = a;
    ins.imm = static_cast<int32_t>(imm);
    return emit(ins);
}

}  // namespace autoschedule_gpu::reading
