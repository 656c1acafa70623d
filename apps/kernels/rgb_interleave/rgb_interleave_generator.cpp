// From three planes of red, green and blue to pixels of three bytes: output(c, x, y) =
// input(x, y, c), as between an image in memory and the formats of files and displays.
#include <Halide.h>

namespace {

using namespace Halide;

class RgbInterleave : public Generator<RgbInterleave> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<uint8_t, 3>> input{"input"};     // x, y, channel
    Output<Buffer<uint8_t, 3>> output{"output"};  // channel, x, y

    void generate() {
        output(c, x, y) = input(x, y, c);

        input.dim(2).set_bounds(0, 3);
        output.dim(0).set_bounds(0, 3);
        output.dim(1).set_stride(3);
        // Without a promise about addresses nothing wider than an element is moved at once.
        input.set_host_alignment(kBytes);
        output.set_host_alignment(kBytes);
        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        output.set_estimates({{0, 3}, {0, width}, {0, height}});
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
        Var xi{"xi"};
        output.split(x, x, xi, 16, TailStrategy::GuardWithIf)
            .reorder(c, xi, x, y)
            .unroll(c)
            .vectorize(xi)
            .parallel(y);
    }

    // Threads read 16 neighbouring bytes of a plane and write 16 neighbouring bytes of the result;
    // in between, the planes lie in shared memory. Without it, each thread would have to write
    // bytes that are as far apart from its neighbour's as it has bytes to write.
    void schedule_by_hand() {
        Var byte{"byte"}, xo{"xo"}, xi{"xi"}, it{"it"}, iv{"iv"};
        output.specialize(is_aligned())
            .split(x, xo, xi, kPixels, TailStrategy::ShiftInwards)
            .fuse(c, xi, byte)
            .split(byte, it, iv, kBytes)
            .reorder(iv, it, xo, y)
            .vectorize(iv)
            .gpu_blocks(xo, y)
            .gpu_threads(it);
        // One byte per thread.
        output.split(x, xo, xi, kPixels / 8, TailStrategy::GuardWithIf)
            .fuse(c, xi, it)
            .gpu_blocks(xo, y)
            .gpu_threads(it);

        Func planes = input.in(output);
        Var px = planes.args()[0], plane = planes.args()[2], pt{"pt"}, pv{"pv"};
        planes.compute_at(output, xo).bound(plane, 0, 3);
        planes.specialize(is_aligned())
            .split(px, pt, pv, kBytes)
            .reorder(pv, pt, plane)
            .vectorize(pv)
            .fuse(pt, plane, pt)
            .gpu_threads(pt);
        planes.gpu_threads(px, plane);
    }

    // Rows begin at multiples of 16 bytes and have no rest after the last vector.
    Expr is_aligned() {
        Expr result = output.dim(1).extent() >= kPixels && output.dim(1).extent() % kBytes == 0;
        for (Expr stride : {input.dim(1).stride(), input.dim(2).stride(), output.dim(2).stride()}) {
            result = result && stride % kBytes == 0;
        }
        return result && input.dim(0).min() == 0 && output.dim(1).min() == 0;
    }

    static constexpr int kPixels = 512, kBytes = 16;  // of a block and of a vector, by hand

    Var x{"x"}, y{"y"}, c{"c"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(RgbInterleave, rgb_interleave)
