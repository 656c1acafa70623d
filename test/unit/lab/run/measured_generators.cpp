// Small pipelines for the tests of measuring: one that can be told to misbehave, and one whose
// arguments are of all sorts.
#include <Halide.h>

namespace {

using namespace Halide;

// A 3x3 blur of floats. `behaviour` is right, or one of the ways to go wrong.
class Blur : public Generator<Blur> {
public:
    GeneratorParam<std::string> behaviour{"behaviour", "right"};
    GeneratorParam<int> width{"width", 96};
    GeneratorParam<int> height{"height", 64};
    GeneratorParam<bool> gpu{"gpu", false};
    GeneratorParam<bool> estimates_gain{"estimates_gain", true};

    Input<Buffer<float, 2>> input{"input"};
    Input<float> gain{"gain"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        const std::string how = behaviour;
        Func edged = BoundaryConditions::repeat_edge(input);
        rows_(x, y) = edged(x - 1, y) + edged(x, y) + edged(x + 1, y);
        Expr blurred = (rows_(x, y - 1) + rows_(x, y) + rows_(x, y + 1)) * (gain / 9.0f);
        if (how == "wrong") blurred = select(x == 40 && y == 30, blurred + 0.5f, blurred);
        if (how == "nan") blurred = select(x == 40 && y == 30, sqrt(-blurred), blurred);
        if (how == "too_bright") blurred *= 5.0f;
        if (how == "halide_error") {
            add_requirement(input.dim(0).extent() < 10, "the picture is too wide");
        }
        if (how == "crash") blurred += call("raise", {6});
        if (how == "hang") blurred += call("pause");
        output(x, y) = blurred;
        if (how == "refuse") output(x) = 0.0f;  // of another number of dimensions
        if (how == "crash_now") abort();
        input.set_estimates({{0, width}, {0, height}});
        if (estimates_gain) gain.set_estimate(1.0f);
        output.set_estimates({{0, width}, {0, height}});
    }

    void schedule() {
        if (!gpu || using_autoscheduler()) {
            rows_.compute_root();
            return;
        }
        Var xi{"xi"}, yi{"yi"};
        const std::string how = behaviour;
        // No GPU has blocks of so many threads.
        const int tile = how == "too_many_threads" ? 80 : 16;
        output.gpu_tile(x, y, xi, yi, tile, tile, TailStrategy::GuardWithIf);
    }

private:
    // A function of the C library, called once per pixel on the host.
    static Expr call(const std::string &name, const std::vector<Expr> &arguments = {}) {
        return cast<float>(Internal::Call::make(Int(32), name, arguments, Internal::Call::Extern));
    }

    Var x{"x"}, y{"y"};
    Func rows_{"rows"};
};

// Interleaved bytes, a wide scalar, a buffer without dimensions, tuples, regions that do not begin
// at 0, halves; inputs of which more is needed than estimated.
class Mixed : public Generator<Mixed> {
public:
    Input<Buffer<uint8_t, 3>> pixels{"pixels"};  // x, y, channel; channels lie beside each other
    Input<Buffer<int32_t, 1>> shifts{"shifts"};
    Input<Buffer<float16_t, 1>> weights{"weights"};
    Input<Buffer<double, 0>> bias{"bias"};
    Input<int64_t> offset{"offset"};
    Input<bool> flag{"flag", true};
    Output<Func> sums{"sums", {UInt(16), Float(32)}, 2};
    Output<Buffer<int64_t, 1>> total{"total"};

    void generate() {
        RDom c(0, 3);
        Expr byte = cast<uint16_t>(pixels(x, y, c));
        Expr weighted = cast<float>(weights(c)) * cast<float>(byte);
        sums(x, y) = Tuple(cast<uint16_t>(0), cast<float>(bias()));
        sums(x, y) = Tuple(cast<uint16_t>(sums(x, y)[0] + byte), sums(x, y)[1] + weighted);
        total(x) = select(flag, offset, 0) + shifts(x) + cast<int64_t>(shifts(x + 1));

        pixels.dim(0).set_stride(3);
        pixels.dim(2).set_stride(1).set_bounds(0, 3);
        pixels.set_estimates({{-4, 40}, {0, 30}, {0, 3}});
        shifts.set_estimates({{0, 20}});
        weights.set_estimates({{0, 3}});
        offset.set_estimate(int64_t{1} << 40);
        sums.set_estimates({{-4, 40}, {0, 30}});
        total.set_estimates({{0, 20}});
    }

private:
    Var x{"x"}, y{"y"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Blur, blur)
HALIDE_REGISTER_GENERATOR(Mixed, mixed)
