// Products of matrices in single precision, C = A B, as the generators of this folder share them:
// SGEMM (Dongarra et al. 1990) with alpha 1 and beta 0. A has M rows and K columns, B has K rows
// and N columns; dimension 0 of each buffer is the column, and dimension 2, of batches, the
// product.
//
//   a (K x M) ─┐
//              ├─► product (sum over K) ─► output (N x M)
//   b (N x K) ─┘
//
// A generator derives from MatMul and says how its shape is scheduled by hand.
#pragma once

#include <Halide.h>

#include <vector>

namespace autoschedule_gpu::kernels {

using namespace Halide;

// The sizes that a generator is scheduled for by default.
struct MatMulShape {
    int rows, columns, depth;  // M, N, K
    bool batched = false;      // all buffers have a third dimension
};

template <typename Final, MatMulShape kShape>
class MatMul : public Generator<Final> {
public:
    static constexpr int kDimensions = kShape.batched ? 3 : 2;

    GeneratorParam<int> rows{"M", kShape.rows, 1, 1 << 24};  // of A and C
    GeneratorParam<int> columns{"N", kShape.columns, 1, 1 << 24};
    GeneratorParam<int> depth{"K", kShape.depth, 1, 1 << 24};
    GeneratorParam<bool> manual{"manual", false};  // use the expert's GPU schedule

    GeneratorInput<Buffer<float, kDimensions>> a{"a"};  // k, y
    GeneratorInput<Buffer<float, kDimensions>> b{"b"};  // x, k
    GeneratorOutput<Buffer<float, kDimensions>> output{"output"};

