// Product of a matrix with many rows and a small one: a few features of each of many samples.
#include "../common/mat_mul.h"

namespace {

using namespace autoschedule_gpu::kernels;

class TallMatMul
    : public MatMul<TallMatMul, MatMulShape{.rows = 65536, .columns = 32, .depth = 512}> {
    void schedule_by_hand() override {
        const Expr steps = a.dim(0).extent();
        tile_rows_by_hand(output, product_, k_, {.columns = 32, .rows = 64, .thread_rows = 4},
                          steps == steps / 4 * 4);
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(TallMatMul, tall_mat_mul)
