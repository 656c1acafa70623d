// Scaled dot-product attention (Vaswani et al. 2017) of one head: softmax(Q K^T / sqrt(d)) V,
// without a mask. Q, K and V have a position per row and d columns; dimension 0 is the column.
//
//   query, key ─► scores ─┬─► greatest ─┬─► exponential ─┬─► total ─► weights ─┬─► sum ─► output
//                         └─────────────┘                └───────────▲         │
//                                                                     value ───┘
#include <Halide.h>

#include "../common/reduce_in_block.h"

namespace {

using namespace Halide;

class Attention : public Generator<Attention> {
public:
    GeneratorParam<int> positions{"positions", 2048, 1, 1 << 20};  // that it is scheduled for
    // The limit is what the expert's schedule has threads for.
    GeneratorParam<int> head{"head", 64, 4, 256};  // columns, d
    GeneratorParam<bool> manual{"manual", false};  // use the expert's GPU schedule

    Input<Buffer<float, 2>> query{"query"};
    Input<Buffer<float, 2>> key{"key"};
    Input<Buffer<float, 2>> value{"value"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        d_ = RDom(0, head, "d");
        r_ = RDom(0, key.dim(1).extent(), "r");
        scores_(j, i) = 0.0f;
        scores_(j, i) += query(d_, i) * key(d_, j);
        greatest_(i) = Float(32).min();
        greatest_(i) = max(greatest_(i), scores_(r_, i));
        const float scale = 1.0f / std::sqrt(static_cast<float>(head));
        exponential_(j, i) = exp((scores_(j, i) - greatest_(i)) * scale);
        total_(i) += exponential_(r_, i);
        weights_(j, i) = exponential_(j, i) / total_(i);
        sum_(x, i) += weights_(r_, i) * value(x, r_);
        output(x, i) = sum_(x, i);

        for (auto *matrix : {&query, &key, &value}) {
            matrix->dim(0).set_bounds(0, head);
            matrix->dim(1).set_min(0);
            matrix->set_estimates({{0, head}, {0, positions}});
        }
        output.dim(0).set_bounds(0, head);
        output.dim(1).set_min(0);
        output.set_estimates({{0, head}, {0, positions}});
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    // All of a row of the output at a time; the lanes are positions, then columns.
    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        output.parallel(i).vectorize(x, lanes, TailStrategy::GuardWithIf);
        sum_.compute_at(output, i).vectorize(x, lanes);
        sum_.update().reorder(x, r_).vectorize(x, lanes, TailStrategy::GuardWithIf);
        weights_.compute_at(output, i).vectorize(j, lanes);
        exponential_.compute_at(output, i).vectorize(j, lanes);
        scores_.compute_at(output, i).vectorize(j, lanes).update().vectorize(
            j, lanes, TailStrategy::GuardWithIf);
        for (Func f : {greatest_, total_}) f.compute_at(output, i);
    }

    void schedule_by_hand() {
        score_by_hand();

        // Softmax: a block has a row, whose scores come from the L1 cache after the first time.
        Var jo{"jo"}, jt{"jt"};
        weights_.compute_root()
            .bound(j, 0, key.dim(1).extent())
            .align_storage(j, 4)
            .split(j, jo, jt, kThreads, TailStrategy::GuardWithIf)
            .reorder(jo, jt, i)
            .gpu_blocks(i)
            .gpu_threads(jt);
        for (Func f : {greatest_, total_}) {
            autoschedule_gpu::kernels::reduce_in_block(
                f, r_, {.consumer = weights_, .block = i, .threads = kThreads});
        }

        sum_by_hand();
    }

