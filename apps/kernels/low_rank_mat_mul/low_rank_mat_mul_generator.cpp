// Product of a tall and a wide matrix, with few steps of k: a matrix of low rank from its factors.
// To write the result takes longer than to compute it.
#include "../common/mat_mul.h"

namespace {

using namespace autoschedule_gpu::kernels;

class LowRankMatMul
    : public MatMul<LowRankMatMul, MatMulShape{.rows = 4096, .columns = 8192, .depth = 16}> {
    void schedule_by_hand() override {
        tile_by_hand(output, product_, k_, {.columns = 128, .rows = 64});
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LowRankMatMul, low_rank_mat_mul)
