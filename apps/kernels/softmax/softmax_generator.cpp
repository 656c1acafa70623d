// Softmax of each row of a matrix: exp(v) / (sum of exp over the row), with the row's greatest
// value subtracted first, so that nothing overflows (Goodfellow, Bengio & Courville, "Deep
// Learning", section 4.1). Dimension 0 is the column.
//
//   input ─┬─► greatest ─┬─► exponential ─┬─► total ─► output
//          └─────────────┘                └─────────────▲
#include <Halide.h>

#include "../common/reduce_in_block.h"

namespace {

using namespace Halide;

class Softmax : public Generator<Softmax> {
public:
    GeneratorParam<int> columns{"columns", 2048, 1, 1 << 20};  // that it is scheduled for
    GeneratorParam<int> rows{"rows", 4096, 1, 1 << 20};
    GeneratorParam<bool> manual{"manual", false};  // use the expert's GPU schedule

    Input<Buffer<float, 2>> input{"input"};  // x, y
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        r_ = RDom(input.dim(0).min(), input.dim(0).extent(), "r");
        greatest_(y) = Float(32).min();
        greatest_(y) = max(greatest_(y), input(r_, y));
        exponential_(x, y) = exp(input(x, y) - greatest_(y));
        total_(y) += exponential_(r_, y);
        output(x, y) = exponential_(x, y) / total_(y);

        input.set_estimates({{0, columns}, {0, rows}});
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
        exponential_.compute_at(output, y).vectorize(x, lanes, TailStrategy::GuardWithIf);
        Var lane{"lane"};
        RVar ro{"ro"}, ri{"ri"};
        for (Func f : {greatest_, total_}) {
            f.compute_at(output, y).update().split(r_, ro, ri, lanes, TailStrategy::GuardWithIf);
            f.update().rfactor(ri, lane).compute_at(output, y).vectorize(lane).update().vectorize(
                lane);
        }
    }

    // One kernel. A block has a row, which it reads three times; all but the first come from the
    // L1 cache, to compute an exponential twice is cheaper than to keep it, and rows may have any
    // length.
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
        for (Func f : {greatest_, total_}) {
            autoschedule_gpu::kernels::reduce_in_block(
                f, r_, {.consumer = output, .block = y, .threads = kThreads});
        }
    }

    // What loads and stores of 16 bytes need, without a rest.
    Expr is_aligned() {
        Expr result = output.dim(0).extent() % (4 * kThreads) == 0;
        for (Expr part : {input.dim(0).min(), output.dim(0).min()}) result = result && part == 0;
        for (Expr part : {input.dim(1).stride(), output.dim(1).stride()}) {
            result = result && part % 4 == 0;
        }
        return result;
    }

    static constexpr int kThreads = 256;  // of a block, by hand

    Var x{"x"}, y{"y"};
    RDom r_;
    Func greatest_{"greatest"}, exponential_{"exponential"}, total_{"total"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Softmax, softmax)