    // Copies of both matrices with positions side by side, then a product: each thread sums eight
    // queries by four keys in registers, from three loads of 16 bytes per column.
    void score_by_hand() {
        Var jo{"jo"}, ji{"ji"}, jt{"jt"}, io{"io"}, ii{"ii"}, it{"it"};
        const Expr keys = key.dim(1).extent(), queries = query.dim(1).extent();
        const Expr large = keys >= 128 && queries >= 64;
        scores_.in().compute_root().bound(j, 0, keys).bound(i, 0, queries).align_storage(j, 4);
        for (const Expr &condition : {large && keys % 4 == 0 && queries % 4 == 0, large}) {
            scores_.in()
                .specialize(condition)
                .tile(j, i, jo, io, ji, ii, 128, 64, TailStrategy::ShiftInwards)
                .split(ji, jt, ji, 4)
                .split(ii, it, ii, 8)
                .reorder(ji, ii, jt, it, jo, io)
                .vectorize(ji)
                .unroll(ii)
                .gpu_blocks(jo, io)
                .gpu_threads(jt, it);
        }
        scores_.in()
            .tile(j, i, jo, io, jt, it, 32, 8, TailStrategy::GuardWithIf)
            .gpu_blocks(jo, io)
            .gpu_threads(jt, it);
        scores_.compute_at(scores_.in(), jt).vectorize(j).unroll(i);
        scores_.update().reorder(j, i, d_).vectorize(j).unroll(i);

        for (auto *matrix : {&query, &key}) {
            Func turned = matrix->in(scores_);
            Var column = turned.args()[0], row = turned.args()[1];
            Var co{"co"}, ci{"ci"}, ro{"ro"}, ri{"ri"};
            turned.compute_root()
                .bound(row, 0, matrix == &key ? keys : queries)
                .reorder_storage(row, column)
                .align_storage(row, 4)
                .tile(column, row, co, ro, ci, ri, 8, 32, TailStrategy::GuardWithIf)
                .gpu_blocks(co, ro)
                .gpu_threads(ri, ci);
            turned.in(scores_)
                .compute_at(scores_, d_)
                .store_in(MemoryType::Register)
                .vectorize(row, 4, TailStrategy::GuardWithIf)
                .unroll(row);
        }
    }

    // The output has too few elements to occupy a GPU, so that threads sum over 256 positions
    // only, four rows by four columns in registers; a last kernel sums these parts. Each thread
    // reads four positions of a row of weights at once.
    void sum_by_hand() {
        Var part{"part"}, xi{"xi"}, xt{"xt"}, io{"io"}, ii{"ii"}, it{"it"};
        RVar chunk{"chunk"}, within{"within"};
        sum_.update().split(r_, chunk, within, kChunk, TailStrategy::GuardWithIf);
        Func parts = sum_.update().rfactor(chunk, part);
        Func stored = parts.in(sum_);
        stored.compute_root().bound(x, 0, head);
        // Whole chunks, which need no guards; the compiler sees it from this form.
        const Expr keys = key.dim(1).extent();
        const Expr whole = keys == keys / kChunk * kChunk && value.dim(1).stride() % 4 == 0;
        const Expr large = output.dim(1).extent() >= 64;
        for (const Expr &condition : {whole && large, large}) {
            stored.specialize(condition)
                .split(i, io, ii, 64, TailStrategy::ShiftInwards)
                .split(ii, it, ii, 4)
                .split(x, xt, xi, 4)
                .reorder(xi, ii, xt, it, io, part)
                .vectorize(xi)
                .unroll(ii)
                .gpu_blocks(io, part)
                .gpu_threads(xt, it);
        }
        stored.split(x, xt, xi, 4)
            .split(i, io, it, 16, TailStrategy::GuardWithIf)
            .reorder(xi, xt, it, io, part)
            .vectorize(xi)
            .gpu_blocks(io, part)
            .gpu_threads(xt, it);
        parts.compute_at(stored, xt).vectorize(x).unroll(i);
        multiply(parts.update().specialize(whole), within, 4);
        multiply(parts.update(), within, 1);
        Func four = weights_.in(parts);
        four.compute_at(parts, RVar("ro"))
            .store_in(MemoryType::Register)
            .vectorize(four.args()[0])
            .unroll(four.args()[1]);

        output.split(i, io, it, 4, TailStrategy::GuardWithIf).gpu_blocks(io).gpu_threads(x, it);
        sum_.compute_at(output, x).update().unroll(chunk, 8, TailStrategy::GuardWithIf);
    }

    void multiply(Stage update, const RVar &r, int steps) {
        RVar ro{"ro"}, ri{"ri"};
        update.split(r, ro, ri, steps, TailStrategy::GuardWithIf)
            .reorder(x, i, ri, ro)
            .vectorize(x)
            .unroll(i)
            .unroll(ri);
    }

    static constexpr int kThreads = 256;  // of a block, by hand
    static constexpr int kChunk = 256;    // positions that a thread sums over, by hand

    Var x{"x"}, i{"i"}, j{"j"};  // column, query, key
    RDom d_, r_;
    Func scores_{"scores"}, greatest_{"greatest"}, exponential_{"exponential"}, total_{"total"};
    Func weights_{"weights"}, sum_{"sum"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Attention, attention)
