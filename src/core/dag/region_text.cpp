// RegionCode::describe: a region program as text.
#include <bit>
#include <cstdio>
#include <functional>

#include "core/dag/region_program.h"

namespace autoschedule_gpu {
namespace {

const char *symbol(RegionOp op) {
    switch (op) {
        case RegionOp::add:
        case RegionOp::add_imm:
            return "+";
        case RegionOp::sub:
            return "-";
        case RegionOp::mul:
        case RegionOp::mul_imm:
            return "*";
        case RegionOp::div:
        case RegionOp::div_imm:
            return "/";
        case RegionOp::mod:
        case RegionOp::mod_imm:
            return "%";
        case RegionOp::lt:
            return "<";
        case RegionOp::le:
            return "<=";
        case RegionOp::eq:
            return "==";
        case RegionOp::logical_and:
            return "&&";
        case RegionOp::logical_or:
            return "||";
        case RegionOp::f_add:
            return "+.";
        case RegionOp::f_sub:
            return "-.";
        case RegionOp::f_mul:
            return "*.";
        case RegionOp::f_div:
            return "/.";
        case RegionOp::f_lt:
            return "<.";
        case RegionOp::f_le:
            return "<=.";
        default:
            return nullptr;
    }
}

const char *function(RegionOp op) {
    switch (op) {
        case RegionOp::min:
        case RegionOp::min_imm:
            return "min";
        case RegionOp::max:
        case RegionOp::max_imm:
            return "max";
        case RegionOp::select:
            return "select";
        case RegionOp::logical_not:
            return "not";
        case RegionOp::wrap:
            return "wrap";
        case RegionOp::f_min:
            return "fmin";
        case RegionOp::f_max:
            return "fmax";
        case RegionOp::f_floor:
            return "floor";
        case RegionOp::f_ceil:
            return "ceil";
        case RegionOp::f_round:
            return "round";
        case RegionOp::f_sqrt:
            return "sqrt";
        case RegionOp::int_to_float:
            return "float";
        case RegionOp::float_to_int:
            return "int";
        default:
            return "?";
    }
}

bool has_immediate(RegionOp op) {
    return op >= RegionOp::add_imm && op <= RegionOp::max_imm;
}

std::string signed_term(int64_t value) {
    return value < 0 ? " - " + std::to_string(-value) : " + " + std::to_string(value);
}

std::string float_text(int32_t bits) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.9gf", static_cast<double>(std::bit_cast<float>(bits)));
    return text;
}

std::string instruction_text(const RegionInstruction &ins,
                             const std::function<std::string(uint16_t)> &reg) {
    if (ins.op == RegionOp::constant) return std::to_string(ins.imm);
    if (ins.op == RegionOp::f_constant) return float_text(ins.imm);
    if (ins.op == RegionOp::add_imm) return "(" + reg(ins.a) + signed_term(ins.imm) + ")";
    if (ins.op == RegionOp::wrap) {
        return std::string(ins.imm != 0 ? "int" : "uint") + std::to_string(ins.aux) + "(" +
               reg(ins.a) + ")";
    }
    const int operands = register_operands(ins.op);
    const std::string second = has_immediate(ins.op) ? std::to_string(ins.imm)
                               : operands > 1        ? reg(ins.reg.b)
                                                     : "";
    if (const char *infix = symbol(ins.op)) {
        return "(" + reg(ins.a) + " " + infix + " " + second + ")";
    }
    std::string text = std::string(function(ins.op)) + "(" + reg(ins.a);
    if (!second.empty()) text += ", " + second;
    if (operands == 3) text += ", " + reg(ins.reg.c);
    return text + ")";
}

std::vector<int> use_counts(size_t registers, std::span<const RegionInstruction> code) {
    std::vector<int> uses(registers, 0);
    for (const RegionInstruction &ins : code) {
        const int operands = register_operands(ins.op);
        if (operands > 0) uses[ins.a]++;
        if (operands > 1) uses[ins.reg.b]++;
        if (operands > 2) uses[ins.reg.c]++;
    }
    return uses;
}

std::string bound_text(const RegionBound &bound, const std::string &reg) {
    if (bound.coefficient == 0) return std::to_string(bound.add);
    std::string text = reg;
    if (bound.coefficient != 1) text += " * " + std::to_string(bound.coefficient);
    if (bound.add != 0) text += signed_term(bound.add);
    return text;
}

}  // namespace

std::string RegionCode::describe(RegionProgramId id, std::span<const std::string> input_names,
                                 std::span<const std::string> dim_names) const {
    const Program &program = programs_[id.index()];
    const auto code = instructions_of(id);
    const size_t first = size_t{2} * program.inputs;
    std::vector<int> uses = use_counts(first + code.size(), code);
    for (uint32_t b = 0; b < 2 * program.dim_count; b++) {
        const RegionBound &bound = bounds_[2 * program.first_dim + b];
        if (bound.coefficient != 0) uses[bound.reg]++;
    }
    std::vector<std::string> value(first + code.size());
    for (size_t k = 0; k < program.inputs; k++) {
        const std::string input = k < input_names.size() ? input_names[k] : "i" + std::to_string(k);
        value[2 * k] = input + ".min";
        value[2 * k + 1] = input + ".max";
    }
    std::string text;
    int shared = 0;
    for (size_t i = 0; i < code.size(); i++) {
        std::string &own = value[first + i];
        own = instruction_text(code[i], [&](uint16_t reg) { return value[reg]; });
        if (uses[first + i] > 1 && register_operands(code[i].op) > 0) {
            const std::string name = "t" + std::to_string(shared++);
            text += name + " := " + own + "; ";
            own = name;
        }
    }
    for (size_t d = 0; d < program.dim_count; d++) {
        const RegionDimension &dim = dims_[program.first_dim + d];
        if (d > 0) text += " ";
        text += d < dim_names.size() ? dim_names[d] : "d" + std::to_string(d);
        const auto reg_text = [&](uint16_t reg) { return reg < value.size() ? value[reg] : ""; };
        text += ": [" + bound_text(dim.lo, reg_text(dim.lo.reg)) + ", " +
                bound_text(dim.hi, reg_text(dim.hi.reg)) + "]";
    }
    return text;
}

}  // namespace autoschedule_gpu
