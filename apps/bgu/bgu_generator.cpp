// Bilateral guided upsampling (Chen, Adams, Wadhwa & Hasinoff 2016): a slow operator was run on a
// small copy of a picture; what it did is found from that pair and done to the picture itself.
// Every cell of a coarse grid over x, y and brightness gets the affine colour transform that fits
// its part of the small pair best. At full size, each pixel is transformed by what the grid says at
// its position and brightness.
//
//   low_input ──► sample ─► moments ─► blur_z ─► blur_y ─► blur_x ─┬─► gain ─┐
//   low_output ─────┘          ▲                                   └─────────▼
//             low_guide ───────┘                 affine ◄────────────── solution
//                                                  │
//   input ─► guide ───────────────────────┐        └─► along_y ─► along_x ─► transform ─► output
//     │                                   └───────────────────────────────────▲            ▲
//     └────────────────────────────────────────────────────────────────────────────────────┘
//
// A sample is the row (r, g, b, 1 | R, G, B) of small input and output colours. The moments are
// sums of its products: a 4x4 matrix and three right-hand sides of normal equations, side by side.
// They are solved in place by Gaussian elimination, one entry at a time; the matrix is symmetric
// and positive definite, so no pivots are searched for.
#include <Halide.h>

namespace {

using namespace Halide;

constexpr int kIn = 4;   // r, g, b, 1
constexpr int kOut = 3;  // R, G, B
constexpr int kSample = kIn + kOut;

class BilateralGuidedUpsampling : public Generator<BilateralGuidedUpsampling> {
public:
    // The limits are what the expert's schedule has shared memory for.
    GeneratorParam<int> scale{"scale", 8, 4, 64};    // from the small size to the full one
    GeneratorParam<int> cell{"cell", 16, 8, 16};     // small pixels that a cell is wide and high
    GeneratorParam<int> levels{"levels", 8, 1, 12};  // grid cells per unit of brightness
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels of the full size
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    // x, y, channel; values in 0..1.
    Input<Buffer<float, 3>> input{"input"};
    Input<Buffer<float, 3>> low_input{"low_input"};
    Input<Buffer<float, 3>> low_output{"low_output"};
    // How strongly a cell is drawn to a mere gain, in samples per sample that it has.
    Input<float> regularisation{"regularisation", 1e-2f, 1e-4f, 1.0f};
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        sum_up();
        auto binomial = [](auto at) {
            return (at(-2) + at(2) + 4.0f * (at(-1) + at(1)) + 6.0f * at(0)) * (1.0f / 16.0f);
        };
        blur_z_(x, y, z, i, j) = binomial([&](int k) { return moments_(x, y, z + k, i, j); });
        blur_y_(x, y, z, i, j) = binomial([&](int k) { return blur_z_(x, y + k, z, i, j); });
        blur_x_(x, y, z, i, j) = binomial([&](int k) { return blur_y_(x + k, y, z, i, j); });

        solve();
        affine_(x, y, z, i, o) = solution_(x, y, z, i, o + kIn);
        slice();
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
    // A sample is shared out between the two levels around its brightness, so that none jumps from
    // one to the other by a rounding.
    void sum_up() {
        Func in = BoundaryConditions::repeat_edge(low_input, spatial_bounds(low_input));
        Func out = BoundaryConditions::repeat_edge(low_output, spatial_bounds(low_output));
        sample_(x, y, j) = mux(j, {in(x, y, 0), in(x, y, 1), in(x, y, 2), 1.0f,  //
                                   out(x, y, 0), out(x, y, 1), out(x, y, 2)});
        low_guide_(x, y) = brightness(in);

        r_ = RDom(0, cell, 0, cell, 0, 2, "r");
        Expr sx = x * cell + r_.x, sy = y * cell + r_.y;
        Expr depth = low_guide_(sx, sy) * cast<float>(levels);
        Expr level = below(depth);
        Expr above = depth - level;
        Expr share = select(r_.z == 0, 1.0f - above, above);
        moments_(x, y, z, i, j) = 0.0f;
        moments_(x, y, level + r_.z, i, j) += share * sample_(sx, sy, i) * sample_(sx, sy, j);
    }

    void solve() {
        Expr count = blur_x_(x, y, z, 3, 3);
        auto total = [&](int first) {
            Expr sum = 1e-2f;
            for (int k = first; k < first + 3; k++) sum += blur_x_(x, y, z, 3, k);
            return sum;
        };
        gain_(x, y, z) = total(kIn) / total(0);
        Expr weight = regularisation * (count + 1.0f);
        Expr prior = select(i == j, 1.0f, i + kIn == j, gain_(x, y, z), 0.0f);
        solution_(x, y, z, i, j) = blur_x_(x, y, z, i, j) + weight * prior;

        auto at = [&](int row, int column) { return solution_(x, y, z, row, column); };
        for (int k = 0; k < kIn; k++) {
            at(k, k) = 1.0f / at(k, k);
            for (int c = k + 1; c < kSample; c++) at(k, c) *= at(k, k);
            for (int row = k + 1; row < kIn; row++) {
                for (int c = k + 1; c < kSample; c++) at(row, c) -= at(row, k) * at(k, c);
            }
        }
        for (int k = kIn - 1; k > 0; k--) {
            for (int row = 0; row < k; row++) {
                for (int c = kIn; c < kSample; c++) at(row, c) -= at(row, k) * at(k, c);
            }
        }
    }

