// Product of two matrices in single precision: C = A B, with A of M rows and K columns, B of K rows
// and N columns; the Level 3 BLAS operation SGEMM (Dongarra et al. 1990) with alpha 1 and beta 0.
// Dimension 0 of each buffer is the column.
//
//   a (K x M) ─┐
//              ├─► product (sum over K) ─► output (N x M)
//   b (N x K) ─┘
#include <Halide.h>

namespace {

using namespace Halide;

class MatMul : public Generator<MatMul> {
public:
    GeneratorParam<int> rows{"M", 1536, 1, 1 << 15};     // of A and C, that it is scheduled for
    GeneratorParam<int> columns{"N", 2560, 1, 1 << 15};  // of B and C
    GeneratorParam<int> depth{"K", 1536, 1, 1 << 15};    // columns of A, rows of B
    GeneratorParam<bool> manual{"manual", false};        // use the expert's GPU schedule

    Input<Buffer<float, 2>> a{"a"};  // k, y
    Input<Buffer<float, 2>> b{"b"};  // x, k
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        k_ = RDom(0, a.dim(0).extent(), "k");
        product_(x, y) += a(k_, y) * b(x, k_);
        output(x, y) = product_(x, y);

        a.set_estimates({{0, depth}, {0, rows}});
        b.set_estimates({{0, columns}, {0, depth}});
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
    // A panel of B, four vectors wide, is read by one strip of rows after the other.
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
        output.tile(x, y, xo, yo, xi, yi, 4 * lanes, 4, TailStrategy::GuardWithIf)
            .reorder(xi, yi, yo, xo)
            .vectorize(xi, lanes, TailStrategy::GuardWithIf)
            .parallel(xo);
        product_.compute_at(output, yo).vectorize(x, lanes, TailStrategy::GuardWithIf);
        product_.update()
            .reorder(x, y, k_)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .unroll(x, 4, TailStrategy::GuardWithIf)
            .unroll(y, 4, TailStrategy::GuardWithIf);
    }

    // Two kernels. The second gives each thread 8 rows by 4 columns of C, summed in 32 registers;
    // a step of k then multiplies 8 values of A with 4 of B, which are three loads of 16 bytes for
    // 32 multiply-adds. A warp is 128 columns of the same 8 rows: what it loads of B is
    // consecutive, and what it loads of A is one address for all lanes. The tiles of a block's
    // eight warps are left to the L1 cache to share: shared memory would cost barriers and could
    // not be combined with sums in registers.
    void schedule_by_hand() {
        Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, xt{"xt"}, yt{"yt"};
        for (const Expr &condition : {is_large() && is_aligned(), is_large()}) {
            output.specialize(condition)
                .tile(x, y, xo, yo, xi, yi, kTileColumns, kTileRows, TailStrategy::ShiftInwards)
                .split(xi, xt, xi, 4)
                .split(yi, yt, yi, 8)
                .reorder(xi, yi, xt, yt, xo, yo)
                .gpu_blocks(xo, yo)
                .gpu_threads(xt, yt)
                .vectorize(xi)
                .unroll(yi);
        }
        // Less than a tile: one element per thread.
        output.tile(x, y, xo, yo, xt, yt, 32, 8, TailStrategy::GuardWithIf)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt);

        // Two steps of k at a time, to halve the loop's overhead; four would spill.
        RVar ko{"ko"}, ki{"ki"};
        product_.compute_at(output, xt).vectorize(x).unroll(y);
        product_.update()
            .split(k_, ko, ki, 2, TailStrategy::GuardWithIf)
            .reorder(x, y, ki, ko)
            .vectorize(x)
            .unroll(y)
            .unroll(ki);
        turn_a_by_hand(ki);
    }

    // The first kernel: a copy of A with its rows side by side, without which a thread would need
    // a pointer for each of its 8 rows. It moves 2 M K values, little beside the product. Each
    // warp writes 32 consecutive values, and eight warps use up the 32-byte sectors that they read.
    void turn_a_by_hand(const RVar &step) {
        Func turned = a.in(product_);
        Var ak = turned.args()[0], ay = turned.args()[1];
        Var ako{"ako"}, aki{"aki"}, ayo{"ayo"}, ayi{"ayi"};
        turned.compute_root()
            .bound(ay, output.dim(1).min(), output.dim(1).extent())
            .reorder_storage(ay, ak)
            .align_storage(ay, 4)
            .tile(ak, ay, ako, ayo, aki, ayi, 8, 32, TailStrategy::GuardWithIf)
            .gpu_blocks(ako, ayo)
            .gpu_threads(ayi, aki);
        turned.in(product_)
            .compute_at(product_, step)
            .store_in(MemoryType::Register)
            .vectorize(ay, 4, TailStrategy::GuardWithIf)
            .unroll(ay);
    }

    Expr is_large() {
        return output.dim(0).extent() >= kTileColumns && output.dim(1).extent() >= kTileRows;
    }

    // What the compiler needs to know to emit loads and stores of 16 bytes.
    Expr is_aligned() {
        Expr result = b.dim(0).min() == 0 && b.dim(1).stride() % 4 == 0;
        for (int d : {0, 1}) {
            result = result && output.dim(d).min() == 0 && output.dim(d).extent() % 4 == 0;
        }
        return result && output.dim(1).stride() % 4 == 0;
    }

    static constexpr int kTileColumns = 128, kTileRows = 64;  // of a block, by hand

    Var x{"x"}, y{"y"};
    RDom k_;
    Func product_{"product"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(MatMul, mat_mul)
