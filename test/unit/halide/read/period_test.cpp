// How often what a stage computes is the same.
#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
using Halide::select;

template <typename Value>
int64_t period_of_value(Value value) {
    Halide::ImageParam in(Halide::Int(32), 2, "in");
    Halide::Func f("f");
    f(x, y) = value(in);
    f.set_estimates({{0, 64}, {0, 64}});
    return stage(read(f), f).period;
}

TEST(Period, IsTheLeastThatAllDivisorsOfIndicesDivide) {
    EXPECT_EQ(period_of_value([](auto in) { return select(x % 2 == 0, in(x, y), in(x + 1, y)); }),
              2);
    EXPECT_EQ(period_of_value([](auto in) { return in(x / 2, (y + 1) / 3); }), 6);
    EXPECT_EQ(period_of_value([](auto in) { return in(x, y) + in(x + 1, y); }), 1);
}

TEST(Period, LeavesOutDataAndLargeDivisors) {
    EXPECT_EQ(period_of_value([](auto in) { return in(x, y) % 2; }), 1);
    EXPECT_EQ(period_of_value([](auto in) { return in(x / 64, y / 2); }), 2);
    EXPECT_EQ(period_of_value([](auto in) { return in(x / 7, y / 2); }), 7);
}

}  // namespace
}  // namespace autoschedule_gpu
