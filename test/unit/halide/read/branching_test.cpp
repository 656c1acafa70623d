// Strahler numbers of definitions: how many values must be held at once.
#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
using Halide::Expr;
using Halide::ImageParam;

int branching_of_value(const std::function<Expr(ImageParam)> &value) {
    ImageParam in(Halide::Float(32), 2, "in");
    in.set_estimates({{0, 64}, {0, 64}});
    Halide::Func f("f");
    f(x, y) = value(in);
    f.set_estimates({{0, 32}, {0, 32}});
    return stage(read(f), f).branching;
}

TEST(Branching, OfALoadIsOneWhateverItsAddress) {
    EXPECT_EQ(branching_of_value([](auto in) { return in(x, y); }), 1);
    EXPECT_EQ(branching_of_value([](auto in) { return in(2 * x + y % 3, y); }), 1);
    EXPECT_EQ(branching_of_value([](auto in) { return Halide::sqrt(in(x, y)); }), 1);
}

// A chain holds its sum and the next operand; a balanced tree one more for each level.
TEST(Branching, OfSumsDependsOnTheirShape) {
    const auto at = [](ImageParam in, int i) { return in(x + i, y); };
    EXPECT_EQ(branching_of_value([&](auto in) { return at(in, 0) * at(in, 1); }), 2);
    EXPECT_EQ(branching_of_value([&](auto in) {
                  return Halide::cast<float>(at(in, 0) * at(in, 1)) * at(in, 2) * at(in, 3);
              }),
              2);
    EXPECT_EQ(branching_of_value(
                  [&](auto in) { return (at(in, 0) * at(in, 1)) * (at(in, 2) * at(in, 3)); }),
              3);
}

// select(a * b, c, d): the condition, one value, with the other two beside it.
TEST(Branching, OfSeveralOperandsTakesTheWidestFirst) {
    EXPECT_EQ(branching_of_value([](auto in) {
                  return Halide::select(in(x, y) > in(x + 1, y), in(x + 2, y), in(x + 3, y));
              }),
              3);
}

// A value that occurs twice is computed twice by this count, as the paper's has it.
TEST(Branching, OfASharedValueCountsBothUses) {
    EXPECT_EQ(branching_of_value([](auto in) {
                  const Expr sum = in(x, y) * in(x + 1, y);
                  return Halide::max(sum * in(x + 2, y), in(x + 3, y) * sum);
              }),
              3);
}

}  // namespace
}  // namespace autoschedule_gpu
