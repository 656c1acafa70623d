#include "core/dag/region_program.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <stdexcept>

#include "core/support/random.h"

namespace autoschedule_gpu {
namespace {

RegionInstruction with_registers(RegionOp op, uint16_t a, uint16_t b = 0, uint16_t c = 0) {
    RegionInstruction ins{};
    ins.op = op;
    ins.a = a;
    ins.reg = {b, c};
    return ins;
}

RegionInstruction with_immediate(RegionOp op, uint16_t a, int32_t imm, uint8_t aux = 0) {
    RegionInstruction ins{};
    ins.op = op;
    ins.a = a;
    ins.aux = aux;
    ins.imm = imm;
    return ins;
}

RegionDimension bounds(RegionBound lo, RegionBound hi) {
    RegionDimension dim;
    dim.lo = lo;
    dim.hi = hi;
    return dim;
}

// The result of one instruction (on registers 0 .. 3 = a, b, c, d).
int64_t result_of(RegionInstruction ins, int64_t a, int64_t b = 0, int64_t c = 0, int64_t d = 0) {
    RegionCode code;
    const auto id = code.add(2, std::span(&ins, 1), {bounds({4, 1, 0}, {4, 1, 0})});
    const Interval in[] = {{a, b}, {c, d}};
    Interval out;
    code.evaluate(id, in, {&out, 1});
    EXPECT_EQ(out.min, out.max);
    return out.min;
}

int64_t bits(float value) {
    return std::bit_cast<uint32_t>(value);
}

struct BinaryCase {
    RegionOp op;
    int64_t a, b, expected;
};

TEST(RegionOp, IntegerOperationsFollowHalide) {
    const BinaryCase cases[] = {
        {RegionOp::add, 3, -5, -2},       {RegionOp::sub, 3, -5, 8},
        {RegionOp::mul, 3, -5, -15},      {RegionOp::div, 7, 2, 3},
        {RegionOp::div, -7, 2, -4},       {RegionOp::div, 7, -2, -3},
        {RegionOp::div, -7, -2, 4},       {RegionOp::div, -8, 2, -4},
        {RegionOp::div, 5, 0, 0},         {RegionOp::mod, 7, 3, 1},
        {RegionOp::mod, -7, 3, 2},        {RegionOp::mod, 7, -3, 1},
        {RegionOp::mod, -7, -3, 2},       {RegionOp::mod, -6, 3, 0},
        {RegionOp::mod, 5, 0, 0},         {RegionOp::min, 3, -5, -5},
        {RegionOp::max, 3, -5, 3},        {RegionOp::lt, 1, 2, 1},
        {RegionOp::lt, 2, 2, 0},          {RegionOp::le, 2, 2, 1},
        {RegionOp::le, 3, 2, 0},          {RegionOp::eq, 2, 2, 1},
        {RegionOp::eq, 2, 3, 0},          {RegionOp::logical_and, 2, 3, 1},
        {RegionOp::logical_and, 2, 0, 0}, {RegionOp::logical_or, 0, 3, 1},
        {RegionOp::logical_or, 0, 0, 0},
    };
    for (const BinaryCase &c : cases) {
        EXPECT_EQ(result_of(with_registers(c.op, 0, 1), c.a, c.b), c.expected)
            << "op " << static_cast<int>(c.op) << " of " << c.a << ", " << c.b;
    }
}

TEST(RegionOp, ImmediateFormsAgreeWithRegisterForms) {
    const std::pair<RegionOp, RegionOp> pairs[] = {
        {RegionOp::add_imm, RegionOp::add}, {RegionOp::mul_imm, RegionOp::mul},
        {RegionOp::div_imm, RegionOp::div}, {RegionOp::mod_imm, RegionOp::mod},
        {RegionOp::min_imm, RegionOp::min}, {RegionOp::max_imm, RegionOp::max},
    };
    Random random(1);
    for (const auto &[immediate, plain] : pairs) {
        for (int i = 0; i < 200; i++) {
            const int64_t a = random.between(-1000, 1000), b = random.between(-20, 20);
            EXPECT_EQ(result_of(with_immediate(immediate, 0, static_cast<int32_t>(b)), a),
                      result_of(with_registers(plain, 0, 1), a, b));
        }
    }
}

TEST(RegionOp, DivisionAndRemainderRebuildTheDividend) {
    Random random(2);
    for (int i = 0; i < 1000; i++) {
        const int64_t a = random.between(-100, 100), b = random.between(-12, 12);
        if (b == 0) continue;
        const int64_t quotient = result_of(with_registers(RegionOp::div, 0, 1), a, b);
        const int64_t remainder = result_of(with_registers(RegionOp::mod, 0, 1), a, b);
        EXPECT_EQ(quotient * b + remainder, a);
        EXPECT_GE(remainder, 0);
        EXPECT_LT(remainder, std::abs(b));
    }
}

TEST(RegionOp, SelectNotAndConstants) {
    EXPECT_EQ(result_of(with_registers(RegionOp::select, 0, 1, 2), 1, 7, 9), 7);
    EXPECT_EQ(result_of(with_registers(RegionOp::select, 0, 1, 2), 0, 7, 9), 9);
    EXPECT_EQ(result_of(with_registers(RegionOp::logical_not, 0), 0), 1);
    EXPECT_EQ(result_of(with_registers(RegionOp::logical_not, 0), 5), 0);
    EXPECT_EQ(result_of(with_immediate(RegionOp::constant, 0, -17), 0), -17);
    EXPECT_EQ(result_of(with_immediate(RegionOp::f_constant, 0, std::bit_cast<int32_t>(-1.5f)), 0),
              bits(-1.5f));
}

TEST(RegionOp, WrapTakesTheLowBits) {
    EXPECT_EQ(result_of(with_immediate(RegionOp::wrap, 0, 0, 8), 256), 0);
    EXPECT_EQ(result_of(with_immediate(RegionOp::wrap, 0, 0, 8), -1), 255);
    EXPECT_EQ(result_of(with_immediate(RegionOp::wrap, 0, 1, 8), 255), -1);
    EXPECT_EQ(result_of(with_immediate(RegionOp::wrap, 0, 1, 8), 127), 127);
    EXPECT_EQ(result_of(with_immediate(RegionOp::wrap, 0, 1, 8), 128), -128);
    EXPECT_EQ(result_of(with_immediate(RegionOp::wrap, 0, 0, 16), 65536 + 5), 5);
    EXPECT_EQ(result_of(with_immediate(RegionOp::wrap, 0, 1, 32), int64_t{1} << 31),
              -(int64_t{1} << 31));
}

TEST(RegionOp, ArithmeticSaturates) {
    const int64_t limit = kRegionLimit;
    EXPECT_EQ(result_of(with_registers(RegionOp::add, 0, 1), limit, limit), limit);
    EXPECT_EQ(result_of(with_registers(RegionOp::sub, 0, 1), -limit, limit), -limit);
    EXPECT_EQ(result_of(with_registers(RegionOp::mul, 0, 1), limit, limit), limit);
    EXPECT_EQ(result_of(with_registers(RegionOp::mul, 0, 1), limit, -limit), -limit);
    EXPECT_EQ(result_of(with_registers(RegionOp::mul, 0, 1), -limit, -limit), limit);
    EXPECT_EQ(result_of(with_immediate(RegionOp::mul_imm, 0, 1 << 30), 1 << 30), limit);
    EXPECT_EQ(result_of(with_immediate(RegionOp::add_imm, 0, 1), limit), limit);
}

TEST(RegionOp, InputsAndBoundsSaturate) {
    RegionCode code;
    const auto id = code.add(1, {}, {bounds({0, 1, 0}, {1, 1 << 20, 5})});
    const Interval in[] = {
        {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}};
    Interval out;
    code.evaluate(id, in, {&out, 1});
    EXPECT_EQ(out, (Interval{-kRegionLimit, kRegionLimit}));
}

TEST(RegionOp, FloatsRoundToSinglePrecisionAfterEachStep) {
    const auto f = [](RegionOp op, float a, float b) {
        return std::bit_cast<float>(
            static_cast<uint32_t>(result_of(with_registers(op, 0, 1), bits(a), bits(b))));
    };
    EXPECT_EQ(f(RegionOp::f_add, 16777216.f, 1.f), 16777216.f);
    EXPECT_EQ(f(RegionOp::f_sub, 1.f, 3.f), -2.f);
    EXPECT_EQ(f(RegionOp::f_mul, 0.1f, 3.f), 0.1f * 3.f);
    EXPECT_EQ(f(RegionOp::f_div, 1.f, 3.f), 1.f / 3.f);
    EXPECT_EQ(f(RegionOp::f_min, 1.f, -3.f), -3.f);
    EXPECT_EQ(f(RegionOp::f_max, 1.f, -3.f), 1.f);
    EXPECT_EQ(f(RegionOp::f_floor, -1.5f, 0), -2.f);
    EXPECT_EQ(f(RegionOp::f_ceil, -1.5f, 0), -1.f);
    EXPECT_EQ(f(RegionOp::f_round, 2.5f, 0), 2.f);
    EXPECT_EQ(f(RegionOp::f_sqrt, 2.25f, 0), 1.5f);
    EXPECT_EQ(result_of(with_registers(RegionOp::f_lt, 0, 1), bits(-1.f), bits(1.f)), 1);
    EXPECT_EQ(result_of(with_registers(RegionOp::f_le, 0, 1), bits(1.f), bits(1.f)), 1);
    EXPECT_EQ(result_of(with_registers(RegionOp::int_to_float, 0), 16777217), bits(16777216.f));
    EXPECT_EQ(result_of(with_registers(RegionOp::float_to_int, 0), bits(-1.9f)), -1);
}

TEST(RegionOp, FloatToIntIsDefinedForEveryFloat) {
    const auto to_int = [](float a) {
        return result_of(with_registers(RegionOp::float_to_int, 0), bits(a));
    };
    EXPECT_EQ(to_int(std::numeric_limits<float>::quiet_NaN()), 0);
    EXPECT_EQ(to_int(std::numeric_limits<float>::infinity()), kRegionLimit);
    EXPECT_EQ(to_int(-1e30f), -kRegionLimit);
}

TEST(RegionCode, BoundsScaleAndShiftARegister) {
    RegionCode code;
    const auto id = code.add(1, {}, {bounds({0, 2, -1}, {1, 2, 3}), bounds({0, 0, 4}, {7, 0, 9})});
    const Interval in[] = {{10, 20}};
    Interval out[2];
    code.evaluate(id, in, out);
    EXPECT_EQ(out[0], (Interval{19, 43}));
    EXPECT_EQ(out[1], (Interval{4, 9}));
}

TEST(RegionCode, WithoutInputsGivesConstants) {
    RegionCode code;
    const auto id = code.add(0, {}, {bounds({0, 0, -3}, {0, 0, 3})});
    Interval out;
    code.evaluate(id, {}, {&out, 1});
    EXPECT_EQ(out, (Interval{-3, 3}));
    EXPECT_EQ(code.add(0, {}, {}).index(), 1u);
}

TEST(RegionCode, IdentityReturnsItsInputs) {
    RegionCode code;
    const auto id = add_identity(code, 2);
    const Interval in[] = {{1, 2}, {-5, 9}};
    Interval out[2];
    code.evaluate(id, in, out);
    EXPECT_EQ(out[0], in[0]);
    EXPECT_EQ(out[1], in[1]);
    EXPECT_TRUE(code.dimension(id, 1).hi_affine);
    EXPECT_EQ(code.dimension(id, 1).hi_form.terms, (std::vector<AffineBound::Term>{{3, 1}}));
}

TEST(RegionCode, RefusesProgramsThatAreNotInOrder) {
    RegionCode code;
    const RegionInstruction forward[] = {with_registers(RegionOp::add, 0, 2)};
    EXPECT_THROW(code.add(1, forward, {}), std::invalid_argument);
    EXPECT_THROW(code.add(1, {}, {bounds({2, 1, 0}, {0, 1, 0})}), std::invalid_argument);
    EXPECT_THROW(code.add(kMaxRegionRegisters / 2 + 1, {}, {}), std::invalid_argument);
    EXPECT_EQ(code.size(), 0u);
}

TEST(RegionCode, DescribesItself) {
    RegionCode code;
    const RegionInstruction program[] = {
        with_immediate(RegionOp::div_imm, 0, 2),
        with_registers(RegionOp::min, 2, 1),
        with_registers(RegionOp::add, 3, 3),
    };
    const auto id =
        code.add(1, program, {bounds({0, 1, -1}, {1, 2, 1}), bounds({4, 1, 0}, {0, 0, 8})});
    const std::string inputs[] = {"x"}, dims[] = {"u", "v"};
    EXPECT_EQ(code.describe(id, inputs, dims),
              "t0 := min((x.min / 2), x.max); u: [x.min - 1, x.max * 2 + 1] v: [(t0 + t0), 8]");
    EXPECT_EQ(code.describe(add_identity(code, 1)), "d0: [i0.min, i0.max]");
}

TEST(RegionCode, HashDependsOnWhatIsComputedOnly) {
    RegionCode code;
    const auto first = add_identity(code, 2), second = add_identity(code, 2);
    const auto shifted =
        code.add(2, {}, {bounds({0, 1, 1}, {1, 1, 0}), bounds({2, 1, 0}, {3, 1, 0})});
    EXPECT_EQ(code.hash(first), code.hash(second));
    EXPECT_NE(code.hash(first), code.hash(shifted));
}

TEST(RegionCode, KnowsTheWidestBoundsOfAProgram) {
    RegionCode code;
    const auto narrow = code.add(1, {}, {bounds({0, 1, 0}, {0, 0, 9})});
    EXPECT_EQ(code.widest(narrow), narrow);
    const uint64_t hash = code.hash(narrow);
    const auto wide = code.add(1, {}, {bounds({0, 1, 0}, {0, 0, 63})});
    code.set_widest(narrow, wide);
    EXPECT_EQ(code.widest(narrow), wide);
    EXPECT_EQ(code.widest(wide), wide);
    EXPECT_EQ(code.hash(narrow), hash);
    const auto other = add_identity(code, 2);
    EXPECT_THROW(code.set_widest(narrow, other), std::invalid_argument);
}

}  // namespace
}  // namespace autoschedule_gpu
