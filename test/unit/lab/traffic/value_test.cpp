// What expressions are worth: Halide's arithmetic, for all threads at once.
#include "lab/traffic/value.h"

#include <gtest/gtest.h>

#include <limits>

#include "lab/traffic/evaluator.h"
#include "unit/lab/traffic/code_builder.h"

namespace autoschedule_gpu {
namespace {

using namespace test;
using lowered::Op;
using lowered::Type;

constexpr Type kUint8 = {Type::Kind::natural, 8, 1};
constexpr Type kInt8 = {Type::Kind::integer, 8, 1};
constexpr Type kDouble = {Type::Kind::real, 64, 1};

int64_t integer(CodeBuilder &c, E e) {
    return Evaluator(c.code).evaluate_uniform(e.id, "it");
}

double real(CodeBuilder &c, E e) {
    return Evaluator(c.code).evaluate(e.id)->reals.at(0);
}

TEST(Value, DividesTowardsARemainderThatIsNotNegative) {
    struct Case {
        int64_t a, b, quotient, remainder;
    };
    for (const Case &t : {Case{7, 3, 2, 1}, Case{-7, 3, -3, 2}, Case{7, -3, -2, 1},
                          Case{-7, -3, 3, 2}, Case{5, 0, 0, 0}, Case{-6, 3, -2, 0}}) {
        CodeBuilder c;
        const E a = c.constant(t.a), b = c.constant(t.b);
        EXPECT_EQ(integer(c, a / b), t.quotient) << t.a << " / " << t.b;
        EXPECT_EQ(integer(c, a % b), t.remainder) << t.a << " % " << t.b;
    }
}

TEST(Value, WrapsNarrowIntegers) {
    CodeBuilder c;
    EXPECT_EQ(integer(c, c.op(Op::cast, kUint8, {c.constant(-1)})), 255);
    EXPECT_EQ(integer(c, c.op(Op::cast, kInt8, {c.constant(200)})), -56);
    const E byte = c.op(Op::cast, kUint8, {c.constant(200)});
    EXPECT_EQ(integer(c, c.op(Op::add, kUint8, {byte, byte})), 144);
}

TEST(Value, DividesAsHalideDoesOrTowardsZero) {
    CodeBuilder c;
    const auto of = [&](Op op, int64_t a, int64_t b) {
        return integer(c, c.op(op, kInt32, {c.constant(a), c.constant(b)}));
    };
    EXPECT_EQ(of(Op::divide, -7, 2), -4);
    EXPECT_EQ(of(Op::remainder, -7, 2), 1);
    EXPECT_EQ(of(Op::divide_to_zero, -7, 2), -3);
    EXPECT_EQ(of(Op::remainder_to_zero, -7, 2), -1);
    EXPECT_EQ(of(Op::divide_to_zero, 7, -2), -3);
    EXPECT_EQ(of(Op::remainder_to_zero, 7, -2), 1);
    for (const Op op : {Op::divide, Op::remainder, Op::divide_to_zero, Op::remainder_to_zero}) {
        EXPECT_EQ(of(op, 7, 0), 0);
    }
    constexpr Type kInt64 = {Type::Kind::integer, 64, 1};
    const E least = c.constant(std::numeric_limits<int64_t>::min()), minus_one = c.constant(-1);
    for (const Op op : {Op::divide, Op::divide_to_zero}) {
        EXPECT_EQ(integer(c, c.op(op, kInt64, {least, minus_one})),
                  std::numeric_limits<int64_t>::min());
    }
}

TEST(Value, TruncatesRealsAndRoundsToHalf) {
    CodeBuilder c;
    const E minus =
        c.op(Op::divide, kDouble,
             {c.op(Op::cast, kDouble, {c.constant(-7)}), c.op(Op::cast, kDouble, {c.constant(2)})});
    EXPECT_EQ(real(c, minus), -3.5);
    EXPECT_EQ(integer(c, c.op(Op::cast, kInt32, {minus})), -3);
    EXPECT_EQ(real(c, c.op(Op::floor, kDouble, {minus})), -4);
    EXPECT_EQ(real(c, c.op(Op::round, kDouble, {minus})), -4);
    EXPECT_EQ(real(c, c.op(Op::absolute, kDouble, {minus})), 3.5);
}

TEST(Value, KeepsRealsInTheirType) {
    CodeBuilder c;
    const E third = c.op(
        Op::divide, kFloat32,
        {c.op(Op::cast, kFloat32, {c.constant(1)}), c.op(Op::cast, kFloat32, {c.constant(3)})});
    EXPECT_EQ(real(c, third), static_cast<double>(1.0F / 3.0F));
}

TEST(Value, ShiftsAndComparesAndSelects) {
    CodeBuilder c;
    const E five = c.constant(5), minus_two = c.constant(-2);
    EXPECT_EQ(integer(c, c.op(Op::shift_left, kInt32, {five, c.constant(3)})), 40);
    EXPECT_EQ(integer(c, c.op(Op::shift_left, kInt32, {five, minus_two})), 1);
    EXPECT_EQ(integer(c, c.op(Op::shift_right, kInt32, {minus_two, c.constant(1)})), -1);
    EXPECT_EQ(integer(c, c.op(Op::bitwise_and, kInt32, {five, c.constant(12)})), 4);
    EXPECT_EQ(integer(c, c.op(Op::less_equal, kBool, {five, five})), 1);
    EXPECT_EQ(integer(c, c.op(Op::select, kInt32, {five < 4, five, minus_two})), -2);
}

TEST(Value, OfVectorsIsLaneByLane) {
    CodeBuilder c;
    const E four = c.ramp(c.constant(10), 4);  // 10 11 12 13
    Type eight = kInt32;
    eight.lanes = 8;
    const E both = c.op(Op::concatenate, eight, {four, four});
    const E taken = c.op(Op::take_lanes, kInt32, {both, c.constant(6)});
    EXPECT_EQ(integer(c, taken), 12);
    EXPECT_EQ(Evaluator(c.code).evaluate(four.id)->integers,
              (std::vector<int64_t>{10, 11, 12, 13}));
    const E pairs = c.op(Op::broadcast, eight, {four});
    EXPECT_EQ(Evaluator(c.code).evaluate(pairs.id)->integers[5], 11);
}

TEST(Value, DiffersBetweenThreadsWhereAVariableDoes) {
    CodeBuilder c;
    lowered::Expr reference;
    reference.op = Op::variable;
    reference.variable = c.code.add_variable("t");
    const E t{&c, c.code.add(reference)};
    const E sum = t * 3 + 1;
    const E pair = c.ramp(t, 2);
    Evaluator evaluator(c.code);
    evaluator.set_threads(3);
    evaluator.bind(reference.variable, std::make_shared<const Value>(Value{false, {5, 6, 7}, {}}));
    EXPECT_EQ(evaluator.evaluate(sum.id)->integers, (std::vector<int64_t>{16, 19, 22}));
    // Lane by lane, the threads of one lane together.
    EXPECT_EQ(evaluator.evaluate(pair.id)->integers, (std::vector<int64_t>{5, 6, 7, 6, 7, 8}));
    EXPECT_FALSE(evaluator.made_up());
    evaluator.evaluate_uniform(sum.id, "the sum");
    EXPECT_EQ(evaluator.error(), "the sum is not the same for all threads of a block");
}

TEST(Value, OfALoadIsMadeUpFromItsAddress) {
    CodeBuilder c;
    const lowered::BufferId in = c.global("in", {100});
    const auto made_up = [&](int64_t at, Type type) {
        const E load = c.load(in, c.constant(at), 1, type);
        Evaluator evaluator(c.code);
        const ValueRef value = evaluator.evaluate(load.id);
        EXPECT_TRUE(evaluator.made_up());
        return type.kind == Type::Kind::real ? value->reals[0]
                                             : static_cast<double>(value->integers[0]);
    };
    EXPECT_EQ(made_up(3, kFloat32), made_up(3, kFloat32));
    EXPECT_NE(made_up(3, kFloat32), made_up(4, kFloat32));
    for (int64_t at = 0; at < 100; at++) {
        EXPECT_TRUE(made_up(at, kFloat32) >= 0 && made_up(at, kFloat32) <= 1);
        EXPECT_TRUE(made_up(at, kInt8) >= -128 && made_up(at, kInt8) <= 127);
        EXPECT_TRUE(made_up(at, kInt32) >= 0 && made_up(at, kInt32) <= 255);
    }
}

TEST(Value, OfALoadIsAnotherWhenItsBufferWasStoredTo) {
    CodeBuilder c;
    const lowered::BufferId array = c.global("array", {4}), other = c.global("other", {4});
    const E load = c.load(array, c.constant(0), 1, kFloat32);
    Evaluator evaluator(c.code);
    const auto value = [&] { return evaluator.evaluate(load.id)->reals[0]; };
    const double first = value();
    EXPECT_EQ(value(), first);
    evaluator.store(other);
    EXPECT_EQ(value(), first);
    evaluator.store(array);
    EXPECT_NE(value(), first)
        << "in the next iteration an array of the thread holds something else";
}

}  // namespace
}  // namespace autoschedule_gpu
