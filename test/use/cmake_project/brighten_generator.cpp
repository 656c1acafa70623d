#include <Halide.h>

// A 3x3 blur of a grey image, brightened: an algorithm with estimates and not one line of schedule.
class Brighten : public Halide::Generator<Brighten> {
public:
    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<float> gain{"gain"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        Halide::Var x("x"), y("y");
        Halide::Func image = Halide::BoundaryConditions::repeat_edge(input);
        Halide::Func rows("rows"), blurred("blurred");
        rows(x, y) = Halide::cast<uint16_t>(image(x - 1, y)) + image(x, y) + image(x + 1, y);
        blurred(x, y) = (rows(x, y - 1) + rows(x, y) + rows(x, y + 1)) / 9;
        output(x, y) = Halide::saturating_cast<uint8_t>(blurred(x, y) * gain);

        input.set_estimates({{0, 1920}, {0, 1080}});
        gain.set_estimate(1.5f);
        output.set_estimates({{0, 1920}, {0, 1080}});
    }
};

HALIDE_REGISTER_GENERATOR(Brighten, brighten)
