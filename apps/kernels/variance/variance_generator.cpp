// Mean and variance of all values of a vector in one pass, by sums of shifted values and of their
// squares (Chan, Golub & LeVeque 1983): with the first value taken off, little cancels.
//
//   input ─► sums (of d and d * d) ─┬─► mean
//                                   └─► variance
#include <Halide.h>

#include "../common/reduce_in_block.h"

namespace {

using namespace Halide;

class Variance : public Generator<Variance> {
public:
    GeneratorParam<int> size{"size", 10'000'000, 1, 1 << 30};  // that it is scheduled for
    GeneratorParam<bool> manual{"manual", false};              // use the expert's GPU schedule

    Input<Buffer<float, 1>> input{"input"};
    Output<Buffer<float, 0>> mean{"mean"};
    Output<Buffer<float, 0>> variance{"variance"};

    void generate() {
        r_ = RDom(input.dim(0).min(), input.dim(0).extent(), "r");
        const Expr first = input(input.dim(0).min());
        const Expr d = input(r_) - first;
        sums_() = Tuple(0.0f, 0.0f);
        sums_() = Tuple(sums_()[0] + d, sums_()[1] + d * d);

        const Expr count = cast<float>(input.dim(0).extent());
        const Expr shift = sums_()[0] / count;
        mean() = first + shift;
        variance() = sums_()[1] / count - shift * shift;

        input.set_estimates({{0, size}});
        mean.set_estimates({});
        variance.set_estimates({});
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    // Strips in parallel, each in the lanes of a vector: also because a single sum of so many
    // floats would lose half of its digits.
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        Var s{"s"}, lane{"lane"};
        RVar strip{"strip"}, rest{"rest"}, step{"step"}, ri{"ri"};
        sums_.compute_root().update().split(r_, strip, rest, 1 << 14, TailStrategy::GuardWithIf);
        Func strips = sums_.update().rfactor(strip, s);
        strips.compute_root().parallel(s).update().parallel(s);
        strips.update().split(rest, step, ri, lanes);
        Func parts = strips.update().rfactor(ri, lane);
        parts.compute_at(strips, s).vectorize(lane).update().vectorize(lane);
    }

    // Blocks sum 8192 values each, then one block sums what they found; the outputs are a kernel
    // of one thread each.
    void schedule_by_hand() {
        Var u{"u"}, uo{"uo"}, ut{"ut"}, block{"block"}, thread{"thread"};
        RVar chunk{"chunk"}, within{"within"};
        sums_.update().split(r_, chunk, within, 8192, TailStrategy::GuardWithIf);
        Func chunks = sums_.update().rfactor(chunk, u);
        Func total = sums_.in();
        Func lanes = autoschedule_gpu::kernels::reduce_in_block(
            sums_, chunk, {.consumer = total, .block = block, .thread = thread});
        on_one_thread(total.compute_root(), block, thread);
        for (Func result : {Func(mean), Func(variance)}) on_one_thread(result, block, thread);

        Func chunk_sums = chunks.in(lanes);
        chunk_sums.compute_root().split(u, uo, ut, 1).gpu_blocks(uo).gpu_threads(ut);
        autoschedule_gpu::kernels::reduce_in_block(
            chunks, within, {.consumer = chunk_sums, .block = uo, .unrolled = 8});
    }

    static void on_one_thread(Func f, const Var &block, const Var &thread) {
        f.split(Var::outermost(), Var::outermost(), block, 1)
            .split(block, block, thread, 1)
            .gpu_blocks(block)
            .gpu_threads(thread);
    }

    RDom r_;
    Func sums_{"sums"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Variance, variance)
