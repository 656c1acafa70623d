// Operation histograms.
#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
using HFunc = Halide::Func;
using Halide::cast;
using Halide::Expr;
using Halide::Float;
using Halide::ImageParam;
using Halide::Int;
using Halide::RDom;
using Halide::UInt;

std::string ops_of_value(const std::function<Expr(ImageParam, ImageParam)> &value) {
    ImageParam real(Float(32), 2, "real"), whole(Int(32), 2, "whole");
    HFunc f;
    f(x, y) = value(real, whole);
    f.set_estimates({{0, 8}, {0, 8}});
    return to_text(stage(read(f), f).ops);
}

TEST(Ops, AreCountedByKindAndType) {
    const auto F = [](const char *, auto value) { return ops_of_value(value); };
    EXPECT_EQ(F("", [](auto r, auto) { return r(x, y) * 2.0f + r(x + 1, y); }),
              "add:single 1, mul:single 1");
    EXPECT_EQ(F("", [](auto, auto w) { return w(x, y) / 8 + w(x, y) % 8 + w(x, y) / 7; }),
              "add:integer 2, div:integer 1, shift:integer 1, bitwise:integer 1");
    EXPECT_EQ(F("", [](auto r, auto) { return r(x, y) / 49.0f + r(x, y) / r(x + 1, y); }),
              "add:single 1, mul:single 1, div:single 1");
    EXPECT_EQ(F("", [](auto r, auto) { return Halide::sqrt(r(x, y)) + Halide::exp(r(x, y)); }),
              "add:single 1, sqrt:single 1, transcendental:single 1");
    EXPECT_EQ(F("", [](auto r, auto) { return select(r(x, y) > 0.5f, r(x, y), 0.0f); }),
              "compare:single 1, select:single 1");
    EXPECT_EQ(F("", [](auto, auto w) { return cast<int64_t>(w(x, y)) * w(y, x); }),
              "mul:wide_integer 1, cast:wide_integer 2");
    EXPECT_EQ(F("", [](auto r, auto) { return Halide::clamp(r(x, y), 0.0f, 1.0f); }),
              "min_max:single 2");
    EXPECT_EQ(F("", [](auto, auto w) { return (w(x, y) & 3) ^ (w(x, y) << 2); }),
              "shift:integer 1, bitwise:integer 2");
}

// By a constant, 64 bits are multiplied in parts, which is far from what a quotient takes.
TEST(Ops, OfWideIntegersByAConstantAreProducts) {
    const auto of = [](auto value) {
        return ops_of_value([&](auto, auto w) { return value(cast<int64_t>(w(x, y))); });
    };
    EXPECT_EQ(of([](Expr w) { return w / 7; }),
              "add:wide_integer 4, mul:wide_integer 4, shift:wide_integer 2, cast:wide_integer 1");
    EXPECT_EQ(of([](Expr w) { return w % 7; }),
              "add:wide_integer 5, mul:wide_integer 5, shift:wide_integer 2, cast:wide_integer 1");
    EXPECT_EQ(of([](Expr w) { return w / 8; }), "shift:wide_integer 1, cast:wide_integer 1");
    EXPECT_EQ(of([](Expr w) { return w / (w + 1); }),
              "add:wide_integer 1, div:wide_integer 1, cast:wide_integer 1");
}

// A load of few bits fills a register of 32.
TEST(Ops, LeaveOutWhatALoadExtends) {
    Halide::ImageParam bytes(Halide::UInt(8), 2, "bytes");
    Halide::Func f("f");
    f(x, y) = cast<int>(bytes(x, y)) * cast<int>(bytes(x, y) + cast<uint8_t>(1));
    f.set_estimates({{0, 64}, {0, 64}});
    const Dag dag = read(Halide::Pipeline(f));
    const OpHistogram &ops = dag.stages.back().ops;
    EXPECT_EQ(ops.at(OpKind::cast, OpType::integer), 1);
    EXPECT_EQ(ops.at(OpKind::mul, OpType::integer), 1);
}

TEST(Ops, LeaveAddressArithmeticOut) {
    EXPECT_EQ(ops_of_value([](auto r, auto) { return r(2 * x + 1, Halide::clamp(y - 3, 0, 5)); }),
              "none");
}

TEST(Ops, CountIndicesThatAreData) {
    EXPECT_EQ(
        ops_of_value([](auto r, auto w) { return r(Halide::clamp(w(2 * x, y) + 3, 0, 9), y); }),
        "add:integer 1, min_max:integer 2");
}

TEST(Ops, CountLoopVariablesThatAreValues) {
    EXPECT_EQ(ops_of_value([](auto, auto) { return x + y * 3; }), "add:integer 1, mul:integer 1");
}

TEST(Ops, CountChoicesOfDataAndNotOfAChannel) {
    EXPECT_EQ(ops_of_value([](auto r, auto) {
                  return Halide::mux(x, {r(x, y), r(x + 1, y), 1.0f});
              }),
              "none");
    EXPECT_EQ(ops_of_value([](auto r, auto w) {
                  return Halide::mux(w(x, y), {r(x, y), r(x + 1, y), 1.0f});
              }),
              "compare:integer 2, select:single 2");
}

TEST(Ops, CountSharedExpressionsOnce) {
    EXPECT_EQ(ops_of_value([](auto r, auto) {
                  Expr e = r(x, y) * r(x + 1, y);
                  for (int i = 0; i < 4; i++) e = e * e;
                  return e;
              }),
              "mul:single 5");
}

TEST(Ops, LeaveStoreAddressesOutAndPredicatesIn) {
    ImageParam in(UInt(8), 1, "in");
    HFunc f("f");
    RDom r(0, 10, "r");
    r.where(in(r) > 7);
    f(x) = 0;
    f(2 * r + 1) += 5;
    f.set_estimate(x, 0, 20);
    EXPECT_EQ(to_text(stage(read(f), f, 1).ops), "add:integer 1, compare:integer 1");
}

TEST(Ops, DoNotDependOnStrictFloat) {
    const auto plain = ops_of_value([](auto r, auto) { return r(x, y) * 0.5f + 1.0f; });
    const auto strict =
        ops_of_value([](auto r, auto) { return Halide::strict_float(r(x, y) * 0.5f + 1.0f); });
    EXPECT_EQ(plain, strict);
}

}  // namespace
}  // namespace autoschedule_gpu
