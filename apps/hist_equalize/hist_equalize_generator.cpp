// Histogram equalisation of a colour image (Gonzalez & Woods, "Digital Image Processing", global
// equalisation): the luma of every pixel is replaced by its rank among all pixels, as a share of
// 255, and the chroma is kept. Luma and chroma are those of JFIF (ITU-T T.871, from BT.601), in
// fixed point, so that all devices agree exactly.
//
//   input ─┬─► luma ─┬─► row_histogram ─► histogram ─► cumulative ─► lookup ─► equalised ─► output
//          │         └───────────────────────────────────────────────────────────▲            ▲
//          └─► blue_chroma, red_chroma ───────────────────────────────────────────────────────┘
#include <Halide.h>

namespace {

using namespace Halide;

constexpr int kBins = 256;

class HistEqualize : public Generator<HistEqualize> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<uint8_t, 3>> input{"input"};  // x, y, channel
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        luma_(x, y) = cast<uint8_t>(fixed_point(77, 150, 29));
        blue_chroma_(x, y) = cast<int16_t>(fixed_point(-43, -85, 128));
        red_chroma_(x, y) = cast<int16_t>(fixed_point(128, -107, -21));

        // Rows are counted apart, then summed, so that there is something to do in parallel.
        column_ = RDom(input.dim(0).min(), input.dim(0).extent(), "column");
        row_histogram_(v, y) = cast<uint32_t>(0);
        row_histogram_(cast<int>(luma_(column_, y)), y) += cast<uint32_t>(1);

        row_ = RDom(input.dim(1).min(), input.dim(1).extent(), "row");
        histogram_(v) = cast<uint32_t>(0);
        histogram_(v) += row_histogram_(v, row_);

        level_ = RDom(1, kBins - 1, "level");
        cumulative_(v) = histogram_(v);
        cumulative_(level_) += cumulative_(level_ - 1);

        // 64 bits, because 255 times the pixels of a large image would overflow 32.
        Expr pixels = cast<uint64_t>(input.dim(0).extent()) * cast<uint64_t>(input.dim(1).extent());
        lookup_(v) = cast<uint8_t>((cast<uint64_t>(cumulative_(v)) * 255 + pixels / 2) / pixels);

        equalised_(x, y) = lookup_(cast<int>(luma_(x, y)));
        Expr blue = cast<int>(blue_chroma_(x, y)), red = cast<int>(red_chroma_(x, y));
        Expr shift = mux(c, {359 * red, -88 * blue - 183 * red, 454 * blue});
        output(x, y, c) =
            cast<uint8_t>(clamp(cast<int>(equalised_(x, y)) + ((shift + 128) >> 8), 0, 255));

        set_estimates_and_layout();
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
        const int lanes = natural_vector_size<uint8_t>();
        row_histogram_.compute_root().vectorize(v, lanes).parallel(y, 16, guarded);
        row_histogram_.update().parallel(y, 16, guarded);
        luma_.compute_root().vectorize(x, lanes, guarded).parallel(y, 16, guarded);
        histogram_.compute_root().vectorize(v, lanes);
        histogram_.update().reorder(v, row_).vectorize(v, lanes);
        cumulative_.compute_root();
        lookup_.compute_root();
        output.bound(c, 0, 3)
            .reorder(c, x, y)
            .unroll(c)
            .vectorize(x, lanes, guarded)
            .parallel(y, 16, guarded);
    }

    void schedule_by_hand() {
        count_by_hand();

        // A kernel of one block. The scan is a chain of additions that one thread runs: from global
        // memory, each would wait for a load, so the bins come to shared memory first and the loop
        // is unrolled, which leaves the running sum in a register. `once` has one iteration: with
        // it on a thread, the whole loop is inside and needs no barriers.
        Var vo{"vo"}, vi{"vi"}, zo{"zo"}, zi{"zi"};
        lookup_.compute_root().bound(v, 0, kBins).gpu_tile(v, vo, vi, kBins, exact);
        cumulative_.compute_at(lookup_, vo).split(v, zo, zi, kBins, exact).gpu_threads(zi);
        RVar once{"once"}, rest{"rest"}, lo{"lo"}, li{"li"};
        cumulative_.update()
            .allow_race_conditions()
            .split(level_, once, rest, kBins - 1)
            .split(rest, lo, li, 17)
            .unroll(li)
            .gpu_threads(once);

        // One pixel of three channels per thread: the rank and both chroma values are found once.
        // Neighbours read neighbouring bytes, and the table of 256 bytes stays in the L1 cache.
        Var xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
        output.bound(c, 0, 3)
            .tile(x, y, xo, yo, xi, yi, 64, 8, guarded)
            .reorder(c, xi, yi, xo, yo)
            .unroll(c)
            .gpu_blocks(xo, yo)
            .gpu_threads(xi, yi);
        for (Func f : {equalised_, blue_chroma_, red_chroma_}) f.compute_at(output, xi);
    }

    // A block counts eight rows, each in 256 bins of its own in shared memory, where two warps
    // meet; then its threads sum the eight and add that to the global bins, which only blocks meet
    // at. Luma is computed anew from the input, which costs less than storing and loading it.
    void count_by_hand() {
        const int rows = 8, lanes = 64;
        Var va{"va"};
        histogram_.compute_root().bound(v, 0, kBins).gpu_tile(v, va, kBins, exact);

        RVar strip{"strip"}, row{"row"};
        Var s{"s"}, vo{"vo"}, vi{"vi"};
        histogram_.update().split(row_, strip, row, rows, guarded);
        Func sum = histogram_.update().rfactor(strip, s);
        histogram_.update()
            .split(v, vo, vi, lanes, guarded)
            .reorder(vi, vo, strip)
            .atomic()
            .gpu_blocks(strip)
            .gpu_threads(vi, vo);
        sum.compute_at(histogram_, vi);
        sum.update().unroll(row);

        Var zo{"zo"}, zi{"zi"}, yo{"yo"}, yi{"yi"}, uo{"uo"}, ui{"ui"};
        RVar co{"co"}, ci{"ci"};
        row_histogram_.compute_at(histogram_, strip)
            .bound_storage(y, rows)
            .split(v, zo, zi, lanes, exact)
            .split(y, yo, yi, rows, guarded)
            .reorder(zo, zi, yi, yo)
            .unroll(zo)
            .gpu_threads(zi, yi);
        row_histogram_.update()
            .split(column_, co, ci, lanes, guarded)
            .split(y, uo, ui, rows, guarded)
            .reorder(co, ci, ui, uo)
            .atomic()
            .gpu_threads(ci, ui);
    }

    // A weighted sum of red, green and blue in 256ths, rounded.
    Expr fixed_point(int red, int green, int blue) {
        auto channel = [&](int index) { return cast<int>(input(x, y, index)); };
        return (red * channel(0) + green * channel(1) + blue * channel(2) + 128) >> 8;
    }

    void set_estimates_and_layout() {
        input.dim(2).set_bounds(0, 3);
        output.dim(2).set_bounds(0, 3);
        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    static constexpr TailStrategy guarded = TailStrategy::GuardWithIf;
    static constexpr TailStrategy exact = TailStrategy::RoundUp;  // extents are multiples

    Var x{"x"}, y{"y"}, c{"c"}, v{"v"};
    RDom column_, row_, level_;
    Func luma_{"luma"}, blue_chroma_{"blue_chroma"}, red_chroma_{"red_chroma"};
    Func row_histogram_{"row_histogram"}, histogram_{"histogram"}, cumulative_{"cumulative"};
    Func lookup_{"lookup"}, equalised_{"equalised"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(HistEqualize, hist_equalize)
