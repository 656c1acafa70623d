// Blur by recursive filters of first order (Deriche 1993; Nehab et al. 2011): down each column runs
// an exponential average, then up again another one over the result, so that the response is
// symmetric. The image is turned, blurred likewise, and turned back.
//
//   input ─► down ─► up ─► turned ─► down ─► up ─► output
#include <Halide.h>

#include <string>

namespace {

using namespace Halide;

class IirBlur : public Generator<IirBlur> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<float, 3>> input{"input"};         // x, y, channel; values in 0..1
    Input<float> alpha{"alpha", 0.1f, 0.0f, 1.0f};  // weight of the new pixel; 1 blurs nothing
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        columns_ = blur_columns(input, input.dim(1).min(), input.dim(1).extent(), "columns");
        turned_(x, y, c) = columns_.up(y, x, c);
        rows_ = blur_columns(turned_, input.dim(0).min(), input.dim(0).extent(), "rows");
        output(x, y, c) = rows_.up(y, x, c);

        input.dim(2).set_bounds(0, 3);
        output.dim(2).set_bounds(0, 3);
        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        alpha.set_estimate(0.1f);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    // Two averages over the same columns.
    struct Pass {
        Func down, up;
        RDom r;  // steps, from the first row down and from the last one up
    };

    // Beyond its borders the image repeats its edge, so the first row is its own average. What lies
    // before it is read as part of the Func, but not used; a bound on the row instead would keep
    // the compiler from seeing that each step reads what the one before it stored.
    template <typename Source>
    Pass blur_columns(const Source &source, const Expr &first, const Expr &size,
                      const std::string &name) {
        Pass pass{Func(name + "_down"), Func(name + "_up"), RDom(0, size, name + "_step")};
        const Expr last = first + size - 1;
        auto average = [&](const Expr &before, const Expr &value) {
            return select(pass.r == 0, value, before + alpha * (value - before));
        };

        Expr row = first + pass.r;
        pass.down(x, y, c) = undef<float>();
        pass.down(x, row, c) = average(pass.down(x, row - 1, c), source(x, row, c));

        row = last - pass.r;
        pass.up(x, y, c) = undef<float>();
        pass.up(x, row, c) = average(pass.up(x, row + 1, c), pass.down(x, row, c));
        return pass;
    }

    // Strips of columns, two vectors wide, go down and up in parallel.
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        Var xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"};
        for (const Pass &pass : {columns_, rows_}) {
            for (Func sweep : {pass.down, pass.up}) {
                sweep.compute_root();
                sweep.update()
                    .split(x, xo, xi, 2 * lanes, TailStrategy::GuardWithIf)
                    .reorder(xi, pass.r, xo, c)
                    .vectorize(xi, lanes, TailStrategy::GuardWithIf)
                    .parallel(xo);
            }
        }
        for (Func turn : {turned_, Func(output)}) {
            turn.compute_root()
                .tile(x, y, xo, yo, xi, yi, lanes, lanes, TailStrategy::GuardWithIf)
                .vectorize(xi)
                .parallel(yo);
        }
    }

    // Six kernels: four sweeps and two turns.
    void schedule_by_hand() {
        for (const Pass &pass : {columns_, rows_}) {
            sweep_by_hand(pass.down, pass.r);
            sweep_by_hand(pass.up, pass.r);
        }
        // Else shifted tiles make its rows' distance so involved that the compiler no longer sees
        // that what a step reads is what the step before stored.
        columns_.up.bound(x, input.dim(0).min(), input.dim(0).extent());
        turn_by_hand(turned_, columns_.up.in(turned_));
        turn_by_hand(output, rows_.up.in(output));
    }

    // Only columns and channels are independent: 144 warps in all, so one warp is a block, to use
    // every multiprocessor. What hides latency then is that 24 steps are unrolled: their loads, of
    // another buffer than their stores, are all under way at once, and the average stays in a
    // register.
    void sweep_by_hand(Func sweep, const RDom &r) {
        Var xo{"xo"}, xt{"xt"};
        RVar ro{"ro"}, ri{"ri"};
        sweep.compute_root();
        sweep.update()
            .split(r, ro, ri, 24, TailStrategy::GuardWithIf)
            .split(x, xo, xt, 32, TailStrategy::GuardWithIf)
            .reorder(ri, ro, xt, xo, c)
            .unroll(ri)
            .gpu_threads(xt)
            .gpu_blocks(xo, c);
    }

    // A tile passes through shared memory, so that both reads and writes are consecutive in a warp;
    // its rows there are 33 values apart, in different banks. Four values per thread.
    void turn_by_hand(Func turn, Func tile) {
        Var xo{"xo"}, xt{"xt"}, yo{"yo"}, yi{"yi"}, yt{"yt"};
        turn.compute_root();
        turn.specialize(input.dim(0).extent() >= 32 && output.dim(0).extent() >= 32 &&
                        output.dim(1).extent() >= 32)
            .tile(x, y, xo, yo, xt, yi, 32, 32, TailStrategy::ShiftInwards)
            .split(yi, yi, yt, 8)
            .reorder(yi, xt, yt, xo, yo, c)
            .unroll(yi)
            .gpu_threads(xt, yt)
            .gpu_blocks(xo, yo, c);
        // Less than a tile: one value per block.
        turn.split(x, xo, xt, 1).gpu_threads(xt).gpu_blocks(xo, y, c);

        const Var across = tile.args()[0], down = tile.args()[1];
        tile.compute_at(turn, xo)
            .align_storage(across, 33)
            .split(down, yi, yt, 8, TailStrategy::GuardWithIf)
            .reorder(yi, across, yt)
            .unroll(yi)
            .gpu_threads(across, yt);
    }

    Var x{"x"}, y{"y"}, c{"c"};
    Pass columns_, rows_;
    Func turned_{"turned"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(IirBlur, iir_blur)