    // Trilinear. Positions between the cells' centres are exact: they are known in integers.
    void slice() {
        const int size = cell_size();
        auto before = [&](const Var &v) { return (v - size / 2) / size; };
        auto between = [&](const Var &v) {
            return (cast<float>((v - size / 2) % size) + 0.5f) * (1.0f / size);
        };
        guide_(x, y) = brightness(input);
        along_y_(x, y, z, i, o) =
            lerp(affine_(x, before(y), z, i, o), affine_(x, before(y) + 1, z, i, o), between(y));
        along_x_(x, y, z, i, o) =
            lerp(along_y_(before(x), y, z, i, o), along_y_(before(x) + 1, y, z, i, o), between(x));
        Expr depth = guide_(x, y) * cast<float>(levels);
        Expr level = below(depth);
        transform_(x, y, i, o) =
            lerp(along_x_(x, y, level, i, o), along_x_(x, y, level + 1, i, o), depth - level);
        Expr sum = transform_(x, y, 3, o);
        for (int k = 0; k < 3; k++) sum += transform_(x, y, k, o) * input(x, y, k);
        output(x, y, o) = clamp(sum, 0.0f, 1.0f);
    }

    template <typename Image>
    Expr brightness(const Image &image) {
        return clamp(0.25f * image(x, y, 0) + 0.5f * image(x, y, 1) + 0.25f * image(x, y, 2),  //
                     0.0f, 1.0f);
    }

    // In full pixels.
    int cell_size() const { return int(cell) * int(scale); }

    // The level at or below a depth, such that there is one above it.
    Expr below(const Expr &depth) { return clamp(cast<int>(floor(depth)), 0, levels - 1); }

    template <typename Image>
    static Region spatial_bounds(const Image &image) {
        return {{image.dim(0).min(), image.dim(0).extent()},
                {image.dim(1).min(), image.dim(1).extent()},
                {Expr(), Expr()}};
    }

    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        Var yo{"yo"}, yi{"yi"};
        moments_.compute_root().parallel(y);
        moments_.update().reorder(j, i, r_.z, r_.x, r_.y, x, y).unroll(j, kSample).parallel(y);
        for (Func blur : {blur_z_, blur_y_, blur_x_}) blur.compute_root().parallel(y);
        affine_.compute_root().reorder(i, o, z, x, y).reorder_storage(i, o, z, x, y).parallel(y);
        solution_.compute_at(affine_, z);
        leave_updates_alone(solution_);
        output.reorder(o, x, y)
            .bound(o, 0, kOut)
            .unroll(o)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .parallel(y, 8, TailStrategy::GuardWithIf);
        along_y_.compute_at(output, y)
            .reorder(i, o, z, x, y)
            .reorder_storage(i, o, z, x, y)
            .vectorize(i, kIn);
    }

    // Three kernels: the sums of every cell, the equations of every cell, and the pixels. Only the
    // last has much to move; it reads the picture once and writes it once. The grid between them
    // has a few thousand cells and stays in the cache.
    void schedule_by_hand() {
        sum_up_by_hand();
        solve_by_hand();
        slice_by_hand();
    }

    // A block per cell. The cell's rows are summed apart, each product by a thread of its own, so
    // that no two threads add to the same place; a row's sums stay in shared memory.
    void sum_up_by_hand() {
        const int threads = kIn * kSample * cell;
        Var row{"row"}, lane{"lane"};
        Func row_sums = moments_.update().rfactor(r_.y, row);

        blur_z_.compute_root().bound(i, 0, kIn).bound(j, 0, kSample).fuse(j, i, lane);
        blur_z_.fuse(lane, z, lane).reorder(lane, x, y).gpu_blocks(x, y).gpu_threads(lane);
        for (Func f : {sample_, low_guide_, row_sums, moments_}) f.compute_at(blur_z_, x);

        // Neighbouring threads read neighbouring entries of one pixel's sample.
        sample_.reorder_storage(j, x, y).fuse(j, x, lane);
        deal(sample_.fuse(lane, y, lane), lane, threads);
        deal(low_guide_.fuse(x, y, lane), lane, threads);
        row_sums.fuse(z, i, lane).fuse(lane, j, lane);
        deal(row_sums.fuse(lane, row, lane), lane, threads);
        row_sums.update().reorder(r_.z, r_.x, j, i, row, x, y).unroll(r_.z).fuse(j, i, lane);
        row_sums.update().fuse(lane, row, lane).gpu_threads(lane);
        moments_.fuse(z, i, lane).fuse(lane, j, lane).gpu_threads(lane);
        moments_.update().fuse(z, i, lane).fuse(lane, j, lane).gpu_threads(lane);
    }

