#include "lab/traffic/evaluator.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/support/hash.h"

namespace autoschedule_gpu {

using lowered::Expr;
using lowered::ExprId;
using lowered::Op;
using lowered::Type;
using lowered::VariableId;

Evaluator::Evaluator(const lowered::Code &code)
    : code_(code),
      slots_(code.variables.size()),
      stores_(code.buffers.size()),
      only_element_(code.buffers.size()) {}

void Evaluator::bind(VariableId variable, ExprId expr) {
    slots_[variable.index()] = {expr, nullptr};
}

void Evaluator::bind(VariableId variable, ValueRef value) {
    slots_[variable.index()] = {ExprId(), std::move(value)};
}

void Evaluator::unbind(VariableId variable) {
    slots_[variable.index()] = {};
}

void Evaluator::store(lowered::BufferId buffer) {
    ++stores_[buffer.index()];
    only_element_[buffer.index()] = nullptr;
}

void Evaluator::store_only_element(lowered::BufferId buffer, ValueRef value) {
    only_element_[buffer.index()] = std::move(value);
}

ValueRef Evaluator::evaluate(ExprId id) {
    const Expr &expr = code_.expr(id);
    if (!error_.empty()) return zero(expr.type);
    switch (expr.op) {
        case Op::integer_constant:
            return std::make_shared<const Value>(
                Value{true, std::vector<int64_t>(expr.type.lanes, expr.integer), {}});
        case Op::real_constant:
            return std::make_shared<const Value>(
                Value{true, {}, std::vector<double>(expr.type.lanes, expr.real)});
        case Op::variable:
            return variable(expr);
        case Op::let:
            return let(expr);
        default:
            return compute(expr, id);
    }
}

int64_t Evaluator::evaluate_uniform(ExprId id, const std::string &what) {
    const ValueRef value = evaluate(id);
    if (!value->uniform || value->integers.size() != 1) {
        fail(what + " is not the same for all threads of a block");
        return 0;
    }
    return value->integers[0];
}

ValueRef Evaluator::compute(const Expr &expr, ExprId id) {
    if (expr.op == Op::load && expr.type.lanes == 1 && only_element_[expr.buffer.index()]) {
        return only_element_[expr.buffer.index()];
    }
    ValueRef result;
    if (expr.op == Op::load || expr.op == Op::unknown) {
        result = make_up(expr, id);
    } else {
        std::vector<ValueRef> operands;
        for (ExprId operand : expr.operands) operands.push_back(evaluate(operand));
        if (!error_.empty()) return zero(expr.type);
        const size_t typed = expr.op == Op::select || expr.op == Op::choose ? 1 : 0;
        result = apply_op(expr, code_.expr(expr.operands[typed]).type, operands, threads_);
    }
    work_ += static_cast<double>(std::max(result->integers.size(), result->reals.size()));
    return result;
}

ValueRef Evaluator::variable(const Expr &expr) {
    Slot &slot = slots_[expr.variable.index()];
    if (slot.value) return slot.value;
    if (!slot.expr.valid()) {
        fail("variable " + code_.variables[expr.variable.index()] + " has no value");
        return zero(expr.type);
    }
    return slot.value = evaluate(slot.expr);
}

ValueRef Evaluator::let(const Expr &expr) {
    Slot outer = std::exchange(slots_[expr.variable.index()], Slot{expr.operands[0], nullptr});
    ValueRef result = evaluate(expr.operands[1]);
    slots_[expr.variable.index()] = std::move(outer);
    return result;
}

// Makes up a value from the address of a load and the stores so far, or from the operands of
// anything else, so that equal expressions have equal values.
ValueRef Evaluator::make_up(const Expr &expr, ExprId id) {
    made_up_ = true;
    const size_t used = expr.op == Op::load ? 1 : expr.operands.size();
    std::vector<ValueRef> operands;
    for (size_t o = 0; o < used; o++) operands.push_back(evaluate(expr.operands[o]));
    const bool uniform = std::all_of(operands.begin(), operands.end(),
                                     [](const ValueRef &value) { return value->uniform; });
    const int64_t threads = uniform ? 1 : threads_;
    const bool is_load = expr.op == Op::load;
    const uint64_t source = is_load ? expr.buffer.index() : id.index();
    const uint64_t stores = is_load ? stores_[expr.buffer.index()] : 0;
    auto result = std::make_shared<Value>();
    result->uniform = uniform;
    for (int64_t lane = 0; lane < expr.type.lanes; lane++) {
        for (int64_t t = 0; t < threads; t++) {
            uint64_t seed = mix64(mix64(source + 1) + stores);
            for (const ValueRef &operand : operands) {
                const size_t size = std::max(operand->integers.size(), operand->reals.size());
                const auto at = static_cast<size_t>(operand->uniform ? lane : lane * threads + t);
                const size_t i = std::min(at, size - 1);
                seed = mix64(seed ^
                             (operand->reals.empty() ? static_cast<uint64_t>(operand->integers[i])
                                                     : std::bit_cast<uint64_t>(operand->reals[i])));
            }
            if (expr.type.kind == Type::Kind::real) {
                result->reals.push_back(made_up_real(seed));
            } else {
                result->integers.push_back(made_up_integer(expr.type, seed));
            }
        }
    }
    return result;
}

ValueRef Evaluator::zero(const Type &type) const {
    Value value;
    if (type.kind == Type::Kind::real) {
        value.reals.assign(type.lanes, 0.0);
    } else {
        value.integers.assign(type.lanes, 0);
    }
    return std::make_shared<const Value>(std::move(value));
}

void Evaluator::fail(const std::string &error) {
    if (error_.empty()) error_ = error;
}

}  // namespace autoschedule_gpu
