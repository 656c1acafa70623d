// Multi-scale interpolation of scattered samples by pull and push (Gortler, Grzeszczuk, Szeliski &
// Cohen 1996, section 3.4.3). A pixel's alpha says how sure its colour is. Pulling makes a pyramid
// of ever coarser means, in which holes close and weights saturate at 1; pushing goes back, and at
// each level fills from the coarser one what weight is missing. Colours are multiplied by their
// weight on the way, and divided by it at the end. Both passes use the quadratic B-spline
// (Chaikin's 1 3 3 1).
//
//   input ─► padded ─► weighted ─► pulled[1] ─► pulled[2] ─► … ─► pulled[levels - 1]
//                         │            │            │                  │
//           output ◄─ pushed[0] ◄─ pushed[1] ◄─ pushed[2] ◄─ … ◄──────┘
//
// A level repeats its own edge when it is pulled from.
#include <Halide.h>

#include <string>
#include <vector>

#include "pyramid.h"

namespace {

using namespace Halide;
using namespace autoschedule_gpu::apps;

class Interpolate : public Generator<Interpolate> {
public:
    GeneratorParam<int> levels{"levels", 10, 2, 14};         // of the pyramid, the finest included
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<float, 3>> input{"input"};     // x, y, channel: red, green, blue, alpha in 0..1
    Output<Buffer<float, 3>> output{"output"};  // x, y, channel

    void generate() {
        padded_ =
            BoundaryConditions::repeat_edge(input, {{input.dim(0).min(), input.dim(0).extent()},
                                                    {input.dim(1).min(), input.dim(1).extent()},
                                                    {Expr(), Expr()}});
        weighted_(x, y, c) = padded_(x, y, c) * select(c < kAlpha, padded_(x, y, kAlpha), 1.0f);

        pulled_.push_back({Func(), Func(), weighted_});
        for (int level = 1; level < levels; level++) {
            pulled_.push_back(pull(pulled_.back().result, level));
        }

        pushed_.resize(levels);
        pushed_.back() = pulled_.back().result;
        for (int level = levels - 2; level >= 0; level--) {
            Func known = pulled_[level].result;
            Func filling = expand(pushed_[level + 1], level);
            pushed_[level] = Func(numbered("pushed", level));
            pushed_[level](x, y, c) =
                known(x, y, c) + (1.0f - known(x, y, kAlpha)) * filling(x, y, c);
        }

        // The floor matters only where there is no sample at all.
        output(x, y, c) = pushed_[0](x, y, c) / max(pushed_[0](x, y, kAlpha), 1e-6f);

        set_estimates_and_layout();
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    static constexpr int kAlpha = 3;

    // A level half as large as another: filtered along x, then along y, then saturated.
    struct Pulled {
        Func along_x, gathered, result;
    };

    Pulled pull(Func fine, int level) {
        Pulled pulled{Func(numbered("pulled_along_x", level)), Func(numbered("gathered", level)),
                      Func(numbered("pulled", level))};
        // Edges are repeated by the first step, so that the second reads without a clamp and can be
        // fused.
        const auto within = [&](Expr at, int dimension) {
            return within_level(at, input.dim(dimension).extent(), level - 1);
        };
        pulled.along_x(x, y, c) =
            four_taps([&](int tap) { return fine(within(2 * x + tap, 0), within(y, 1), c); });
        pulled.gathered(x, y, c) =
            four_taps([&](int tap) { return pulled.along_x(x, 2 * y + tap, c); });

        // One sure sample among the four pixels of a coarse one is enough to be sure of that.
        Func gathered = pulled.gathered;
        pulled.result(x, y, c) =
            4.0f * gathered(x, y, c) / max(4.0f * gathered(x, y, kAlpha), 1.0f);
        return pulled;
    }

    // The level after `level` at the size of `level`.
    Func expand(Func coarse, int level) {
        Func along_y(numbered("expanded_along_y", level)), result(numbered("expanded", level));
        along_y(x, y, c) = between(y, [&](Expr at) { return coarse(x, at, c); });
        result(x, y, c) = between(x, [&](Expr at) { return along_y(at, y, c); });
        return result;
    }

    // Pixel x of a coarse level covers pixels 2x and 2x + 1 of the finer one.
    template <typename At>
    static Expr four_taps(At at) {
        return (at(-1) + at(2) + 3.0f * (at(0) + at(1))) * 0.125f;
    }

    template <typename At>
    static Expr between(Expr position, At at) {
        Expr middle = position / 2;
        Expr neighbour = select(position % 2 == 0, at(middle - 1), at(middle + 1));
        return 0.75f * at(middle) + 0.25f * neighbour;
    }

    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        for (int level = 1; level < levels; level++) {
            Pulled &pulled = pulled_[level];
            pulled.result.compute_root().reorder(x, c, y).parallel(y, 4).vectorize(x, lanes);
            pulled.gathered.compute_at(pulled.result, y).vectorize(x, lanes);
            pulled.along_x.compute_at(pulled.result, y).vectorize(x, lanes);
            if (level == levels - 1) continue;
            pushed_[level].compute_root().reorder(x, c, y).parallel(y, 4).vectorize(x, lanes);
        }
        output.reorder(x, c, y)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .parallel(y, 8, TailStrategy::GuardWithIf);
        pushed_[0].compute_at(output, y).vectorize(x, lanes);
    }

