// Layer normalisation (Ba, Kiros & Hinton 2016) of each row of a matrix: the row's mean is taken
// off, its variance becomes 1, and each column has a gain and a bias. Dimension 0 is the column.
//
//   input ─┬─► sum ─► mean ─┬─► squares ─► scale ─┐
//          ├────────────────┴─────────────────────┼─► output
//          │                        gain, bias ───┤
//          └──────────────────────────────────────┘
#include <Halide.h>

#include "../common/reduce_in_block.h"

namespace {

using namespace Halide;

class LayerNorm : public Generator<LayerNorm> {
public:
    GeneratorParam<int> columns{"columns", 1024, 1, 1 << 20};  // that it is scheduled for
    GeneratorParam<int> rows{"rows", 8192, 1, 1 << 20};
    GeneratorParam<bool> manual{"manual", false};  // use the expert's GPU schedule

    Input<Buffer<float, 2>> input{"input"};  // x, y
    Input<Buffer<float, 1>> gain{"gain"};
    Input<Buffer<float, 1>> bias{"bias"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        r_ = RDom(input.dim(0).min(), input.dim(0).extent(), "r");
        const Expr count = cast<float>(input.dim(0).extent());
        sum_(y) += input(r_, y);
        mean_(y) = sum_(y) / count;
        // Of differences from the mean: a mean of squares, less the squared mean, loses digits.
        squares_(y) += (input(r_, y) - mean_(y)) * (input(r_, y) - mean_(y));
        scale_(y) = 1.0f / sqrt(squares_(y) / count + 1e-5f);
        output(x, y) = (input(x, y) - mean_(y)) * scale_(y) * gain(x) + bias(x);

        input.set_estimates({{0, columns}, {0, rows}});
        gain.set_estimates({{0, columns}});
        bias.set_estimates({{0, columns}});
        output.set_estimates({{0, columns}, {0, rows}});
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
        output.vectorize(x, lanes, TailStrategy::GuardWithIf).parallel(y);
        scale_.compute_at(output, y);
        mean_.compute_at(output, y);
        Var lane{"lane"};
        RVar ro{"ro"}, ri{"ri"};
        for (Func f : {sum_, squares_}) {
            f.compute_at(output, y).update().split(r_, ro, ri, lanes, TailStrategy::GuardWithIf);
            Func sums = f.update().rfactor(ri, lane);
            sums.compute_at(output, y).vectorize(lane).update().vectorize(lane);
        }
    }

    // One kernel. A block has a row, which it reads three times; all but the first come from the
    // L1 cache, and rows may have any length.
    void schedule_by_hand() {
        Var xo{"xo"}, xt{"xt"}, xi{"xi"};
        output.specialize(is_aligned())
            .split(x, xo, xi, 4 * kThreads)
            .split(xi, xt, xi, 4)
            .reorder(xi, xo, xt, y)
            .vectorize(xi)
            .gpu_blocks(y)
            .gpu_threads(xt);
        output.split(x, xo, xt, kThreads, TailStrategy::GuardWithIf)
            .reorder(xo, xt, y)
            .gpu_blocks(y)
            .gpu_threads(xt);
        // A division and a root per row, not per value.
        for (Func f : {mean_, scale_}) f.compute_at(output, y).gpu_threads(y);
        for (Func f : {sum_, squares_}) {
            autoschedule_gpu::kernels::reduce_in_block(
                f, r_, {.consumer = output, .block = y, .threads = kThreads});
        }
    }

    // What loads and stores of 16 bytes need, without a rest.
    Expr is_aligned() {
        Expr result = output.dim(0).extent() % (4 * kThreads) == 0;
        for (Expr part :
             {input.dim(0).min(), gain.dim(0).min(), bias.dim(0).min(), output.dim(0).min()}) {
            result = result && part == 0;
        }
        for (Expr part : {input.dim(1).stride(), output.dim(1).stride()}) {
            result = result && part % 4 == 0;
        }
        return result;
    }

    static constexpr int kThreads = 256;  // of a block, by hand

    Var x{"x"}, y{"y"};
    RDom r_;
    Func sum_{"sum"}, mean_{"mean"}, squares_{"squares"}, scale_{"scale"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LayerNorm, layer_norm)
