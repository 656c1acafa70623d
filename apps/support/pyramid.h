// What the generators of image pyramids share. A level has half the width and height of the one
// before it, rounded up; level 0 is the image itself. Pixel (x, y) of a level lies on pixel
// (2x, 2y) of the finer one, or covers it and its neighbours, as the application decides.
#pragma once

#include <Halide.h>

#include <array>
#include <string>
#include <vector>

namespace autoschedule_gpu::apps {

// A Func of one level, by its name and the level.
inline std::string numbered(const std::string &name, int level) {
    return name + "_" + std::to_string(level);
}

inline Halide::Expr extent_of_level(const Halide::Expr &extent, int level) {
    return (extent + ((1 << level) - 1)) >> level;
}

// A position within a level that is clamped to its edges. Level 0 is defined beyond them already.
inline Halide::Expr within_level(const Halide::Expr &at, const Halide::Expr &extent, int level) {
    return level == 0 ? at : Halide::clamp(at, 0, extent_of_level(extent, level) - 1);
}

// The arguments of a Func, with other positions in place of the first two.
inline std::vector<Halide::Expr> moved(const std::vector<Halide::Var> &args, const Halide::Expr &x,
                                       const Halide::Expr &y) {
    std::vector<Halide::Expr> result(args.begin(), args.end());
    result[0] = x;
    result[1] = y;
    return result;
}

// A level and the step before it.
struct ReducedLevel {
    Halide::Func along_y, result;
};

// `level` of the pyramid whose level before is `fine`, by a separable filter: `taps(at)` is its sum
// over at(-n) to at(n). `extents` are the image's. Edges are repeated by the first step, so that
// the second reads without a clamp and can be fused.
template <typename Taps>
ReducedLevel reduce_level(const Halide::Func &fine, const std::vector<Halide::Var> &args, int level,
                          const std::string &name, const std::array<Halide::Expr, 2> &extents,
                          const Taps &taps) {
    const Halide::Var x = args[0], y = args[1];
    ReducedLevel reduced{Halide::Func(numbered(name + "_along_y", level)),
                         Halide::Func(numbered(name, level))};
    const auto within = [&](const Halide::Expr &at, int dimension) {
        return within_level(at, extents[dimension], level - 1);
    };
    reduced.along_y(args) =
        taps([&](int tap) { return fine(moved(args, within(x, 0), within(2 * y + tap, 1))); });
    reduced.result(args) =
        taps([&](int tap) { return reduced.along_y(moved(args, 2 * x + tap, y)); });
    return reduced;
}

// The GPU schedule of a Func that reads a coarser level, in tiles of `tile` columns. A thread
// computes two rows yi, one even and one odd: the two read the same coarse rows, and for each it is
// known at compile time which. Along x both cases are evaluated, which keeps a warp's accesses
// contiguous.
inline void two_rows_per_thread(Halide::Func f, int tile) {
    const Halide::Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xt{"xt"}, yt{"yt"}, yi{"yi"}, yp{"yp"};
    f.split(y, yp, yi, 2, Halide::TailStrategy::GuardWithIf)
        .tile(x, yp, xo, yo, xt, yt, tile, 4, Halide::TailStrategy::GuardWithIf)
        .reorder(yi, xt, yt, xo, yo)
        .unroll(yi)
        .gpu_blocks(xo, yo)
        .gpu_threads(xt, yt);
}

}  // namespace autoschedule_gpu::apps
