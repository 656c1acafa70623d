// Many products of square matrices at once, as in the layers of a transformer with many heads.
#include "../common/mat_mul.h"

namespace {

using namespace autoschedule_gpu::kernels;

class BatchedMatMul
    : public MatMul<BatchedMatMul,
                    MatMulShape{.rows = 256, .columns = 256, .depth = 256, .batched = true}> {
public:
    GeneratorParam<int> batch{"batch", 64, 1, 1 << 16};  // products

private:
    int batch_estimate() const override { return batch; }

    void schedule_by_hand() override {
        tile_by_hand(output, product_, k_, {.columns = 128, .rows = 64});
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(BatchedMatMul, batched_mat_mul)
