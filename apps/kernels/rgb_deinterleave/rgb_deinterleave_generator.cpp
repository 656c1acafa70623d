// From pixels of three bytes to planes of red, green and blue: output(x, y, c) = input(c, x, y), as
// between the formats of files and displays and an image in memory.
#include <Halide.h>

namespace {

using namespace Halide;

class RgbDeinterleave : public Generator<RgbDeinterleave> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<uint8_t, 3>> input{"input"};     // channel, x, y
    Output<Buffer<uint8_t, 3>> output{"output"};  // x, y, channel

    void generate() {
        output(x, y, c) = input(c, x, y);

        input.dim(0).set_bounds(0, 3);
        input.dim(1).set_stride(3);
        output.dim(2).set_bounds(0, 3);
        // Without a promise about addresses nothing wider than an element is moved at once.
        input.set_host_alignment(kBytes);
        output.set_host_alignment(kBytes);
        input.set_estimates({{0, 3}, {0, width}, {0, height}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    void schedule() {
        output.bound(c, 0, 3);
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    void schedule_for_cpu() {
        output.reorder(c, x, y).unroll(c).vectorize(x, 16, TailStrategy::GuardWithIf).parallel(y);
    }

    // Threads read 16 neighbouring bytes of the input and write 16 neighbouring bytes of a plane;
    // in between, the planes lie in shared memory. Without it, each thread would have to read bytes
    // that are as far apart from its neighbour's as it has bytes to read.
    void schedule_by_hand() {
        Var xo{"xo"}, xt{"xt"}, xv{"xv"};
        output.specialize(is_aligned())
            .split(x, xo, xt, kPixels, TailStrategy::ShiftInwards)
            .split(xt, xt, xv, kBytes)
            .reorder(xv, xt, c, xo, y)
            .vectorize(xv)
            .fuse(xt, c, xt)
            .gpu_blocks(xo, y)
            .gpu_threads(xt);
        // One byte per thread.
        output.split(x, xo, xt, kPixels / 8, TailStrategy::GuardWithIf)
            .reorder(xt, c, xo, y)
            .gpu_blocks(xo, y)
            .gpu_threads(xt, c);

        Func pixels = input.in(output);
        Var channel = pixels.args()[0], px = pixels.args()[1], byte{"byte"}, bt{"bt"}, bv{"bv"};
        pixels.compute_at(output, xo)
            .bound(channel, 0, 3)
            .reorder_storage(px, channel, pixels.args()[2]);
        pixels.specialize(is_aligned())
            .fuse(channel, px, byte)
            .split(byte, bt, bv, kBytes)
            .vectorize(bv)
            .gpu_threads(bt);
        pixels.reorder(px, channel).gpu_threads(px, channel);
    }

    // Rows begin at multiples of 16 bytes and have no rest after the last vector.
    Expr is_aligned() {
        Expr result = output.dim(0).extent() >= kPixels && output.dim(0).extent() % kBytes == 0;
        for (Expr stride :
             {input.dim(2).stride(), output.dim(1).stride(), output.dim(2).stride()}) {
            result = result && stride % kBytes == 0;
        }
        return result && input.dim(1).min() == 0 && output.dim(0).min() == 0;
    }

    static constexpr int kPixels = 512, kBytes = 16;  // of a block and of a vector, by hand

    Var x{"x"}, y{"y"}, c{"c"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(RgbDeinterleave, rgb_deinterleave)
