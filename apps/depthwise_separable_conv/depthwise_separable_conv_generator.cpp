// Depthwise separable convolution, the building block of MobileNet (Howard et al. 2017): each
// channel is convolved with a 3x3 filter of its own, and then every pixel's channels are mixed by a
// matrix. Bias and rectifier (ReLU) follow both. The borders are padded with zeros.
//
//   depth_filter, depth_bias ──┐
//   input ─► padded ───────────┴─► depthwise (sum over 3x3) ─► activated ─┐
//   point_filter, point_bias ─────────────────────────────────────────────┴─► pointwise ─► output
//                                                                       (sum over channels)
//
// Images are NHWC, written with the slowest dimension first: dimension 0 is the channel.
#include <Halide.h>

namespace {

using namespace Halide;

class DepthwiseSeparableConv : public Generator<DepthwiseSeparableConv> {
public:
    // The limit is what the expert's schedule has shared memory for.
    GeneratorParam<int> channels_in{"channels_in", 32, 1, 192};
    GeneratorParam<int> channels_out{"channels_out", 64, 1, 1 << 12};
    GeneratorParam<int> width{"width", 112, 1, 1 << 15};    // of input and output, that it is
    GeneratorParam<int> height{"height", 112, 1, 1 << 15};  // scheduled for
    GeneratorParam<int> batch{"batch", 4, 1, 1 << 12};      // images
    GeneratorParam<bool> manual{"manual", false};           // use the expert's GPU schedule

    Input<Buffer<float, 4>> input{"input"};                // channel in, x, y, image
    Input<Buffer<float, 3>> depth_filter{"depth_filter"};  // channel in, x, y
    Input<Buffer<float, 1>> depth_bias{"depth_bias"};      // channel in
    Input<Buffer<float, 2>> point_filter{"point_filter"};  // channel out, channel in
    Input<Buffer<float, 1>> point_bias{"point_bias"};      // channel out
    Output<Buffer<float, 4>> output{"output"};             // channel out, x, y, image

    void generate() {
        padded_ =
            BoundaryConditions::constant_exterior(input, 0.0f,
                                                  {{Expr(), Expr()},
                                                   {input.dim(1).min(), input.dim(1).extent()},
                                                   {input.dim(2).min(), input.dim(2).extent()},
                                                   {Expr(), Expr()}});

        taps_ = RDom(0, 3, 0, 3, "taps");
        depthwise_(c, x, y, n) = depth_bias(c);
        depthwise_(c, x, y, n) +=
            depth_filter(c, taps_.x, taps_.y) * padded_(c, x + taps_.x - 1, y + taps_.y - 1, n);
        activated_(c, x, y, n) = max(depthwise_(c, x, y, n), 0.0f);

        channels_ = RDom(0, channels_in, "channels");
        pointwise_(k, x, y, n) = point_bias(k);
        pointwise_(k, x, y, n) += point_filter(k, channels_) * activated_(channels_, x, y, n);
        output(k, x, y, n) = max(pointwise_(k, x, y, n), 0.0f);

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
    // Row by row; in a row, four pixels by two vectors of channels are summed in registers.
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        Var ko{"ko"}, ki{"ki"}, xo{"xo"}, xi{"xi"}, strip{"strip"};
        output.tile(k, x, ko, xo, ki, xi, 2 * lanes, 4, TailStrategy::GuardWithIf)
            .vectorize(ki, lanes, TailStrategy::GuardWithIf)
            .fuse(y, n, strip)
            .parallel(strip);
        activated_.compute_at(output, xo).vectorize(c, lanes, TailStrategy::GuardWithIf);
        depthwise_.compute_at(activated_, x).vectorize(c, lanes, TailStrategy::GuardWithIf);
        depthwise_.update()
            .reorder(c, taps_.x, taps_.y)
            .vectorize(c, lanes, TailStrategy::GuardWithIf);
        pointwise_.compute_at(output, ko).vectorize(k, lanes, TailStrategy::GuardWithIf);
        pointwise_.update()
            .reorder(k, x, channels_)
            .vectorize(k, lanes, TailStrategy::GuardWithIf)
            .unroll(k, 2, TailStrategy::GuardWithIf)
            .unroll(x, 4, TailStrategy::GuardWithIf);
    }

