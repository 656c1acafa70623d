// Bilateral filter on a grid (Paris & Durand 2006; Chen, Paris & Durand 2007). Each pixel adds its
// homogeneous value (v, 1) to one cell of a coarse grid over x, y and intensity; the grid is
// blurred; the result is read back at every pixel's own position and intensity, and divided.
//
//   input ─► padded ─► grid (scatter) ─► blur_z ─► blur_x ─► blur_y ─► sliced ─► output
//                │                                                       ▲
//                └───────────────────────────────────────────────────────┘
#include <Halide.h>

namespace {

using namespace Halide;

class BilateralGrid : public Generator<BilateralGrid> {
public:
    GeneratorParam<int> cell{"cell", 8, 2, 64};  // pixels that one grid cell is wide and high

    Input<Buffer<float, 2>> input{"input"};             // x, y; values in 0..1
    Input<float> levels{"levels", 10.0f, 1.0f, 64.0f};  // grid cells per unit of intensity
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        padded_ = BoundaryConditions::repeat_edge(input);
        Expr brightness = clamp(padded_(x, y), 0.0f, 1.0f);

        // Cells are centred on multiples of `cell`. Rounding one product, rather than truncating a
        // product plus a half, keeps the bin independent of whether a device fuses multiply-add.
        r_ = RDom(0, cell, 0, cell, "r");
        Expr value = clamp(padded_(x * cell + r_.x - cell / 2, y * cell + r_.y - cell / 2),  //
                           0.0f, 1.0f);
        Expr bin = cast<int>(round(value * levels));
        grid_(x, y, z, c) = 0.0f;
        grid_(x, y, bin, c) += mux(c, {value, 1.0f});

        blur_z_(x, y, z, c) = binomial([&](int k) { return grid_(x, y, z + k, c); });
        blur_x_(x, y, z, c) = binomial([&](int k) { return blur_z_(x + k, y, z, c); });
        blur_y_(x, y, z, c) = binomial([&](int k) { return blur_x_(x, y + k, z, c); });

        Expr depth = brightness * levels;
        Expr zi = cast<int>(floor(depth));
        Expr zf = depth - floor(depth);
        Expr xf = cast<float>(x % cell) / cell;
        Expr yf = cast<float>(y % cell) / cell;
        auto row = [&](Expr gy, Expr gz) {
            return lerp(blur_y_(x / cell, gy, gz, c), blur_y_(x / cell + 1, gy, gz, c), xf);
        };
        auto plane = [&](Expr gz) { return lerp(row(y / cell, gz), row(y / cell + 1, gz), yf); };
        sliced_(x, y, c) = lerp(plane(zi), plane(zi + 1), zf);

        output(x, y) = sliced_(x, y, 0) / sliced_(x, y, 1);

        input.set_estimates({{0, 1536}, {0, 2560}});
        levels.set_estimate(10.0f);
        output.set_estimates({{0, 1536}, {0, 2560}});
    }

    void schedule() {
        if (using_autoscheduler()) return;
        const int width = natural_vector_size<float>();
        grid_.compute_root().reorder(c, z, x, y).parallel(y);
        grid_.update().reorder(c, r_.x, r_.y, x, y).unroll(c, 2).parallel(y);
        for (Func blur : {blur_z_, blur_x_, blur_y_}) {
            blur.compute_root().reorder(x, y, z, c).vectorize(x, width).parallel(z);
        }
        output.vectorize(x, width, TailStrategy::GuardWithIf)
            .parallel(y, 8, TailStrategy::GuardWithIf);
    }

private:
    template <typename At>
    static Expr binomial(At at) {
        return (at(-2) + at(2) + 4.0f * (at(-1) + at(1)) + 6.0f * at(0)) * (1.0f / 16.0f);
    }

    Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
    RDom r_;
    Func padded_{"padded"}, grid_{"grid"}, sliced_{"sliced"};
    Func blur_z_{"blur_z"}, blur_x_{"blur_x"}, blur_y_{"blur_y"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(BilateralGrid, bilateral_grid)
