// Harris corner response (Harris & Stephens 1988): with M the structure tensor of the image
// gradients, summed over a window, the response is det(M) - k trace(M)^2. It is large and positive
// at corners, negative along edges and near zero where the image is flat.
//
//   input ─► padded ─► luma ─┬─► gradient_x ─┬─► products xx, xy, yy ─► window sums ─► output
//                            └─► gradient_y ─┘
#include <Halide.h>

namespace {

using namespace Halide;

class Harris : public Generator<Harris> {
public:
    GeneratorParam<int> window{"window", 1, 1, 8};           // radius of the summation window
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<float, 3>> input{"input"};                       // x, y, channel; values in 0..1
    Input<float> sensitivity{"sensitivity", 0.04f, 0.0f, 0.25f};  // k of the paper
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        padded_ =
            BoundaryConditions::repeat_edge(input, {{input.dim(0).min(), input.dim(0).extent()},
                                                    {input.dim(1).min(), input.dim(1).extent()},
                                                    {Expr(), Expr()}});
        luma_(x, y) =
            0.299f * padded_(x, y, 0) + 0.587f * padded_(x, y, 1) + 0.114f * padded_(x, y, 2);

        // Sobel's derivative: a central difference in one direction, [1 2 1] in the other.
        auto dx = [&](Expr row) { return luma_(x + 1, row) - luma_(x - 1, row); };
        auto dy = [&](Expr column) { return luma_(column, y + 1) - luma_(column, y - 1); };
        gradient_x_(x, y) = (dx(y - 1) + 2.0f * dx(y) + dx(y + 1)) * 0.125f;
        gradient_y_(x, y) = (dy(x - 1) + 2.0f * dy(x) + dy(x + 1)) * 0.125f;

        xx_(x, y) = gradient_x_(x, y) * gradient_x_(x, y);
        xy_(x, y) = gradient_x_(x, y) * gradient_y_(x, y);
        yy_(x, y) = gradient_y_(x, y) * gradient_y_(x, y);
        sum_xx_(x, y) = window_sum(xx_);
        sum_xy_(x, y) = window_sum(xy_);
        sum_yy_(x, y) = window_sum(yy_);

        determinant_(x, y) = sum_xx_(x, y) * sum_yy_(x, y) - sum_xy_(x, y) * sum_xy_(x, y);
        trace_(x, y) = sum_xx_(x, y) + sum_yy_(x, y);
        output(x, y) = determinant_(x, y) - sensitivity * trace_(x, y) * trace_(x, y);

        input.dim(2).set_bounds(0, 3);
        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        sensitivity.set_estimate(0.04f);
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
        Var yo{"yo"}, yi{"yi"};
        output.split(y, yo, yi, 32, TailStrategy::GuardWithIf)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .parallel(yo);
        luma_.compute_at(output, yo).vectorize(x, lanes);
        for (Func gradient : {gradient_x_, gradient_y_}) {
            gradient.store_at(output, yo).compute_at(output, yi).vectorize(x, lanes);
        }
    }

    // One kernel. A block keeps the luma of its tile and border in shared memory.
    //
    // - A tile is as much narrower than the 128 threads of a row as its border is wide: the stage
    //   that fills shared memory has one column for each thread, and none has two.
    // - A thread makes a run of rows. With windows of 3x3 its gradients stay in registers: one
    //   serves all windows of the run that it lies in, so 3.75 are computed per pixel and not 9. A
    //   stage in shared memory would compute less still, but wait at one more barrier and leave
    //   room for half the blocks. For wider windows that is the lesser evil.
    void schedule_by_hand() {
        constexpr int kThreadsX = 128, kThreadsY = 2;
        const int rows_per_thread = window == 1 ? 8 : 6;  // 6: 48 KiB suffice for all windows
        const int rows = kThreadsY * rows_per_thread;
        const int border = window + 1;
        Var xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"}, yt{"yt"}, yu{"yu"};
        Var gt{"gt"}, gu{"gu"}, lt{"lt"}, lu{"lu"};

        output.tile(x, y, xo, yo, xi, yi, kThreadsX - 2 * border, rows, TailStrategy::GuardWithIf)
            .split(yi, yt, yu, rows_per_thread)
            .reorder(yu, xi, yt, xo, yo)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yt);
        if (window == 1) output.unroll(yu);
        for (Func gradient : {gradient_x_, gradient_y_}) {
            if (window == 1) {
                // The guards make the run's length unknown; an array must have a known one to be
                // registers.
                gradient.compute_at(output, xi)
                    .bound_extent(x, 3)
                    .bound_extent(y, rows_per_thread + 2)
                    .unroll(x)
                    .unroll(y);
            } else {
                gradient.compute_at(output, xo)
                    .bound_extent(x, kThreadsX - 2)
                    .bound_extent(y, rows + 2 * window)
                    .split(y, gt, gu, rows_per_thread + window)
                    .reorder(gu, x, gt)
                    .gpu_threads(x, gt);
            }
        }

        luma_.compute_at(output, xo)
            .bound_extent(x, kThreadsX)
            .bound_extent(y, rows + 2 * border)
            .split(y, lt, lu, rows_per_thread + border)
            .reorder(lu, x, lt)
            .unroll(lu)
            .gpu_threads(x, lt);
    }

    Expr window_sum(const Func &f) {
        const int radius = window;
        Expr sum = 0.0f;
        for (int dy = -radius; dy <= radius; dy++) {
            for (int dx = -radius; dx <= radius; dx++) sum += f(x + dx, y + dy);
        }
        return sum;
    }

    Var x{"x"}, y{"y"};
    Func padded_{"padded"}, luma_{"luma"}, gradient_x_{"gradient_x"}, gradient_y_{"gradient_y"};
    Func xx_{"xx"}, xy_{"xy"}, yy_{"yy"}, sum_xx_{"sum_xx"}, sum_xy_{"sum_xy"}, sum_yy_{"sum_yy"};
    Func determinant_{"determinant"}, trace_{"trace"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Harris, harris)