    // A block solves the equations of four cells at all levels, each in the registers of one
    // thread. Before, all of its threads blur.
    void solve_by_hand() {
        constexpr int cells = 4, threads = 288;
        Var xo{"xo"}, lane{"lane"};
        affine_.compute_root()
            .bound(z, 0, levels + 1)
            .bound(i, 0, kIn)
            .bound(o, 0, kOut)
            .reorder_storage(i, o, z, x, y)
            .split(x, xo, x, cells, TailStrategy::RoundUp)
            .reorder(i, o, x, z, xo, y)
            .vectorize(i)
            .unroll(o)
            .fuse(x, z, lane)
            .gpu_blocks(xo, y)
            .gpu_threads(lane);
        gain_.compute_at(affine_, lane);
        solution_.compute_at(affine_, lane).reorder_storage(i, j, x, y, z).unroll(i).unroll(j);
        leave_updates_alone(solution_);
        for (Func blur : {blur_y_, blur_x_}) {
            blur.compute_at(affine_, xo).fuse(x, z, lane).fuse(lane, i, lane);
            deal(blur.fuse(lane, j, lane), lane, threads);
        }
    }

    // Transforms between two rows of cells are found once per row of the block and shared; a pixel
    // interpolates four of them. The entries of a transform lie together, so four are loaded at
    // once. A thread's pixels are a warp apart, so that neighbours read and write neighbours.
    void slice_by_hand() {
        constexpr int tile_width = 128, tile_height = 8, warp = 32, threads = warp * tile_height;
        const int cells = (tile_width + cell_size() - 2) / cell_size() + 2;
        Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, round{"round"}, lane{"lane"};
        // So that where a block lies among the cells is known when compiling.
        output.dim(0).set_min(0);
        output.dim(1).set_min(0);
        output.bound(o, 0, kOut)
            .tile(x, y, xo, yo, xi, yi, tile_width, tile_height, TailStrategy::GuardWithIf)
            .split(xi, round, xi, warp)
            .fuse(xi, yi, lane)
            .reorder(o, round, lane, xo, yo)
            .unroll(o)
            .gpu_blocks(xo, yo)
            .gpu_threads(lane);
        guide_.compute_at(output, round);
        transform_.compute_at(output, round).reorder_storage(i, o, x, y).vectorize(i).unroll(o);
        along_y_.compute_at(output, xo)
            .bound_extent(x, cells)
            .bound_extent(y, tile_height)
            .bound(z, 0, levels + 1)
            .bound(i, 0, kIn)
            .bound(o, 0, kOut)
            .reorder_storage(i, o, z, x, y)
            .reorder(i, o, z, x, y)
            .vectorize(i)
            .fuse(o, z, lane)
            .fuse(lane, x, lane);
        deal(along_y_.fuse(lane, y, lane), lane, threads);
    }

    // Each is one entry of one cell: it has no loops to schedule.
    static void leave_updates_alone(Func f) {
        for (int k = 0; k < f.num_update_definitions(); k++) f.update(k).unscheduled();
    }

    // Items that don't divide into rows of threads: numbered in one line and dealt to all of them.
    static void deal(Stage stage, const Var &item, int threads) {
        Var round{"round"}, lane{"lane"};
        stage.split(item, round, lane, threads, TailStrategy::GuardWithIf).gpu_threads(lane);
    }

    void set_estimates_and_layout() {
        auto low_extent = [&](int extent) { return (extent + scale - 1) / scale; };
        for (auto *low : {&low_input, &low_output}) {
            low->dim(2).set_bounds(0, 3);
            low->set_estimates({{0, low_extent(width)}, {0, low_extent(height)}, {0, 3}});
        }
        input.dim(2).set_bounds(0, 3);
        output.dim(2).set_bounds(0, 3);
        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        regularisation.set_estimate(1e-2f);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    Var x{"x"}, y{"y"}, z{"z"}, i{"i"}, j{"j"}, o{"o"};
    RDom r_;
    Func sample_{"sample"}, low_guide_{"low_guide"}, moments_{"moments"};
    Func blur_z_{"blur_z"}, blur_y_{"blur_y"}, blur_x_{"blur_x"};
    Func gain_{"gain"}, solution_{"solution"}, affine_{"affine"};
    Func guide_{"guide"}, along_y_{"along_y"}, along_x_{"along_x"}, transform_{"transform"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(BilateralGuidedUpsampling, bgu)
