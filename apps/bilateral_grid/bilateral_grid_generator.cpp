// Bilateral filter on a grid (Paris & Durand 2006; Chen, Paris & Durand 2007). Each pixel adds its
// homogeneous value (v, 1) to one cell of a coarse grid over x, y and intensity; the grid is
// blurred; the result is read back at every pixel's own position and intensity, and divided.
//
//   input ─► padded ─► grid (scatter) ─► blur_z ─► blur_x ─► blur_y ─► sliced ─► output
//                │                                                       ▲
//                └───────────────────────────────────────────────────────┘
#include <Halide.h>

#include <algorithm>

namespace {

using namespace Halide;

class BilateralGrid : public Generator<BilateralGrid> {
public:
    GeneratorParam<int> cell{"cell", 8, 2, 64};  // pixels that one grid cell is wide and high
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

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

        input.set_estimates({{0, width}, {0, height}});
        levels.set_estimate(10.0f);
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
        grid_.compute_root().reorder(c, z, x, y).parallel(y);
        grid_.update().reorder(c, r_.x, r_.y, x, y).unroll(c, 2).parallel(y);
        for (Func blur : {blur_z_, blur_x_, blur_y_}) {
            blur.compute_root().reorder(x, y, z, c).vectorize(x, lanes).parallel(z);
        }
        output.vectorize(x, lanes, TailStrategy::GuardWithIf)
            .parallel(y, 8, TailStrategy::GuardWithIf);
    }

    // Three kernels: scatter and blur along z; blur along x and y; slice. Between them the grid is
    // in global memory; it is smaller than the image and stays in the second-level cache.
    //
    // Everywhere c is the innermost dimension, in memory as well: its two values are what every
    // later step reads together.
    void schedule_by_hand() {
        scatter_by_hand();
        blur_by_hand();
        slice_by_hand();
    }

    // Each thread scatters the pixels of one cell to one c of that cell, so no other thread writes
    // there and no atomics are needed. Which z it writes depends on the pixels: registers can't be
    // indexed so, shared memory can. With z as the outermost dimension there, a thread's bank is
    // the same whatever its z is, and no two threads of a warp meet in one. 64 cells fit into
    // 48 KiB even with 64 levels.
    void scatter_by_hand() {
        constexpr int kCells = 8;
        Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
        RVar ro{"ro"}, ru{"ru"};

        blur_z_.compute_root()
            .bound_extent(c, 2)
            .reorder_storage(c, x, y, z)
            .tile(x, y, xo, yo, xi, yi, kCells, kCells, TailStrategy::RoundUp)
            .reorder(z, c, xi, yi, xo, yo)
            .gpu_blocks(xo, yo)
            .gpu_threads(c, xi, yi);
        grid_.compute_at(blur_z_, xo)
            .bound_extent(c, 2)
            .reorder_storage(c, x, y, z)
            .reorder(z, c, x, y)
            .gpu_threads(c, x, y);
        grid_.update()
            .split(r_.x, ro, ru, std::min<int>(cell, 8))
            .reorder(ru, ro, r_.y, c, x, y)
            .unroll(ru)
            .never_partition(r_.y)
            .gpu_threads(c, x, y);
    }

    // A thread keeps a run of rows of blur_x in registers, which costs 7.5 loads per cell, all from
    // the cache. A stage in shared memory would need as many loads and stores, and a barrier.
    void blur_by_hand() {
        constexpr int kLanes = 64, kThreadsY = 2, kRowsPerThread = 8;
        Var cx{"cx"}, lane{"lane"}, xo{"xo"}, yo{"yo"}, yt{"yt"}, yu{"yu"};

        blur_y_.compute_root()
            .bound_extent(c, 2)
            .reorder_storage(c, x, y, z)
            .reorder(c, x, y, z)
            .fuse(c, x, cx)
            .split(cx, xo, lane, kLanes, TailStrategy::GuardWithIf)
            .split(y, yo, yu, kRowsPerThread, TailStrategy::RoundUp)
            .split(yo, yo, yt, kThreadsY, TailStrategy::GuardWithIf)
            .reorder(yu, lane, yt, xo, yo, z)
            .unroll(yu)
            .never_partition(xo, yo)
            .gpu_blocks(xo, yo, z)
            .gpu_threads(lane, yt);
        blur_x_.compute_at(blur_y_, lane).unroll(y).unroll(x).unroll(c);
    }

    // Nothing is shared here but what the cache shares by itself: eight corners per pixel, most of
    // them its neighbours' as well. Both c of a corner are one load of eight bytes. The rows of a
    // thread share the weights along x.
    void slice_by_hand() {
        constexpr int kThreadsX = 32, kThreadsY = 8, kRowsPerThread = 4;
        Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, yt{"yt"}, yu{"yu"};
        output
            .tile(x, y, xo, yo, xi, yi, kThreadsX, kThreadsY * kRowsPerThread,
                  TailStrategy::GuardWithIf)
            .split(yi, yu, yt, kThreadsY)
            .reorder(yu, xi, yt, xo, yo)
            .unroll(yu)
            .never_partition_all()
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yt);
        sliced_.compute_at(output, yu).bound_extent(c, 2).vectorize(c);
    }

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
