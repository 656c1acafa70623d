// A layer of a convolutional network: 3x3 convolution over all channels, bias and rectifier (ReLU),
// as in VGG (Simonyan & Zisserman 2015). Borders are not padded: the input is two pixels wider and
// higher than the output.
//
//   filter ──┐
//   bias   ──┼─► convolved (sum over 3 x 3 x channels) ─► output
//   input  ──┘
//
// Images are NCHW or NHWC, written with the slowest dimension first as in other frameworks.
#include <Halide.h>

#include <vector>

namespace {

using namespace Halide;

enum class Layout { NCHW, NHWC };

class ConvLayer : public Generator<ConvLayer> {
public:
    GeneratorParam<Layout> layout{
        "layout", Layout::NCHW, {{"nchw", Layout::NCHW}, {"nhwc", Layout::NHWC}}};
    GeneratorParam<int> channels_in{"channels_in", 64, 1, 1 << 12};
    GeneratorParam<int> channels_out{"channels_out", 64, 1, 1 << 12};
    GeneratorParam<int> width{"width", 128, 1, 1 << 15};    // of the output, that it is
    GeneratorParam<int> height{"height", 128, 1, 1 << 15};  // scheduled for
    GeneratorParam<int> batch{"batch", 4, 1, 1 << 12};      // images
    GeneratorParam<bool> manual{"manual", false};           // use the expert's GPU schedule

    Input<Buffer<float, 4>> input{"input"};
    Input<Buffer<float, 4>> filter{"filter"};  // channel out, channel in, x, y
    Input<Buffer<float, 1>> bias{"bias"};
    Output<Buffer<float, 4>> output{"output"};

    void generate() {
        r_ = RDom(0, channels_in, 0, 3, 0, 3, "r");
        const std::vector<Var> at = is_nchw() ? std::vector{x, y, c, n} : std::vector{c, x, y, n};
        convolved_(at) = bias(c);
        convolved_(at) += filter(c, r_.x, r_.y, r_.z) * input(at_pixel(x + r_.y, y + r_.z, r_.x));
        output(at) = max(convolved_(at), 0.0f);

        set_estimates_and_layout();
    }

