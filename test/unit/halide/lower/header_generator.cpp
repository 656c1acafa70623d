// A generator whose schedule comes from outside: from a plugin, or, built with HEADER_CASES, from
// the schedule headers that the same generator wrote with that plugin, one per value of `header`.
// Its Funcs are what is awkward to schedule from outside: Vars and Funcs without names, two Funcs
// of one name, a name that is a C++ keyword, two-dimensional reductions, a Func without dimensions.
#include <Halide.h>

#ifdef HEADER_CASES
#include "header_cases.h"
#endif

namespace {

using namespace Halide;

class HeaderCase : public Generator<HeaderCase> {
public:
    GeneratorParam<std::string> header{"header", ""};
    Input<Buffer<float, 2>> input{"input"};
    Input<float> gain{"gain"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        Var x("x"), y("y");
        Func edge = BoundaryConditions::repeat_edge(input);
        Func blur_x("blur"), blur_y("blur");
        blur_x(x, y) = edge(x - 1, y) + edge(x, y) + edge(x + 1, y);
        blur_y(x, y) = blur_x(x, y - 1) + blur_x(x, y) + blur_x(x, y + 1);

        RDom r(-2, 5, -1, 3, "window");
        Func sum("new");
        sum(x, y) = gain;
        sum(x, y) += blur_y(x + r.x, y + r.y) * cast<float>(r.x + 2 * r.y);

        RDom whole(0, 64);
        Func total;
        total() = 0.f;
        total() += edge(whole, whole);

        output(x, y) = sum(x, y) * total() + edge(x, y);
    }

    void schedule() {
        input.set_estimates({{0, 512}, {0, 384}});
        gain.set_estimate(0.5f);
        output.set_estimates({{0, 512}, {0, 384}});
#ifdef HEADER_CASES
        apply_header_case(header, get_pipeline(), target);
#endif
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(HeaderCase, header_case)