    void generate() {
        k_ = RDom(a.dim(0).min(), a.dim(0).extent(), "k");
        product_(at(x, y)) += a(at(k_, y)) * b(at(x, k_));
        output(at(x, y)) = product_(at(x, y));

        estimate(a, depth, rows);
        estimate(b, columns, depth);
        estimate(output, columns, rows);
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!this->using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

protected:
    virtual void schedule_by_hand() = 0;
    virtual int batch_estimate() const { return 1; }

    // A block's tile of C, and a thread's part of it, which it sums in registers. `columns` and
    // `rows` are multiples of the thread's.
    struct Tile {
        int columns, rows;
        int thread_rows = 8;
        int thread_columns = 4;  // one vector
    };

    // Two kernels. In the second, a step of k multiplies 8 values of A with 4 of B: three loads of
    // 16 bytes for 32 multiply-adds. A warp is 128 columns of the same rows, so that what it loads
    // of B is consecutive and what it loads of A is one address. What a block's warps share is left
    // to the L1 cache: shared memory would cost barriers and can't be combined with sums in
    // registers.
    void tile_by_hand(Func result, Func sum, const RVar &k, const Tile &tile) {
        spread_tiles(result, tile, is_large(tile) && is_aligned(), is_large(tile));
        RVar ko{"ko"}, ki{"ki"};
        sum.compute_at(result, xt).vectorize(x).unroll(y);
        multiply(sum.update(), k, ko, ki, 2);  // to halve the loop's overhead; four would spill
        turn_a_by_hand(sum, ki);
    }

    // One kernel, where A is so large that to turn it would take as long as the product. Each
    // thread has four rows by four columns, and reads four steps of k of a row of A at once and
    // four columns of B: eight loads of 16 bytes for 64 multiply-adds. `whole` must let the
    // compiler see that k has no rest after these four steps, which takes the form extent == extent
    // / n * n.
    void tile_rows_by_hand(Func result, Func sum, const RVar &k, const Tile &tile,
                           const Expr &whole) {
        const Expr wide = whole && a.dim(0).min() == 0 && a.dim(1).stride() % 4 == 0;
        spread_tiles(result, tile, is_large(tile) && is_aligned() && wide, is_large(tile));

        RVar ko{"ko"}, ki{"ki"};
        sum.compute_at(result, xt).vectorize(x).unroll(y);
        multiply(sum.update().specialize(wide), k, ko, ki, 4);
        multiply(sum.update(), k, ko, ki, 1);
        Func part = a.in(sum);
        part.compute_at(sum, ko)
            .store_in(MemoryType::Register)
            .vectorize(part.args()[0])
            .unroll(part.args()[1]);
    }

    void multiply(Stage update, const RVar &k, const RVar &ko, const RVar &ki, int steps) {
        update.split(k, ko, ki, steps, TailStrategy::GuardWithIf)
            .reorder(x, y, ki, ko)
            .vectorize(x)
            .unroll(y)
            .unroll(ki);
    }

    // Tiles of `result` on blocks, under two conditions; elsewhere one element per thread.
    void spread_tiles(Func result, const Tile &tile, const Expr &aligned, const Expr &large) {
        for (const Expr &condition : {aligned, large}) {
            Stage stage =
                result.specialize(condition)
                    .tile(x, y, xo, yo, xi, yi, tile.columns, tile.rows, TailStrategy::ShiftInwards)
                    .split(xi, xt, xi, tile.thread_columns)
                    .split(yi, yt, yi, tile.thread_rows)
                    .reorder(xi, yi, xt, yt, xo, yo)
                    .vectorize(xi)
                    .unroll(yi);
            spread(stage, result);
        }
        Stage stage = result.tile(x, y, xo, yo, xt, yt, 32, 8, TailStrategy::GuardWithIf);
        spread(stage, result);
    }

    // Tiles go to blocks, with the third dimension if there is one.
    void spread(Stage stage, const Func &result) {
        stage.gpu_threads(xt, yt);
        if (result.dimensions() == 3) {
            stage.gpu_blocks(xo, yo, result.args()[2]);
        } else {
            stage.gpu_blocks(xo, yo);
        }
    }

    // The first kernel: a copy of A with its rows side by side, without which a thread would need a
    // pointer for each of its rows. Each warp writes 32 consecutive values, and eight warps use up
    // the 32-byte sectors that they read.
    void turn_a_by_hand(Func sum, const RVar &step) {
        Func turned = a.in(sum);
        Var ak = turned.args()[0], ay = turned.args()[1];
        Var ako{"ako"}, aki{"aki"}, ayo{"ayo"}, ayi{"ayi"};
        turned.compute_root()
            .bound(ay, output.dim(1).min(), output.dim(1).extent())
            .align_storage(ay, 4)
            .tile(ak, ay, ako, ayo, aki, ayi, 8, 32, TailStrategy::GuardWithIf);
        if (kShape.batched) {
            Var an = turned.args()[2];
            turned.reorder_storage(ay, ak, an).gpu_blocks(ako, ayo, an).gpu_threads(ayi, aki);
        } else {
            turned.reorder_storage(ay, ak).gpu_blocks(ako, ayo).gpu_threads(ayi, aki);
        }
        turned.in(sum)
            .compute_at(sum, step)
            .store_in(MemoryType::Register)
            .vectorize(ay, 4, TailStrategy::GuardWithIf)
            .unroll(ay);
    }

    Expr is_large(const Tile &tile) {
        return output.dim(0).extent() >= tile.columns && output.dim(1).extent() >= tile.rows;
    }

    // What the compiler needs to know to emit loads and stores of 16 bytes.
    Expr is_aligned() {
        Expr result = b.dim(0).min() == 0 && b.dim(1).stride() % 4 == 0;
        for (int d : {0, 1}) {
            result = result && output.dim(d).min() == 0 && output.dim(d).extent() % 4 == 0;
        }
        result = result && output.dim(1).stride() % 4 == 0;
        if (kShape.batched) {
            result = result && b.dim(2).stride() % 4 == 0 && output.dim(2).stride() % 4 == 0;
        }
        return result;
    }

    Var x{"x"}, y{"y"}, n{"n"};
    Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, xt{"xt"}, yt{"yt"};
    RDom k_;
    Func product_{"product"};

private:
    std::vector<Expr> at(const Expr &column, const Expr &row) const {
        if (kShape.batched) return {column, row, n};
        return {column, row};
    }
    std::vector<Var> at(const Var &column, const Var &row) const {
        if (kShape.batched) return {column, row, n};
        return {column, row};
    }

    template <typename Matrix>
    void estimate(Matrix &matrix, int across, int down) {
        if (kShape.batched) {
            matrix.set_estimates({{0, across}, {0, down}, {0, batch_estimate()}});
        } else {
            matrix.set_estimates({{0, across}, {0, down}});
        }
    }

    // A panel of B, four vectors wide, is read by one strip of rows after the other.
    void schedule_for_cpu() {
        const int lanes = this->get_target().template natural_vector_size<float>();
        output.tile(x, y, xo, yo, xi, yi, 4 * lanes, 4, TailStrategy::GuardWithIf)
            .vectorize(xi, lanes, TailStrategy::GuardWithIf)
            .parallel(yo);
        product_.compute_at(output, xo).vectorize(x, lanes, TailStrategy::GuardWithIf);
        product_.update()
            .reorder(x, y, k_)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .unroll(x, 4, TailStrategy::GuardWithIf)
            .unroll(y, 4, TailStrategy::GuardWithIf);
    }
};

}  // namespace autoschedule_gpu::kernels
