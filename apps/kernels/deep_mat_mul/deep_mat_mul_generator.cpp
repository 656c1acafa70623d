// Product with a small result and a very long sum, as in the gradients of a layer's weights over a
// batch: the result alone has too few elements to occupy a GPU.
#include "../common/mat_mul.h"

namespace {

using namespace autoschedule_gpu::kernels;

class DeepMatMul
    : public MatMul<DeepMatMul, MatMulShape{.rows = 128, .columns = 128, .depth = 65536}> {
    // Each block sums a tile over some steps of k only, and stores what it has; a last kernel sums
    // these parts.
    void schedule_by_hand() override {
        const int steps_of_block = 512;
        Var part{"part"};
        RVar chunk{"chunk"}, within{"within"};
        product_.update().split(k_, chunk, within, steps_of_block, TailStrategy::GuardWithIf);
        Func parts = product_.update().rfactor(chunk, part);
        Func stored = parts.in(product_);
        stored.compute_root();
        const Expr steps = a.dim(0).extent();
        tile_rows_by_hand(stored, parts, within, {.columns = 128, .rows = 32, .thread_rows = 4},
                          steps == steps / steps_of_block * steps_of_block);

        output.tile(x, y, xo, yo, xt, yt, 32, 4, TailStrategy::GuardWithIf)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt);
        product_.compute_at(output, xt).update().unroll(chunk, 8, TailStrategy::GuardWithIf);
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(DeepMatMul, deep_mat_mul)
