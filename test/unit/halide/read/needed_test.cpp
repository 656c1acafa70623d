// Which images of a pipeline make no difference to it, so that no schedule may ask for their rows.
#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
using Halide::select;

// Whether loads of the image's rows may be aligned, given what is computed of one of its pixels.
template <typename Value>
bool has_aligned_rows(Value value) {
    Halide::ImageParam in(Halide::Int(32), 2, "in");
    in.dim(0).set_estimate(0, 64);
    in.dim(1).set_estimate(0, 64);
    Halide::Func f("f");
    f(x, y) = value(in(x, y));
    f.set_estimates({{0, 64}, {0, 64}});
    return func(read(f), "in").aligned_rows;
}

TEST(NeededImages, AreThoseOfWhichSomethingIsComputed) {
    EXPECT_TRUE(has_aligned_rows([](auto pixel) { return pixel; }));
    EXPECT_TRUE(has_aligned_rows([](auto pixel) { return select(pixel > x, pixel, 1); }));
    EXPECT_FALSE(has_aligned_rows([](auto pixel) { return select(pixel > pixel, pixel, 1); }));
    EXPECT_FALSE(has_aligned_rows([](auto pixel) { return pixel * 0 + x; }));
}

TEST(NeededImages, AreThoseOfNeededFuncs) {
    const auto through_a_func = [](auto value) {
        return has_aligned_rows([&](const Halide::Expr &pixel) {
            Halide::Func doubled("doubled");
            doubled(x, y) = 2 * pixel;
            return value(doubled(x, y));
        });
    };
    EXPECT_TRUE(through_a_func([](auto point) { return point + x; }));
    EXPECT_FALSE(through_a_func([](auto point) { return point * 0 + x; }));
    EXPECT_FALSE(through_a_func([](auto point) { return point - point; }));
}

TEST(NeededImages, AreThoseThatAnUpdateReadsOrFinds) {
    const auto in_an_update = [](auto update) {
        return has_aligned_rows([&](const Halide::Expr &pixel) {
            Halide::Func updated("updated");
            updated(x, y) = 0;
            update(updated, pixel);
            return updated(x, y);
        });
    };
    EXPECT_TRUE(in_an_update([](auto &f, auto pixel) { f(x, y) += pixel; }));
    EXPECT_FALSE(in_an_update([](auto &f, auto pixel) { f(x, y) += pixel - pixel; }));
    EXPECT_TRUE(in_an_update([](auto &f, auto pixel) {
        Halide::RDom r(0, 4);
        r.where(pixel > r);
        f(x, y) += r;
    }));
}

}  // namespace
}  // namespace autoschedule_gpu
