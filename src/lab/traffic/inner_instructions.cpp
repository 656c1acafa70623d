#include "lab/traffic/inner_instructions.h"

#include <bit>

namespace autoschedule_gpu {

using lowered::Expr;
using lowered::Op;

namespace {

// In the machine code of sm_90, where no number is out of the ordinary.
InnerInstructions inner_instructions_of_doubles(Op op) {
    switch (op) {
        case Op::divide:
        case Op::square_root:
            return {0, 8};
        case Op::exponential:
            return {36, 17};
        case Op::logarithm:
            return {46, 29};
        case Op::power:
            return {130, 94};
        case Op::sine:
        case Op::cosine:
            return {32, 15};
        default:
            return {};
    }
}

// In the machine code of sm_90, of numbers that have more than 32 bits.
InnerInstructions inner_instructions_of_integers(const lowered::Type &type) {
    return {type.bits == 64 ? 85.0 : 0.0, 0};
}

// In the PTX that Halide 21 writes: 20 for an exponential, 24 for a logarithm.
double inner_instructions_of_floats(Op op) {
    switch (op) {
        case Op::exponential:
            return 12;
        case Op::logarithm:
            return 16;
        case Op::power:
            return 55;
        case Op::sine:
        case Op::cosine:
            return 52;
        default:
            return 0;
    }
}

// Returns whether the quotient by a constant of so many bits is the upper half of one product,
// shifted: true if a factor of as many bits is exact enough (Warren, Hacker's Delight, 10-9).
bool is_one_product(uint64_t divisor, int bits) {
    for (int shift = 0; shift < bits && (uint64_t{1} << shift) < divisor; ++shift) {
        const uint64_t power = uint64_t{1} << (bits + shift);
        const uint64_t factor = (power + divisor - 1) / divisor;
        if (factor >> bits == 0 && factor * divisor - power <= uint64_t{1} << shift) return true;
    }
    return false;
}

}  // namespace

bool is_double(const lowered::Type &type) {
    return type.kind == lowered::Type::Kind::real && type.bits == 64;
}

InnerInstructions inner_instructions(const Expr &special) {
    if (is_double(special.type)) return inner_instructions_of_doubles(special.op);
    if (special.type.kind == lowered::Type::Kind::real) {
        return {inner_instructions_of_floats(special.op), 0};
    }
    return inner_instructions_of_integers(special.type);
}

double inner_instructions_by_constant(const lowered::Type &type, int64_t constant) {
    const auto as_unsigned = static_cast<uint64_t>(constant);
    const uint64_t divisor = constant < 0 ? -as_unsigned : as_unsigned;
    if (divisor == 0 || std::has_single_bit(divisor)) return 0;
    const bool is_natural = type.kind == lowered::Type::Kind::natural;
    if (type.bits > 32) return is_natural ? 10 : 18;
    if (!is_natural) return 4;
    return is_one_product(divisor, type.bits) ? 1 : 6;
}

}  // namespace autoschedule_gpu
