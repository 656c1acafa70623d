// Non-local means (Buades, Coll & Morel 2005): every pixel becomes the mean of the pixels around
// it, weighted by how alike the patches around the two are. For each shift (i, j) between the two,
// the squared differences are summed over patches by columns, then by rows, as all patches of one
// shift share them (Darbon, Cunha, Chan, Osher & Jensen 2008).
//
//   input ─► padded ─┬─► difference ─► distance ─► column ─► patch ─► weight ─► sum ─► output
//                    └─► homogeneous ────────────────────────────────────────────▲
#include <Halide.h>

namespace {

using namespace Halide;

class NlMeans : public Generator<NlMeans> {
public:
    GeneratorParam<int> patch_size{"patch_size", 7, 3, 15};    // odd; of what is compared
    GeneratorParam<int> search_size{"search_size", 7, 3, 31};  // odd; of what is averaged
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};      // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};    // in pixels
    GeneratorParam<bool> manual{"manual", false};              // use the expert's GPU schedule

    Input<Buffer<float, 3>> input{"input"};               // x, y, channel; values in 0..1
    Input<float> noise{"noise", 0.05f, 0.0f, 1.0f};       // its standard deviation
    Input<float> filter{"filter", 0.025f, 0.001f, 1.0f};  // distance at which a weight is 1/e
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        Func edged =
            BoundaryConditions::repeat_edge(input, {{input.dim(0).min(), input.dim(0).extent()},
                                                    {input.dim(1).min(), input.dim(1).extent()},
                                                    {Expr(), Expr()}});
        padded_(x, y, c) = edged(x, y, c);

        difference_(x, y, c, i, j) = padded_(x, y, c) - padded_(x + i, y + j, c);
        channel_ = RDom(0, 3, "channel");
        distance_(x, y, i, j) = 0.0f;
        distance_(x, y, i, j) += pow(difference_(x, y, channel_, i, j), 2);

        const int patch = patch_size, search = search_size;
        tap_ = RDom(-(patch / 2), patch, "tap");
        column_(x, y, i, j) = 0.0f;
        column_(x, y, i, j) += distance_(x, y + tap_, i, j);
        patch_(x, y, i, j) = 0.0f;
        patch_(x, y, i, j) += column_(x + tap_, y, i, j);

        // Two noisy views of one thing differ by twice the variance in the mean.
        Expr excess = patch_(x, y, i, j) / (3.0f * patch * patch) - 2.0f * noise * noise;
        weight_(x, y, i, j) = fast_exp(max(excess, 0.0f) * (-1.0f / (filter * filter)));

