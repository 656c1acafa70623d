// Depthwise convolution (Howard et al. 2017): each channel has a 3x3 filter of its own; bias and
// rectifier (ReLU). Borders are not padded: the input is two pixels wider and higher than the
// output.
//
//   filter, bias ─┐
//   input ────────┴─► convolved (sum over 3 x 3) ─► output
//
// Images have the channel outside (NCHW of other frameworks).
#include <Halide.h>

namespace {

using namespace Halide;

class DepthwiseConv : public Generator<DepthwiseConv> {
public:
    GeneratorParam<int> width{"width", 112, 1, 1 << 15};    // of the output, that it is
    GeneratorParam<int> height{"height", 112, 1, 1 << 15};  // scheduled for
    GeneratorParam<int> channels{"channels", 128, 1, 1 << 12};
    GeneratorParam<int> batch{"batch", 8, 1, 1 << 12};  // images
    GeneratorParam<bool> manual{"manual", false};       // use the expert's GPU schedule

    Input<Buffer<float, 4>> input{"input"};    // x, y, channel, image
    Input<Buffer<float, 3>> filter{"filter"};  // x, y, channel
    Input<Buffer<float, 1>> bias{"bias"};
    Output<Buffer<float, 4>> output{"output"};

    void generate() {
        r_ = RDom(0, 3, 0, 3, "r");
        convolved_(x, y, c, n) = bias(c);
        convolved_(x, y, c, n) += filter(r_.x, r_.y, c) * input(x + r_.x, y + r_.y, c, n);
        output(x, y, c, n) = max(convolved_(x, y, c, n), 0.0f);

        filter.dim(0).set_bounds(0, 3);
        filter.dim(1).set_bounds(0, 3).set_stride(3);
        input.set_estimates({{0, width + 2}, {0, height + 2}, {0, channels}, {0, batch}});
        filter.set_estimates({{0, 3}, {0, 3}, {0, channels}});
        bias.set_estimates({{0, channels}});
        output.set_estimates({{0, width}, {0, height}, {0, channels}, {0, batch}});
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        Var plane{"plane"};
        output.vectorize(x, lanes, TailStrategy::GuardWithIf).fuse(c, n, plane).parallel(plane);
        convolved_.compute_at(output, x).vectorize(x, lanes);
        convolved_.update()
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .unroll(r_.x)
            .unroll(r_.y);
    }

    // One kernel. A thread has seven pixels in a column: what it needs of the input, 3x9 values,
    // comes into registers once, all loads under way together, where one pixel at a time would
    // load 9 values each. Neighbours in x share their columns through the L1 cache.
    void schedule_by_hand() {
        const int columns = 16, thread_rows = 7, threads = 16;
        Var xo{"xo"}, xt{"xt"}, yo{"yo"}, yt{"yt"}, yi{"yi"}, tile{"tile"};
        output
            .specialize(output.dim(0).extent() >= columns &&
                        output.dim(1).extent() >= thread_rows * threads)
            .tile(x, y, xo, yo, xt, yi, columns, thread_rows * threads, TailStrategy::ShiftInwards)
            .split(yi, yt, yi, thread_rows)
            .fuse(xo, yo, tile)
            .reorder(yi, xt, yt, tile, c, n)
            .unroll(yi)
            .gpu_threads(xt, yt)
            .gpu_blocks(tile, c, n);
        // Less than a tile: one pixel per thread.
        output.tile(x, y, xo, yo, xt, yt, columns, threads, TailStrategy::GuardWithIf)
            .fuse(xo, yo, tile)
            .reorder(xt, yt, tile, c, n)
            .gpu_threads(xt, yt)
            .gpu_blocks(tile, c, n);

        convolved_.compute_at(output, xt).unroll(y);
        convolved_.update().reorder(r_.x, r_.y, y).unroll(r_.x).unroll(r_.y).unroll(y);
        Func window = input.in(convolved_), taps = filter.in(convolved_);
        for (Func f : {window, taps}) {
            f.compute_at(output, xt)
                .store_in(MemoryType::Register)
                .unroll(f.args()[0])
                .unroll(f.args()[1]);
        }
    }

    Var x{"x"}, y{"y"}, c{"c"}, n{"n"};
    RDom r_;
    Func convolved_{"convolved"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(DepthwiseConv, depthwise_conv)
