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

        Var t{"t"};
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
        if (using_autoscheduler()) return;
        const int width = natural_vector_size<float>();
        Var yo{"yo"}, yi{"yi"};
        output.split(y, yo, yi, 32, TailStrategy::GuardWithIf)
            .reorder(x, c, yi, yo)
            .vectorize(x, width, TailStrategy::GuardWithIf)
            .parallel(yo);
        gain_.compute_at(output, yi).vectorize(x, width);
        blur_y_.compute_at(output, yi).vectorize(x, width);
        luma_.compute_at(output, yo).vectorize(x, width);
        weight_.compute_root();
        bell_.compute_root();
    }

private:
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
        input.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
        sigma.set_estimate(1.5f);
        strength.set_estimate(0.8f);
        output.set_estimates({{0, 1536}, {0, 2560}, {0, 3}});
    }

    Var x{"x"}, y{"y"}, c{"c"};
    Func padded_{"padded"}, luma_{"luma"}, bell_{"bell"}, weight_{"weight"};
    Func blur_y_{"blur_y"}, blur_x_{"blur_x"}, gain_{"gain"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Unsharp, unsharp)