        // The fourth channel counts weights.
        homogeneous_(x, y, c) =
            mux(c, {padded_(x, y, 0), padded_(x, y, 1), padded_(x, y, 2), 1.0f});
        shift_ = RDom(-(search / 2), search, -(search / 2), search, "shift");
        sum_(x, y, c) = 0.0f;
        sum_(x, y, c) +=
            weight_(x, y, shift_.x, shift_.y) * homogeneous_(x + shift_.x, y + shift_.y, c);
        output(x, y, c) = clamp(sum_(x, y, c) / sum_(x, y, 3), 0.0f, 1.0f);

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
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        Var yo{"yo"}, yi{"yi"};
        output.bound(c, 0, 3)
            .split(y, yo, yi, 32, guarded)
            .reorder(x, c, yi, yo)
            .vectorize(x, lanes, guarded)
            .parallel(yo);
        padded_.compute_at(output, yo).vectorize(x, lanes);
        sum_.compute_at(output, yo).vectorize(x, lanes);
        sum_.update().reorder(x, c, y, shift_.x, shift_.y).vectorize(x, lanes).unroll(c);
        for (Func f : {distance_, column_}) {
            f.compute_at(sum_, shift_.x).vectorize(x, lanes);
        }
        distance_.update().reorder(channel_, x, y).unroll(channel_).vectorize(x, lanes);
        column_.update().reorder(tap_, x, y).unroll(tap_).vectorize(x, lanes);
        weight_.compute_at(sum_, y).vectorize(x, lanes);
        patch_.compute_at(weight_, x).vectorize(x, lanes);
        patch_.update().reorder(tap_, x).unroll(tap_).vectorize(x, lanes);
    }

    // One kernel. A block makes a tile of the output and goes through the shifts row by row:
    //
    //   padded tile (shared) ─► for each j: column sums of all i (shared)
    //                                         └─► per thread: patch, weight, row of the sum
    //
    // All shifts of one j go between two barriers, so there are few, and a thread sums them in
    // registers. A thread makes one column of eight column sums, whose distances it keeps in
    // registers too: 14 distances for eight sums, where two dimensions of patches would take 49
    // for one. Shared memory suffices for patch_size and search_size up to 9.
    void schedule_by_hand() {
        // With its halo the tile is two warps wide, so that no lane idles in the costliest stage.
        const int halo = patch_size / 2 * 2;
        const int lanes = 64, rows = 8, columns = lanes - halo;
        Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
        output.bound(c, 0, 3)
            .tile(x, y, xo, yo, xi, yi, columns, rows, guarded)
            .reorder(c, xi, yi, xo, yo)
            .unroll(c)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yi);

        // Clamping coordinates once per pixel, instead of once per difference.
        const int reach = halo + search_size / 2 * 2;
        Var pxo{"pxo"}, pxi{"pxi"}, pyo{"pyo"}, pyi{"pyi"};
        padded_.compute_at(output, xo)
            .bound_extent(x, columns + reach)
            .bound_extent(y, rows + reach)
            .tile(x, y, pxo, pyo, pxi, pyi, lanes, rows, guarded)
            .reorder(c, pxo, pyo, pxi, pyi)
            .unroll(c)
            .gpu_threads(pxi, pyi);

        Var j_row{"j_row"};
        Func row = sum_.update().rfactor(shift_.y, j_row);
        sum_.compute_at(output, xo)
            .bound_extent(x, columns)
            .bound_extent(y, rows)
            .reorder(c, x, y)
            .unroll(c)
            .gpu_threads(x, y);
        sum_.update().reorder(c, x, y, shift_.y).unroll(c).gpu_threads(x, y);
        row.compute_at(sum_, x).reorder(c, x, y).unroll(c);
        row.update().reorder(c, shift_.x).unroll(c).unroll(shift_.x);
        weight_.compute_at(row, shift_.x);
        patch_.compute_at(row, shift_.x);
        patch_.update().unroll(tap_);

        Func shared = column_.in(patch_);
        shared.compute_at(sum_, shift_.y)
            .bound_extent(x, lanes)
            .bound_extent(y, rows)
            .reorder(y, x, i, j)
            .unroll(y)
            .gpu_threads(x, i);
        column_.compute_at(shared, x).unroll(y);
        column_.update().reorder(tap_, y).unroll(tap_).unroll(y);
        distance_.compute_at(shared, x).unroll(y);
        distance_.update().reorder(channel_, y).unroll(channel_).unroll(y);
    }

    void set_estimates_and_layout() {
        input.dim(2).set_bounds(0, 3);
        output.dim(2).set_bounds(0, 3);
        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        noise.set_estimate(0.05f);
        filter.set_estimate(0.025f);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    static constexpr TailStrategy guarded = TailStrategy::GuardWithIf;

    Var x{"x"}, y{"y"}, c{"c"}, i{"i"}, j{"j"};
    RDom channel_, tap_, shift_;
    Func padded_{"padded"}, difference_{"difference"}, distance_{"distance"}, column_{"column"};
    Func patch_{"patch"}, weight_{"weight"}, homogeneous_{"homogeneous"}, sum_{"sum"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(NlMeans, nl_means)