    // One kernel. A block has all channels of 8x8 pixels: their activated values, which every
    // channel out needs, are computed once and kept in shared memory (8 KiB), so between the two
    // convolutions nothing goes through global memory.
    void schedule_by_hand() {
        const int group = vector_of(channels_out);
        const int groups = divisor_of(channels_out / group, 16);
        Var ko{"ko"}, kt{"kt"}, ki{"ki"}, xo{"xo"}, xt{"xt"}, xi{"xi"}, yo{"yo"}, yt{"yt"};
        Var strip{"strip"}, lane{"lane"};
        output.split(k, kt, ki, group).split(kt, ko, kt, groups);
        output.specialize(output.dim(1).extent() >= 8 && output.dim(2).extent() >= 8)
            .tile(x, y, xo, yo, xi, yt, 8, 8, TailStrategy::ShiftInwards)
            .split(xi, xt, xi, 4)
            .fuse(kt, xt, lane)
            .fuse(yo, n, strip)
            .reorder(ki, xi, ko, lane, yt, xo, strip)
            .vectorize(ki)
            .unroll(xi)
            .gpu_threads(lane, yt)
            .gpu_blocks(xo, strip);
        // Less than a tile: one pixel per block.
        output.split(x, xo, xt, 1)
            .fuse(kt, xt, lane)
            .fuse(y, n, strip)
            .reorder(ki, ko, lane, xo, strip)
            .vectorize(ki)
            .gpu_threads(lane)
            .gpu_blocks(xo, strip);
        schedule_pointwise_by_hand(ko);
        schedule_depthwise_by_hand(xo);
    }

    // Four channels of four pixels per thread, summed in registers: eight loads of 16 bytes, half
    // of them from shared memory, feed 64 multiply-adds. A half-warp stores 64 channels of a
    // pixel, consecutive in memory.
    void schedule_pointwise_by_hand(const Var &thread) {
        RVar so{"so"}, si{"si"};
        pointwise_.compute_at(output, thread).vectorize(k).unroll(x);
        pointwise_.update()
            .split(channels_, so, si, vector_of(channels_in))
            .reorder(k, si, x, so)
            .vectorize(k)
            .unroll(x)
            .unroll(si);
        activated_.in(pointwise_)
            .compute_at(pointwise_, x)
            .store_in(MemoryType::Register)
            .vectorize(c);
    }

    // A warp has the 32 channels of a column of 8 pixels, so its loads are consecutive; unrolled,
    // the taps of neighbours share 30 loads of pixels and 9 of weights for 72 multiply-adds.
    void schedule_depthwise_by_hand(const Var &block) {
        Var co{"co"}, ct{"ct"};
        activated_.compute_at(output, block)
            .split(c, co, ct, divisor_of(channels_in, 32))
            .reorder(y, ct, x, co)
            .unroll(y)
            .gpu_threads(ct, x);
        depthwise_.compute_at(activated_, ct).unroll(y);
        depthwise_.update().reorder(y, taps_.y, taps_.x).unroll(y).unroll(taps_.x).unroll(taps_.y);
    }

    // Channels that fit a vector: no three of them, which OpenCL takes for four.
    static int vector_of(int channels) { return channels % 4 == 0 ? 4 : channels % 2 == 0 ? 2 : 1; }

    // The largest divisor of a number of channels that is no more than `limit`.
    static int divisor_of(int channels, int limit) {
        while (channels % limit != 0) limit--;
        return limit;
    }

    void set_estimates_and_layout() {
        const int in = channels_in, out = channels_out;
        input.dim(0).set_bounds(0, in);
        output.dim(0).set_bounds(0, out);
        depth_filter.dim(0).set_bounds(0, in);
        depth_filter.dim(1).set_bounds(0, 3).set_stride(in);
        depth_filter.dim(2).set_bounds(0, 3).set_stride(3 * in);
        depth_bias.dim(0).set_bounds(0, in);
        point_filter.dim(0).set_bounds(0, out);
        point_filter.dim(1).set_bounds(0, in).set_stride(out);
        point_bias.dim(0).set_bounds(0, out);
        // Pixels follow each other without gaps, and rows begin at a multiple of a pixel.
        input.dim(1).set_stride(in);
        output.dim(1).set_stride(out);
        for (int d = 2; d < 4; d++) {
            input.dim(d).set_stride(input.dim(d).stride() / in * in);
            output.dim(d).set_stride(output.dim(d).stride() / out * out);
        }

        input.set_estimates({{0, in}, {0, width}, {0, height}, {0, batch}});
        depth_filter.set_estimates({{0, in}, {0, 3}, {0, 3}});
        depth_bias.set_estimates({{0, in}});
        point_filter.set_estimates({{0, out}, {0, in}});
        point_bias.set_estimates({{0, out}});
        output.set_estimates({{0, out}, {0, width}, {0, height}, {0, batch}});
    }

    Var c{"c"}, k{"k"}, x{"x"}, y{"y"}, n{"n"};  // c: channel in, k: channel out, n: image
    RDom taps_, channels_;
    Func padded_{"padded"}, depthwise_{"depthwise"}, activated_{"activated"};
    Func pointwise_{"pointwise"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(DepthwiseSeparableConv, depthwise_separable_conv)