    // One kernel pulls each level and one pushes it. The coarsest level is read as it is.
    void schedule_by_hand() {
        for (int level = 1; level < levels; level++) {
            pull_by_hand(pulled_[level], tile_width(level));
            if (level == levels - 1) continue;
            pushed_[level].compute_root().align_bounds(y, 2).bound(c, 0, 4);
            pushed_[level].reorder(c, x, y).unroll(c);
            two_rows_per_thread(pushed_[level], tile_width(level));
        }
        output.reorder(c, x, y).unroll(c);
        two_rows_per_thread(output, 64);
        pushed_[0].compute_at(output, yi).unroll(c);
    }

    // Coarse levels have few tiles: small ones keep more of the device busy.
    static int tile_width(int level) { return level <= 3 ? 32 : 16; }

    // A thread computes two pixels of a column with all their channels, which need one weight. The
    // values along x that they need are in its registers, so there is no barrier, and an alpha is
    // read once for all channels. What neighbouring threads read twice comes from the cache.
    void pull_by_hand(Pulled &pulled, int tile) {
        pulled.result.compute_root()
            .bound(c, 0, 4)
            .tile(x, y, xo, yo, xt, yi, tile, 8, TailStrategy::RoundUp)
            .split(yi, yt, yi, 2)
            .reorder(c, yi, xt, yt, xo, yo)
            .unroll(c)
            .unroll(yi)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt);
        pulled.gathered.compute_at(pulled.result, xt).reorder(y, x, c).unroll(y).unroll(c);
        pulled.along_x.compute_at(pulled.result, xt).reorder(c, y).unroll(c).unroll(y);
    }

    void set_estimates_and_layout() {
        // Origins at 0 tell a scheduler which pixels are even.
        for (int dimension : {0, 1}) {
            input.dim(dimension).set_min(0);
            output.dim(dimension).set_min(0);
        }
        input.dim(2).set_bounds(0, 4);
        output.dim(2).set_bounds(0, 3);
        input.set_estimates({{0, width}, {0, height}, {0, 4}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    Var x{"x"}, y{"y"}, c{"c"};
    Var xo{"xo"}, yo{"yo"}, xt{"xt"}, yt{"yt"}, yi{"yi"}, yp{"yp"};
    Func padded_{"padded"}, weighted_{"weighted"};
    // By level, the finest first.
    std::vector<Pulled> pulled_;
    std::vector<Func> pushed_;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Interpolate, interpolate)
