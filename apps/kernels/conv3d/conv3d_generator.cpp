// A layer of a network for volumes (Tran et al. 2015; Cicek et al. 2016): 3x3x3 convolution over
// all channels, bias and rectifier (ReLU). Borders are not padded: the input is two voxels wider,
// higher and deeper than the output.
//
//   filter ──┐
//   bias   ──┼─► convolved (sum over 3 x 3 x 3 x channels) ─► output
//   input  ──┘
//
// Volumes have the channel outermost (NCDHW of other frameworks, with one volume).
#include <Halide.h>

namespace {

using namespace Halide;

class Conv3d : public Generator<Conv3d> {
public:
    GeneratorParam<int> channels_in{"channels_in", 16, 1, 1 << 12};
    GeneratorParam<int> channels_out{"channels_out", 32, 1, 1 << 12};
    GeneratorParam<int> width{"width", 64, 1, 1 << 12};    // of the output, that it is
    GeneratorParam<int> height{"height", 64, 1, 1 << 12};  // scheduled for
    GeneratorParam<int> depth{"depth", 32, 1, 1 << 12};
    GeneratorParam<bool> manual{"manual", false};  // use the expert's GPU schedule

    Input<Buffer<float, 4>> input{"input"};    // x, y, z, channel
    Input<Buffer<float, 5>> filter{"filter"};  // channel out, channel in, x, y, z
    Input<Buffer<float, 1>> bias{"bias"};
    Output<Buffer<float, 4>> output{"output"};

    void generate() {
        const int in = channels_in, out = channels_out;
        r_ = RDom(0, in, 0, 3, 0, 3, 0, 3, "r");
        convolved_(x, y, z, c) = bias(c);
        convolved_(x, y, z, c) +=
            filter(c, r_.x, r_.y, r_.z, r_.w) * input(x + r_.y, y + r_.z, z + r_.w, r_.x);
        output(x, y, z, c) = max(convolved_(x, y, z, c), 0.0f);

        input.dim(3).set_bounds(0, in);
        output.dim(3).set_bounds(0, out);
        bias.dim(0).set_bounds(0, out);
        filter.dim(0).set_bounds(0, out);
        filter.dim(1).set_bounds(0, in).set_stride(out);
        int stride = in * out;
        for (int d = 2; d < 5; d++, stride *= 3) filter.dim(d).set_bounds(0, 3).set_stride(stride);
        input.set_estimates({{0, width + 2}, {0, height + 2}, {0, depth + 2}, {0, in}});
        filter.set_estimates({{0, out}, {0, in}, {0, 3}, {0, 3}, {0, 3}});
        bias.set_estimates({{0, out}});
        output.set_estimates({{0, width}, {0, height}, {0, depth}, {0, out}});
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    // Two vectors of voxels by four channels are summed in registers.
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        Var xo{"xo"}, xi{"xi"}, co{"co"}, ci{"ci"}, slice{"slice"};
        output.tile(x, c, xo, co, xi, ci, 2 * lanes, 4, TailStrategy::GuardWithIf)
            .reorder(xi, ci, xo, y, co, z)
            .vectorize(xi, lanes, TailStrategy::GuardWithIf)
            .fuse(co, z, slice)
            .parallel(slice);
        convolved_.compute_at(output, xo).vectorize(x, lanes, TailStrategy::GuardWithIf);
        convolved_.update()
            .reorder(x, c, r_.y, r_.z, r_.w, r_.x)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .unroll(x, 2, TailStrategy::GuardWithIf)
            .unroll(c, 4, TailStrategy::GuardWithIf);
    }

    // One kernel; sums are kept in registers. A thread has 16 channels of two voxels, one below the
    // other: per tap, four loads of 16 bytes (weights, one address for the whole warp) and two of
    // one value (voxels, consecutive in the warp) feed 32 multiply-adds. The weights of a block's
    // channels come to shared memory first, if they have room there, which also saves registers for
    // addresses; voxels that threads share are left to the L1 cache. A block has 32x16 voxels.
    void schedule_by_hand() {
        const int group = divisor_of(channels_out, 16);
        Var co{"co"}, ci{"ci"}, xo{"xo"}, xt{"xt"}, yo{"yo"}, yt{"yt"}, yi{"yi"};
        Var tile{"tile"}, slice{"slice"};
        output.split(c, co, ci, group);
        output.specialize(output.dim(0).extent() >= 32 && output.dim(1).extent() >= 16)
            .tile(x, y, xo, yo, xt, yi, 32, 16, TailStrategy::ShiftInwards)
            .split(yi, yt, yi, 2)
            .fuse(xo, yo, tile)
            .fuse(z, co, slice)
            .reorder(yi, ci, xt, yt, tile, slice)
            .unroll(yi)
            .unroll(ci)
            .gpu_threads(xt, yt)
            .gpu_blocks(tile, slice);
        // Less than a tile: one voxel per thread.
        output.tile(x, y, xo, yo, xt, yt, 32, 8, TailStrategy::GuardWithIf)
            .fuse(xo, yo, tile)
            .fuse(z, co, slice)
            .reorder(ci, xt, yt, tile, slice)
            .unroll(ci)
            .gpu_threads(xt, yt)
            .gpu_blocks(tile, slice);

        const int wide = group % 4 == 0 ? 4 : group % 2 == 0 ? 2 : 1;
        convolved_.compute_at(output, xt)
            .reorder_storage(c, x, y, z)
            .reorder(c, x, y, z)
            .vectorize(c, wide)
            .unroll(c)
            .unroll(y);
        convolved_.update()
            .reorder(c, y, r_.w, r_.z, r_.y, r_.x)
            .vectorize(c, wide, TailStrategy::GuardWithIf)
            .unroll(c)
            .unroll(y);
        if (group * channels_in * 27 * 4 <= 32 * 1024) {
            Func weights = filter.in(convolved_);
            Var channel = weights.args()[0], in = weights.args()[1], wt{"wt"};
            weights.compute_at(output, tile)
                .fuse(channel, in, wt)
                .split(wt, wt, channel, 32, TailStrategy::GuardWithIf)
                .gpu_threads(channel, wt);
        }
    }

    // The largest divisor of a number of channels that is no more than `limit`.
    static int divisor_of(int channels, int limit) {
        while (channels % limit != 0) limit--;
        return limit;
    }

    Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
    RDom r_;  // channel, x, y, z
    Func convolved_{"convolved"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Conv3d, conv3d)
