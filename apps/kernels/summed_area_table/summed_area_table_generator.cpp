// Summed-area table (Crow 1984): output(x, y) is the sum of all pixels left of and above (x, y),
// with those in its own row and column.
//
// The algorithm itself is blocked (after Nehab et al. 2011), because chains of additions through
// whole rows could not be shared out by any schedule: strips of 32 pixels are scanned, s(i) =
// s(i - 1) + value, and so are the sums of all strips of a row; then the same down the columns.
//
//   input ─┬─► across ─────────┬─► rows ─┬─► down ────────────────────────┬─► output
//          └─► row_strip ─► row_offset   └─► column_strip ─► column_offset ┘
#include <Halide.h>

namespace {

using namespace Halide;

constexpr int kStrip = 32;  // pixels

class SummedAreaTable : public Generator<SummedAreaTable> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<int32_t, 2>> output{"output"};

    void generate() {
        const Expr columns = input.dim(0).extent(), rows = input.dim(1).extent();
        // Beyond the last strip's end there are zeros.
        auto pixel = [&](const Expr &px, const Expr &py) {
            return select(px < columns, cast<int>(input(clamp(px, 0, columns - 1), py)), 0);
        };
        in_strip_ = RDom(0, kStrip, "in_strip");
        step_ = RDom(1, kStrip - 1, "step");

        row_strip_(s, y) = 0;
        row_strip_(s, y) += pixel(s * kStrip + in_strip_, y);
        row_step_ = RDom(1, (columns + kStrip - 1) / kStrip, "row_step");
        row_offset_(s, y) = 0;
        row_offset_(row_step_, y) = row_offset_(row_step_ - 1, y) + row_strip_(row_step_ - 1, y);
        across_(i, y, s) = pixel(s * kStrip + i, y);
        across_(step_, y, s) += across_(step_ - 1, y, s);
        rows_(x, y) = across_(x % kStrip, y, x / kStrip) + row_offset_(x / kStrip, y);

        auto row = [&](const Expr &py) {
            return select(py < rows, rows_(x, clamp(py, 0, rows - 1)), 0);
        };
        column_strip_(x, s) = 0;
        column_strip_(x, s) += row(s * kStrip + in_strip_);
        column_step_ = RDom(1, (rows + kStrip - 1) / kStrip, "column_step");
        column_offset_(x, s) = 0;
        column_offset_(x, column_step_) =
            column_offset_(x, column_step_ - 1) + column_strip_(x, column_step_ - 1);
        down_(x, i, s) = row(s * kStrip + i);
        down_(x, step_, s) += down_(x, step_ - 1, s);
        output(x, y) = down_(x, y % kStrip, y / kStrip) + column_offset_(x, y / kStrip);

        for (int d : {0, 1}) {
            input.dim(d).set_min(0);
            output.dim(d).set_min(0);
        }
        input.set_estimates({{0, width}, {0, height}});
        output.set_estimates({{0, width}, {0, height}});
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    void schedule_for_cpu() {
        for (Func f : {row_strip_, row_offset_, across_, rows_}) {
            f.compute_root().parallel(y, 16, TailStrategy::GuardWithIf);
        }
        for (Func f : {row_strip_, row_offset_, across_}) {
            f.update().parallel(y, 16, TailStrategy::GuardWithIf);
        }
        for (Func f : {column_strip_, down_}) {
            f.compute_root().parallel(s).update().parallel(s);
        }
        column_strip_.update().reorder(x, in_strip_);
        down_.update().reorder(x, step_);
        column_offset_.compute_root();
        output.parallel(y, kStrip, TailStrategy::GuardWithIf);
    }

    // Kernels over the image: sums of strips of rows, sums of strips of columns and the output. The
    // latter two compute what they need of `rows` in a tile of 128x32, from bytes, because to write
    // and read the 32-bit sums of a whole image would take longer.
    void schedule_by_hand() {
        Var so{"so"}, st{"st"}, yo{"yo"}, yt{"yt"}, xo{"xo"}, xt{"xt"}, yi{"yi"};
        Func row_strips = row_strip_.in();
        row_strips.compute_root()
            .tile(s, y, so, yo, st, yt, 8, 32, TailStrategy::GuardWithIf)
            .gpu_blocks(so, yo)
            .gpu_threads(st, yt);
        row_strip_.compute_at(row_strips, st).update().unroll(in_strip_, 8);

        // Chains of additions, one per row or column.
        row_offset_.compute_root().reorder_storage(y, s).gpu_tile(y, s, yo, so, yt, st, 32, 8,
                                                                  TailStrategy::GuardWithIf);
        row_offset_.update()
            .split(y, yo, yt, 32, TailStrategy::GuardWithIf)
            .reorder(row_step_, yt, yo)
            .unroll(row_step_, 8)
            .gpu_blocks(yo)
            .gpu_threads(yt);
        column_offset_.compute_root().gpu_tile(x, s, xo, so, xt, st, 32, 8,
                                               TailStrategy::GuardWithIf);
        column_offset_.update()
            .split(x, xo, xt, 32, TailStrategy::GuardWithIf)
            .reorder(column_step_, xt, xo)
            .unroll(column_step_, 8)
            .gpu_blocks(xo)
            .gpu_threads(xt);

        // Each has tiles of its own.
        Func rows_of_sums = rows_.clone_in(column_strip_);
        Func across_of_sums = across_.clone_in(rows_of_sums);
        Func column_strips = column_strip_.in();
        column_strips.compute_root()
            .split(x, xo, xt, kStrips * kStrip, TailStrategy::GuardWithIf)
            .gpu_blocks(xo, s)
            .gpu_threads(xt);
        column_strip_.compute_at(column_strips, xt).update().unroll(in_strip_);
        scan_rows_by_hand(across_of_sums, column_strips, xo);

        output.split(x, xo, xt, kStrips * kStrip, TailStrategy::GuardWithIf)
            .split(y, yo, yi, kStrip, TailStrategy::GuardWithIf)
            .split(yi, yi, yt, kRows)
            .reorder(yi, xt, yt, xo, yo)
            .unroll(yi, 4)
            .gpu_blocks(xo, yo)
            .gpu_threads(xt, yt);
        down_.compute_at(output, xo)
            .bound_extent(x, kStrips * kStrip)
            .bound_extent(i, kStrip)
            .bound_extent(s, 1)
            .split(i, yi, yt, kRows)
            .reorder(yi, x, yt)
            .unroll(yi, 4)
            .gpu_threads(x, yt);
        down_.update().reorder(step_, x, s).unroll(step_).gpu_threads(x, s);
        scan_rows_by_hand(across_, output, xo);
    }

    // In shared memory, a row of a strip per thread; rows are 33 values apart, in different banks.
    void scan_rows_by_hand(Func across, Func consumer, const Var &block) {
        const Var ai = across.args()[0], ay = across.args()[1], as = across.args()[2];
        Var yo{"ay_o"}, yt{"ay_t"}, at{"at"};
        across.compute_at(consumer, block)
            .bound_extent(ai, kStrip)
            .bound_extent(as, kStrips)
            .bound_storage(ay, kStrip)
            .align_storage(ai, kStrip + 1)
            .split(ay, yo, yt, kRows, TailStrategy::GuardWithIf)
            .reorder(yo, ai, as, yt)
            .fuse(ai, as, at)
            .gpu_threads(at, yt);
        across.update()
            .split(ay, yo, yt, kStrip, TailStrategy::GuardWithIf)
            .reorder(step_, yo, yt, as)
            .fuse(yt, as, at)
            .unroll(step_)
            .gpu_threads(at);
    }

    // By hand, a block has a tile of so many strips side by side, and threads for so many rows.
    static constexpr int kStrips = 4, kRows = 2;

    Var x{"x"}, y{"y"}, i{"i"}, s{"s"};
    RDom in_strip_, step_, row_step_, column_step_;
    Func row_strip_{"row_strip"}, row_offset_{"row_offset"}, across_{"across"}, rows_{"rows"};
    Func column_strip_{"column_strip"}, column_offset_{"column_offset"}, down_{"down"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(SummedAreaTable, summed_area_table)
