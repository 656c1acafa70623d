#include "core/dag/region_program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/support/hash.h"

namespace autoschedule_gpu {
namespace {

int64_t saturate(int64_t value) {
    return std::clamp(value, -kRegionLimit, kRegionLimit);
}

int64_t saturating_mul(int64_t a, int64_t b) {
    int64_t product;
    if (__builtin_mul_overflow(a, b, &product)) [[unlikely]] {
        return (a < 0) == (b < 0) ? kRegionLimit : -kRegionLimit;
    }
    return saturate(product);
}

int64_t euclidean_mod(int64_t a, int64_t b) {
    if (b == 0) return 0;
    const int64_t remainder = a % b;
    return remainder < 0 ? remainder + std::abs(b) : remainder;
}

int64_t euclidean_div(int64_t a, int64_t b) {
    if (b == 0) return 0;
    const int64_t quotient = a / b;
    if (a % b >= 0) return quotient;
    return b > 0 ? quotient - 1 : quotient + 1;
}

int64_t wrap(int64_t value, unsigned bits, bool is_signed) {
    if (bits == 0 || bits >= 64) return saturate(value);
    const unsigned shift = 64 - bits;
    const uint64_t high = static_cast<uint64_t>(value) << shift;
    return saturate(is_signed ? static_cast<int64_t>(high) >> shift
                              : static_cast<int64_t>(high >> shift));
}

float to_float(int64_t reg) {
    return std::bit_cast<float>(static_cast<uint32_t>(reg));
}

int64_t from_float(float value) {
    return std::bit_cast<uint32_t>(value);
}

int64_t float_to_int(float value) {
    if (std::isnan(value)) return 0;
    constexpr auto limit = static_cast<float>(kRegionLimit);
    if (value >= limit) return kRegionLimit;
    if (value <= -limit) return -kRegionLimit;
    return static_cast<int64_t>(value);
}

int64_t execute_float(const RegionInstruction &ins, const int64_t *regs) {
    const float a = to_float(regs[ins.a]);
    switch (ins.op) {
        case RegionOp::f_add:
            return from_float(a + to_float(regs[ins.reg.b]));
        case RegionOp::f_sub:
            return from_float(a - to_float(regs[ins.reg.b]));
        case RegionOp::f_mul:
            return from_float(a * to_float(regs[ins.reg.b]));
        case RegionOp::f_div:
            return from_float(a / to_float(regs[ins.reg.b]));
        case RegionOp::f_min:
            return from_float(std::min(a, to_float(regs[ins.reg.b])));
        case RegionOp::f_max:
            return from_float(std::max(a, to_float(regs[ins.reg.b])));
        case RegionOp::f_lt:
            return a < to_float(regs[ins.reg.b]);
        case RegionOp::f_le:
            return a <= to_float(regs[ins.reg.b]);
        case RegionOp::f_floor:
            return from_float(std::floor(a));
        case RegionOp::f_ceil:
            return from_float(std::ceil(a));
        case RegionOp::f_round:
            return from_float(std::nearbyint(a));
        case RegionOp::f_sqrt:
            return from_float(std::sqrt(a));
        case RegionOp::float_to_int:
            return float_to_int(a);
        default:
            return 0;
    }
}

int64_t execute(const RegionInstruction &ins, const int64_t *regs) {
    switch (ins.op) {
        case RegionOp::constant:
            return ins.imm;
        case RegionOp::add:
            return saturate(regs[ins.a] + regs[ins.reg.b]);
        case RegionOp::sub:
            return saturate(regs[ins.a] - regs[ins.reg.b]);
        case RegionOp::mul:
            return saturating_mul(regs[ins.a], regs[ins.reg.b]);
        case RegionOp::div:
            return euclidean_div(regs[ins.a], regs[ins.reg.b]);
        case RegionOp::mod:
            return euclidean_mod(regs[ins.a], regs[ins.reg.b]);
        case RegionOp::min:
            return std::min(regs[ins.a], regs[ins.reg.b]);
        case RegionOp::max:
            return std::max(regs[ins.a], regs[ins.reg.b]);
        case RegionOp::add_imm:
            return saturate(regs[ins.a] + ins.imm);
        case RegionOp::mul_imm:
            return saturating_mul(regs[ins.a], ins.imm);
        case RegionOp::div_imm:
            return euclidean_div(regs[ins.a], ins.imm);
        case RegionOp::mod_imm:
            return euclidean_mod(regs[ins.a], ins.imm);
        case RegionOp::min_imm:
            return std::min<int64_t>(regs[ins.a], ins.imm);
        case RegionOp::max_imm:
            return std::max<int64_t>(regs[ins.a], ins.imm);
        case RegionOp::select:
            return regs[ins.a] != 0 ? regs[ins.reg.b] : regs[ins.reg.c];
        case RegionOp::lt:
            return regs[ins.a] < regs[ins.reg.b];
        case RegionOp::le:
            return regs[ins.a] <= regs[ins.reg.b];
        case RegionOp::eq:
            return regs[ins.a] == regs[ins.reg.b];
        case RegionOp::logical_and:
            return regs[ins.a] != 0 && regs[ins.reg.b] != 0;
        case RegionOp::logical_or:
            return regs[ins.a] != 0 || regs[ins.reg.b] != 0;
        case RegionOp::logical_not:
            return regs[ins.a] == 0;
        case RegionOp::wrap:
            return wrap(regs[ins.a], ins.aux, ins.imm != 0);
        case RegionOp::f_constant:
            return static_cast<uint32_t>(ins.imm);
        case RegionOp::int_to_float:
            return from_float(static_cast<float>(regs[ins.a]));
        default:
            return execute_float(ins, regs);
    }
}

// It is what a search calls most often.
[[gnu::always_inline]] inline int64_t bound_value(const RegionBound &bound, int64_t reg) {
    if (bound.coefficient == 1) return saturate(reg + bound.add);
    return saturate(saturating_mul(reg, bound.coefficient) + bound.add);
}

bool returns_inputs(size_t inputs, const std::vector<RegionDimension> &dims) {
    const auto is_input = [](const RegionBound &bound, size_t reg) {
        return bound.reg == reg && bound.coefficient == 1 && bound.add == 0;
    };
    if (dims.size() != inputs) return false;
    for (size_t d = 0; d < dims.size(); ++d) {
        if (!is_input(dims[d].lo, 2 * d) || !is_input(dims[d].hi, 2 * d + 1)) return false;
    }
    return true;
}

void require_sound(size_t inputs, std::span<const RegionInstruction> instructions,
                   const std::vector<RegionDimension> &dims) {
    const size_t registers = 2 * inputs + instructions.size();
    if (registers > kMaxRegionRegisters) {
        throw std::invalid_argument("region program has more than kMaxRegionRegisters registers");
    }
    for (size_t i = 0; i < instructions.size(); i++) {
        const RegionInstruction &ins = instructions[i];
        const size_t limit = 2 * inputs + i;
        const int operands = register_operands(ins.op);
        if ((operands > 0 && ins.a >= limit) || (operands > 1 && ins.reg.b >= limit) ||
            (operands > 2 && ins.reg.c >= limit)) {
            throw std::invalid_argument("region program reads a register before it is written");
        }
    }
    for (const RegionDimension &dim : dims) {
        for (const RegionBound *bound : {&dim.lo, &dim.hi}) {
            if (bound->coefficient != 0 && bound->reg >= registers) {
                throw std::invalid_argument("region bound names a register that does not exist");
            }
            if (bound->add > kRegionLimit || bound->add < -kRegionLimit) {
                throw std::invalid_argument("region bound adds more than kRegionLimit");
            }
        }
    }
}

// Returns the inputs on which the bounds of a dimension depend, ascending.
std::vector<uint16_t> inputs_read(size_t inputs, std::span<const RegionInstruction> instructions,
                                  const RegionDimension &dim) {
    std::vector<bool> needed(2 * inputs + instructions.size(), false);
    for (const RegionBound *bound : {&dim.lo, &dim.hi}) {
        if (bound->coefficient != 0) needed[bound->reg] = true;
    }
    for (size_t i = instructions.size(); i-- > 0;) {
        if (!needed[2 * inputs + i]) continue;
        const RegionInstruction &ins = instructions[i];
        const int operands = register_operands(ins.op);
        if (operands > 0) needed[ins.a] = true;
        if (operands > 1) needed[ins.reg.b] = true;
        if (operands > 2) needed[ins.reg.c] = true;
    }
    std::vector<uint16_t> result;
    for (size_t k = 0; k < inputs; ++k) {
        if (needed[2 * k] || needed[2 * k + 1]) result.push_back(static_cast<uint16_t>(k));
    }
    return result;
}

}  // namespace

int register_operands(RegionOp op) {
    switch (op) {
        case RegionOp::constant:
        case RegionOp::f_constant:
            return 0;
        case RegionOp::add_imm:
        case RegionOp::mul_imm:
        case RegionOp::div_imm:
        case RegionOp::mod_imm:
        case RegionOp::min_imm:
        case RegionOp::max_imm:
        case RegionOp::wrap:
        case RegionOp::logical_not:
        case RegionOp::f_floor:
        case RegionOp::f_ceil:
        case RegionOp::f_round:
        case RegionOp::f_sqrt:
        case RegionOp::int_to_float:
        case RegionOp::float_to_int:
            return 1;
        case RegionOp::select:
            return 3;
        default:
            return 2;
    }
}

RegionProgramId RegionCode::add(size_t inputs, std::span<const RegionInstruction> instructions,
                                std::vector<RegionDimension> dims) {
    for (RegionDimension &dim : dims) {
        // The bound still reads a register, so a constant names register 0, which every evaluation
        // has.
        if (dim.lo.coefficient == 0) dim.lo.reg = 0;
        if (dim.hi.coefficient == 0) dim.hi.reg = 0;
    }
    require_sound(inputs, instructions, dims);
    for (RegionDimension &dim : dims) dim.reads = inputs_read(inputs, instructions, dim);
    programs_.push_back({static_cast<uint32_t>(instructions_.size()),
                         static_cast<uint32_t>(instructions.size()),
                         static_cast<uint32_t>(dims_.size()), static_cast<uint32_t>(dims.size()),
                         static_cast<uint32_t>(inputs), returns_inputs(inputs, dims)});
    instructions_.insert(instructions_.end(), instructions.begin(), instructions.end());
    for (RegionDimension &dim : dims) {
        bounds_.push_back(dim.lo);
        bounds_.push_back(dim.hi);
        dims_.push_back(std::move(dim));
    }
    return RegionProgramId(programs_.size() - 1);
}

void RegionCode::evaluate(RegionProgramId id, std::span<const Interval> in,
                          std::span<Interval> out) const {
    const Program &program = programs_[id.index()];
    const RegionBound *bound = bounds_.data() + size_t{2} * program.first_dim;
    if (program.instruction_count == 0 && program.inputs > 0) {
        // Three quarters of all programs have no instructions and so need no registers.
        const auto end_of = [in](uint16_t reg) {
            const Interval &input = in[reg >> 1];
            return (reg & 1) != 0 ? input.max : input.min;
        };
        for (uint32_t d = 0; d < program.dim_count; d++, bound += 2) {
            out[d] = {bound_value(bound[0], end_of(bound[0].reg)),
                      bound_value(bound[1], end_of(bound[1].reg))};
        }
        return;
    }
    int64_t regs[kMaxRegionRegisters];
    regs[0] = 0;
    for (uint32_t k = 0; k < program.inputs; k++) {
        regs[2 * k] = in[k].min;
        regs[2 * k + 1] = in[k].max;
    }
    const RegionInstruction *code = instructions_.data() + program.first_instruction;
    int64_t *next = regs + 2 * program.inputs;
    for (uint32_t i = 0; i < program.instruction_count; i++) *next++ = execute(code[i], regs);
    for (uint32_t d = 0; d < program.dim_count; d++, bound += 2) {
        out[d] = {bound_value(bound[0], regs[bound[0].reg]),
                  bound_value(bound[1], regs[bound[1].reg])};
    }
}

void RegionCode::set_widest(RegionProgramId id, RegionProgramId other) {
    if (inputs(id) != inputs(other) || outputs(id) != outputs(other)) {
        throw std::invalid_argument("the widest bounds of a region program have another shape");
    }
    programs_[id.index()].widest = other;
}

RegionProgramId RegionCode::widest(RegionProgramId id) const {
    const RegionProgramId other = programs_[id.index()].widest;
    return other.valid() ? other : id;
}

const RegionDimension &RegionCode::dimension(RegionProgramId id, size_t dim) const {
    return dims_[programs_[id.index()].first_dim + dim];
}

std::span<const RegionInstruction> RegionCode::instructions_of(RegionProgramId id) const {
    const Program &program = programs_[id.index()];
    return std::span(instructions_).subspan(program.first_instruction, program.instruction_count);
}

uint64_t RegionCode::hash(RegionProgramId id) const {
    const Program &program = programs_[id.index()];
    Hasher hasher;
    hasher.add(program.inputs).add(program.instruction_count).add(program.dim_count);
    for (const RegionInstruction &ins : instructions_of(id))
        hasher.add(std::bit_cast<uint64_t>(ins));
    for (uint32_t b = 0; b < 2 * program.dim_count; b++) {
        const RegionBound &bound = bounds_[2 * program.first_dim + b];
        hasher.add(bound.reg).add(static_cast<uint64_t>(int64_t{bound.coefficient}));
        hasher.add(static_cast<uint64_t>(bound.add));
    }
    for (uint32_t d = 0; d < program.dim_count; d++) {
        const RegionDimension &dim = dims_[program.first_dim + d];
        hasher.add(dim.lo_affine ? 1 : 0).add(dim.hi_affine ? 1 : 0).add(dim.inputs_only ? 1 : 0);
    }
    return hasher.value();
}

RegionProgramId add_identity(RegionCode &code, size_t dims) {
    std::vector<RegionDimension> result(dims);
    for (size_t d = 0; d < dims; d++) {
        const auto lo = static_cast<uint16_t>(2 * d), hi = static_cast<uint16_t>(2 * d + 1);
        result[d].lo = {lo, 1, 0};
        result[d].hi = {hi, 1, 0};
        result[d].lo_affine = result[d].hi_affine = true;
        result[d].lo_form = {{{lo, 1}}, 0};
        result[d].hi_form = {{{hi, 1}}, 0};
        result[d].inputs_only = true;
    }
    return code.add(dims, {}, std::move(result));
}

}  // namespace autoschedule_gpu
