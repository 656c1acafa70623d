// Sum of all values of a vector: the Level 1 reduction that all others resemble (asum of BLAS, for
// values that are not negative).
#include <Halide.h>

#include "../common/reduce_in_block.h"

namespace {

using namespace Halide;

class Sum : public Generator<Sum> {
public:
    GeneratorParam<int> size{"size", 10'000'000, 1, 1 << 30};  // that it is scheduled for
    GeneratorParam<bool> manual{"manual", false};              // use the expert's GPU schedule

    Input<Buffer<float, 1>> input{"input"};
    Output<Buffer<float, 0>> output{"output"};

    void generate() {
        r_ = RDom(input.dim(0).min(), input.dim(0).extent(), "r");
        total_() = 0.0f;
        total_() += input(r_);
        output() = total_();

        input.set_estimates({{0, size}});
        output.set_estimates({});
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
        total_.compute_root().update().split(r_, strip, rest, 1 << 14, TailStrategy::GuardWithIf);
        Func strips = total_.update().rfactor(strip, s);
        strips.compute_root().parallel(s).update().parallel(s);
        strips.update().split(rest, step, ri, lanes);
        Func sums = strips.update().rfactor(ri, lane);
        sums.compute_at(strips, s).vectorize(lane).update().vectorize(lane);
    }

    // Two kernels: blocks sum 8192 values each, then one block sums what they found.
    void schedule_by_hand() {
        Var u{"u"}, uo{"uo"}, ut{"ut"}, block{"block"}, thread{"thread"};
        RVar chunk{"chunk"}, within{"within"};
        total_.update().split(r_, chunk, within, 8192, TailStrategy::GuardWithIf);
        Func chunks = total_.update().rfactor(chunk, u);
        output.split(Var::outermost(), Var::outermost(), block, 1)
            .split(block, block, thread, 1)
            .gpu_blocks(block)
            .gpu_threads(thread);
        Func lanes = autoschedule_gpu::kernels::reduce_in_block(
            total_, chunk, {.consumer = output, .block = block, .thread = thread});

        Func chunk_sums = chunks.in(lanes);
        chunk_sums.compute_root().split(u, uo, ut, 1).gpu_blocks(uo).gpu_threads(ut);
        autoschedule_gpu::kernels::reduce_in_block(
            chunks, within, {.consumer = chunk_sums, .block = uo, .unrolled = 8});
    }

    RDom r_;
    Func total_{"total"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Sum, sum)
