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
    GeneratorParam<int> window{"window", 1, 1, 8};  // radius of the summation window

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
        input.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
        sensitivity.set_estimate(0.04f);
        output.set_estimates({{0, 1536}, {0, 2560}});
    }

    void schedule() {
        if (using_autoscheduler()) return;
        const int width = natural_vector_size<float>();
        Var yo{"yo"}, yi{"yi"};
        output.split(y, yo, yi, 32, TailStrategy::GuardWithIf)
            .vectorize(x, width, TailStrategy::GuardWithIf)
            .parallel(yo);
        luma_.compute_at(output, yo).vectorize(x, width);
        for (Func gradient : {gradient_x_, gradient_y_}) {
            gradient.store_at(output, yo).compute_at(output, yi).vectorize(x, width);
        }
    }

private:
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
