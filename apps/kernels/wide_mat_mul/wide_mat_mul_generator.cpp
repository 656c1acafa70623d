// Product of a small matrix and one with few rows and many columns: the values of a few linear
// functions at many points.
#include "../common/mat_mul.h"

namespace {

using namespace autoschedule_gpu::kernels;

class WideMatMul
    : public MatMul<WideMatMul, MatMulShape{.rows = 32, .columns = 65536, .depth = 512}> {
    // One block has all rows of its columns, so that B is read once.
    void schedule_by_hand() override {
        tile_by_hand(output, product_, k_, {.columns = 128, .rows = 32});
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(WideMatMul, wide_mat_mul)