    void schedule() {
        if (manual) {
            is_nchw() ? schedule_nchw_by_hand() : schedule_nhwc_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    // Two vectors of the contiguous dimension by four of the other are summed in registers.
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        const Var inner = is_nchw() ? x : c, outer = is_nchw() ? c : x;
        Var io{"io"}, ii{"ii"}, oo{"oo"}, oi{"oi"}, strip{"strip"};
        output.tile(inner, outer, io, oo, ii, oi, 2 * lanes, 4, TailStrategy::GuardWithIf)
            .reorder(ii, oi, io, oo, y, n)
            .vectorize(ii, lanes, TailStrategy::GuardWithIf)
            .fuse(y, n, strip)
            .parallel(strip);
        convolved_.compute_at(output, io).vectorize(inner, lanes, TailStrategy::GuardWithIf);
        convolved_.update()
            .reorder(inner, outer, r_.y, r_.z, r_.x)
            .vectorize(inner, lanes, TailStrategy::GuardWithIf)
            .unroll(inner, 2, TailStrategy::GuardWithIf)
            .unroll(outer, 4, TailStrategy::GuardWithIf);
    }

    // One kernel; sums are kept in registers, and what the threads of a block share is left to the
    // L1 cache, because shared memory would cost barriers and can't be combined with such sums.
    // Here a thread has 16 channels of two pixels, one below the other: per tap, four loads of 16
    // bytes (weights, one address for the whole warp) and two of one value (pixels, consecutive in
    // the warp) feed 32 multiply-adds. More rows or unrolled taps spill. A block computes all of
    // 64 channels of 32x2 pixels.
    void schedule_nchw_by_hand() {
        const int group = divisor_of(channels_out, 16);
        const int groups = divisor_of(channels_out / group, 4);
        Var co{"co"}, ct{"ct"}, ci{"ci"}, xo{"xo"}, xt{"xt"}, yo{"yo"}, yi{"yi"}, strip{"strip"};
        output.split(c, ct, ci, group).split(ct, co, ct, groups);
        output.specialize(output.dim(0).extent() >= 32 && output.dim(1).extent() >= 2)
            .tile(x, y, xo, yo, xt, yi, 32, 2, TailStrategy::ShiftInwards)
            .fuse(yo, n, strip)
            .reorder(yi, ci, xt, ct, xo, co, strip)
            .unroll(yi)
            .unroll(ci)
            .gpu_threads(xt, ct)
            .gpu_blocks(xo, co, strip);
        // Less than a tile: one pixel per thread.
        output.split(x, xo, xt, 32, TailStrategy::GuardWithIf)
            .fuse(y, n, strip)
            .reorder(ci, xt, ct, xo, co, strip)
            .unroll(ci)
            .gpu_threads(xt, ct)
            .gpu_blocks(xo, co, strip);

        const int wide = vector_of(group);
        convolved_.compute_at(output, xt)
            .reorder_storage(c, x, y, n)
            .reorder(c, x, y, n)
            .vectorize(c, wide)
            .unroll(c)
            .unroll(y);
        convolved_.update()
            .reorder(c, y, r_.z, r_.y, r_.x)
            .vectorize(c, wide, TailStrategy::GuardWithIf)
            .unroll(c)
            .unroll(y);
    }

    // As above, but pixels are 16-byte loads too, of four channels. A thread has four channels of
    // five pixels side by side: four loads of weights and five of pixels feed 80 multiply-adds.
    // With more pixels the assembler, which moves all nine loads to the front, would spill.
    void schedule_nhwc_by_hand() {
        const int group = vector_of(channels_out);
        const int groups = divisor_of(channels_out / group, 16);
        Var co{"co"}, ct{"ct"}, ci{"ci"}, xo{"xo"}, xt{"xt"}, xi{"xi"}, yo{"yo"}, yt{"yt"};
        Var strip{"strip"};
        output.split(c, ct, ci, group).split(ct, co, ct, groups);
        output.specialize(output.dim(1).extent() >= 10)
            .split(x, xo, xi, 10, TailStrategy::ShiftInwards)
            .split(xi, xt, xi, 5)
            .split(y, yo, yt, 8, TailStrategy::GuardWithIf)
            .fuse(yo, n, strip)
            .reorder(ci, xi, ct, xt, yt, co, xo, strip)
            .vectorize(ci)
            .unroll(xi)
            .gpu_threads(ct, xt, yt)
            .gpu_blocks(co, xo, strip);
        // Less than a tile: one pixel per thread.
        output.tile(x, y, xo, yo, xt, yt, 2, 8, TailStrategy::GuardWithIf)
            .fuse(yo, n, strip)
            .reorder(ci, ct, xt, yt, co, xo, strip)
            .vectorize(ci)
            .gpu_threads(ct, xt, yt)
            .gpu_blocks(co, xo, strip);

        RVar ro{"ro"}, ri{"ri"};
        convolved_.compute_at(output, ct).vectorize(c).unroll(x);
        convolved_.update()
            .split(r_.x, ro, ri, vector_of(channels_in))
            .reorder(c, ri, x, ro, r_.y, r_.z)
            .vectorize(c)
            .unroll(x)
            .unroll(ri);
        Func pixels = input.in(convolved_);
        pixels.compute_at(convolved_, x).store_in(MemoryType::Register).vectorize(pixels.args()[0]);
    }

    bool is_nchw() const { return layout == Layout::NCHW; }

    std::vector<Expr> at_pixel(const Expr &px, const Expr &py, const Expr &channel) const {
        if (is_nchw()) return {px, py, channel, n};
        return {channel, px, py, n};
    }

    // Channels that fit a vector: no three of them, which OpenCL takes for four.
    static int vector_of(int channels) { return channels % 4 == 0 ? 4 : channels % 2 == 0 ? 2 : 1; }

    // The largest divisor of a number of channels that is no more than `limit`.
    static int divisor_of(int channels, int limit) {
        while (channels % limit != 0) limit--;
        return limit;
    }

    void set_estimates_and_layout() {
        const int channel = is_nchw() ? 2 : 0;
        input.dim(channel).set_bounds(0, channels_in);
        output.dim(channel).set_bounds(0, channels_out);
        const int weights_per_tap = channels_in * static_cast<int>(channels_out);
        filter.dim(0).set_bounds(0, channels_out);
        filter.dim(1).set_bounds(0, channels_in).set_stride(channels_out);
        filter.dim(2).set_bounds(0, 3).set_stride(weights_per_tap);
        filter.dim(3).set_bounds(0, 3).set_stride(3 * weights_per_tap);
        bias.dim(0).set_bounds(0, channels_out);
        if (!is_nchw()) {
            // Pixels follow each other without gaps, and rows begin at a multiple of a pixel.
            input.dim(1).set_stride(channels_in);
            output.dim(1).set_stride(channels_out);
            for (int d = 2; d < 4; d++) {
                input.dim(d).set_stride(input.dim(d).stride() / channels_in * channels_in);
                output.dim(d).set_stride(output.dim(d).stride() / channels_out * channels_out);
            }
        }

        set_estimates_of(input, width + 2, height + 2, channels_in);
        filter.set_estimates({{0, channels_out}, {0, channels_in}, {0, 3}, {0, 3}});
        bias.set_estimates({{0, channels_out}});
        set_estimates_of(output, width, height, channels_out);
    }

    template <typename Images>
    void set_estimates_of(Images &images, int across, int down, int channels) {
        if (is_nchw()) {
            images.set_estimates({{0, across}, {0, down}, {0, channels}, {0, batch}});
        } else {
            images.set_estimates({{0, channels}, {0, across}, {0, down}, {0, batch}});
        }
    }

    Var x{"x"}, y{"y"}, c{"c"}, n{"n"};
    RDom r_;  // channel, x, y
    Func convolved_{"convolved"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ConvLayer, conv_layer)
