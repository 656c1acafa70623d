// Product of a matrix with many rows and a small one: a few features of each of many samples.
#include "../common/mat_mul.h"

namespace {

using namespace autoschedule_gpu::kernels;

class TallMatMul
    : public MatMul<TallMatMul, MatMulShape{.rows = 65536, .columns = 32, .depth = 512}> {
    // One kernel: to turn A, as other shapes do, would take as long as the product. Each thread has
    // four rows by four columns and reads four steps of k of a row of A at once, and B, which stays
    // in the L1 cache, four columns at once: eight loads of 16 bytes for 64 multiply-adds.
    void schedule_by_hand() override {
        const Tile tile{.columns = 32, .rows = 64, .thread_rows = 4};
        const Expr steps = a.dim(0).extent();
        const Expr wide = steps == steps / 4 * 4 && a.dim(0).min() == 0;
        spread_tiles(output, tile,
                     is_large(tile) && is_aligned() && a.dim(1).stride() % 4 == 0 && wide,
                     is_large(tile));

        RVar ko{"ko"}, ki{"ki"};
        product_.compute_at(output, xt).vectorize(x).unroll(y);
        multiply(product_.update().specialize(wide), ko, ki, 4);
        multiply(product_.update(), ko, ki, 1);
        Func part = a.in(product_);
        part.compute_at(product_, ko)
            .store_in(MemoryType::Register)
            .vectorize(part.args()[0])
            .unroll(part.args()[1]);
    }

    void multiply(Stage update, const RVar &ko, const RVar &ki, int steps) {
        update.split(k_, ko, ki, steps, TailStrategy::GuardWithIf)
            .reorder(x, y, ki, ko)
            .vectorize(x)
            .unroll(y)
            .unroll(ki);
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(TallMatMul, tall_mat_mul)
