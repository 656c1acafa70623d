// Unsharp mask: the luma of a colour image is blurred with a separable Gaussian, and every channel
// is scaled by how much the sharpened luma differs from the original one, so hues are kept.
//
//   input ─► padded ─► luma ─┬─► blur_y ─► blur_x ─► gain ─► output
//                │           └───────────────────────▲        ▲
//                └────────────────────────────────────────────┘
#include <Halide.h>

namespace {

using namespace Halide;

class Unsharp : public Generator<Unsharp> {
public:
    GeneratorParam<int> radius{"radius", 3, 1, 32};
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<float, 3>> input{"input"};          // x, y, channel; values in 0..1
    Input<float> sigma{"sigma", 1.5f, 0.1f, 16.0f};  // of the Gaussian, in pixels
    Input<float> strength{"strength", 0.8f};         // 0 changes nothing
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        padded_ =
            BoundaryConditions::repeat_edge(input, {{input.dim(0).min(), input.dim(0).extent()},
                                                    {input.dim(1).min(), input.dim(1).extent()},
                                                    {Expr(), Expr()}});
        luma_(x, y) =
            0.299f * padded_(x, y, 0) + 0.587f * padded_(x, y, 1) + 0.114f * padded_(x, y, 2);

        bell_(t) = exp(-cast<float>(t * t) / (2.0f * sigma * sigma));
        Expr total = bell_(0);
        for (int k = 1; k <= radius; k++) total += 2.0f * bell_(k);
        weight_(t) = bell_(t) / total;

        blur_y_(x, y) = symmetric_sum([&](int k) { return luma_(x, y + k); });
        blur_x_(x, y) = symmetric_sum([&](int k) { return blur_y_(x + k, y); });

        // The floor keeps black pixels black instead of amplifying their noise.
        Expr sharpened = luma_(x, y) + strength * (luma_(x, y) - blur_x_(x, y));
        gain_(x, y) = max(sharpened, 0.0f) / max(luma_(x, y), 1.0f / 255.0f);
        output(x, y, c) = clamp(padded_(x, y, c) * gain_(x, y), 0.0f, 1.0f);

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
        output.split(y, yo, yi, 32, TailStrategy::GuardWithIf)
            .reorder(x, c, yi, yo)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .parallel(yo);
        gain_.compute_at(output, yi).vectorize(x, lanes);
        blur_y_.compute_at(output, yi).vectorize(x, lanes);
        luma_.compute_at(output, yo).vectorize(x, lanes);
        weight_.compute_root();
        bell_.compute_root();
    }

    // One kernel. A block blurs along y straight from the input, keeps that in shared memory, and
    // blurs along x from there.
    //
    // - Of the 128 columns that a row of threads blurs along y, all but 2 * radius give a column of
    //   the output, so each thread has a column of its own at both steps.
    // - A thread blurs a run of rows: the luma that they share stays in its registers, which
    //   saves a stage in shared memory and a barrier.
    // - The gain and the output read the pixel itself anew. It comes from the cache, and all three
    //   channels of it are needed for the output anyway.
    // - The weights take four threads of each block less time than a kernel of their own.
    void schedule_by_hand() {
        constexpr int kThreadsX = 128, kThreadsY = 2, kRowsPerThread = 8;
        constexpr int kRows = kThreadsY * kRowsPerThread;
        Var xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"}, yt{"yt"}, yu{"yu"}, bt{"bt"}, bu{"bu"};

        output.tile(x, y, xo, yo, xi, yi, kThreadsX - 2 * radius, kRows, TailStrategy::GuardWithIf)
            .split(yi, yu, yt, kThreadsY)
            .reorder(c, yu, xi, yt, xo, yo)
            .unroll(c)
            .unroll(yu)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yt);

        // The bounds are constant, whatever the guards leave of a tile at the image's edges.
        blur_y_.compute_at(output, xo)
            .bound_extent(x, kThreadsX)
            .bound_extent(y, kRows)
            .split(y, bt, bu, kRowsPerThread)
            .reorder(bu, x, bt)
            .unroll(bu)
            .gpu_threads(x, bt);
        luma_.in(blur_y_).compute_at(blur_y_, x).unroll(y);
        weight_.compute_at(output, xo).gpu_threads(t);
    }

    // The taps -radius..radius of `at`, weighted by the Gaussian.
    template <typename At>
    Expr symmetric_sum(At at) {
        Expr sum = weight_(0) * at(0);
        for (int k = 1; k <= radius; k++) sum += weight_(k) * (at(-k) + at(k));
        return sum;
    }

    void set_estimates_and_layout() {
        input.dim(2).set_bounds(0, 3);
        output.dim(2).set_bounds(0, 3);
        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        sigma.set_estimate(1.5f);
        strength.set_estimate(0.8f);
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    Var x{"x"}, y{"y"}, c{"c"}, t{"t"};
    Func padded_{"padded"}, luma_{"luma"}, bell_{"bell"}, weight_{"weight"};
    Func blur_y_{"blur_y"}, blur_x_{"blur_x"}, gain_{"gain"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Unsharp, unsharp)
