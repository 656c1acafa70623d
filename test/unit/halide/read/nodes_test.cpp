// How long definitions are.
#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;

// in(x, y) is a call and its two indices. What is shared counts once.
TEST(Nodes, AreThoseOfValuesAndAddresses) {
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    in.set_estimates({{0, 64}, {0, 64}});
    Halide::Func f("f"), g("g");
    f(x, y) = in(x, y);
    const Halide::Expr shared = in(x + 1, y) * 2.0f;
    g(x, y) = f(x, y) + shared * shared;
    g.set_estimates({{0, 32}, {0, 32}});
    const Dag dag = read(g);
    EXPECT_EQ(stage(dag, f).nodes, 3);
    EXPECT_EQ(stage(dag, g).nodes, 10);
}

}  // namespace
}  // namespace autoschedule_gpu
