// Transpose of a matrix: output(x, y) = input(y, x). Nothing is computed; one of the two sides is
// read or written column by column.
#include <Halide.h>

namespace {

using namespace Halide;

class Transpose : public Generator<Transpose> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // of the output, that it is
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // scheduled for
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<float, 2>> input{"input"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        output(x, y) = input(y, x);

        input.set_estimates({{0, height}, {0, width}});
        output.set_estimates({{0, width}, {0, height}});
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
        Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
        output.tile(x, y, xo, yo, xi, yi, lanes, lanes, TailStrategy::GuardWithIf)
            .vectorize(xi)
            .parallel(yo);
    }

    // A tile of 32x32 passes through shared memory, so that warps read and write rows; its rows
    // there are 33 values apart, in different banks. Four values per thread, whose loads are all
    // under way at once.
    void schedule_by_hand() {
        Var xo{"xo"}, yo{"yo"}, xt{"xt"}, yt{"yt"}, yi{"yi"}, in_yt{"in_yt"}, in_yi{"in_yi"};
        output.specialize(output.dim(0).extent() >= kTile && output.dim(1).extent() >= kTile)
            .tile(x, y, xo, yo, xt, yi, kTile, kTile, TailStrategy::ShiftInwards)
            .split(yi, yi, yt, kRows)
            .reorder(yi, xt, yt, xo, yo)
            .unroll(yi)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt);
        // Less than a tile.
        output.tile(x, y, xo, yo, xt, yt, kRows, kRows, TailStrategy::GuardWithIf)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt);

        Func tile = input.in(output);
        const Var across = tile.args()[0], down = tile.args()[1];
        tile.compute_at(output, xo)
            .align_storage(across, kTile + 1)
            .split(down, in_yi, in_yt, kRows, TailStrategy::GuardWithIf)
            .reorder(in_yi, across, in_yt)
            .unroll(in_yi)
            .gpu_threads(across, in_yt);
    }

    static constexpr int kTile = 32, kRows = 8;  // by hand: a block has kTile x kRows threads

    Var x{"x"}, y{"y"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Transpose, transpose)
