// Maximum filter over a disc, one chord at a time (Urbach & Wilkinson 2008). The maximum of a
// window of 2^k pixels is that of two windows half as high, so a few steps give the maxima of all
// vertical windows whose height is a power of two. Any other window is covered by two of those that
// overlap. The disc is a row of such windows, its vertical chords; those that are made from the
// same power of two form a slice of the disc.
//
//   input ─► padded ─► span_2 ─► span_4 ─► … ─► span_32
//                        │         │               │
//                        ▼         ▼               ▼
//            reach ─► slice_2   slice_4    …    slice_32 ─► output
//
// A slice that has no chords does not exist: with the default radius there are 8, 16 and 32.
#include <Halide.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace Halide;

class MaxFilter : public Generator<MaxFilter> {
public:
    // The limit is what the expert's schedule has shared memory for.
    GeneratorParam<int> radius{"radius", 26, 1, 30};         // of the disc, in pixels
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};    // that it is scheduled for,
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};  // in pixels
    GeneratorParam<bool> manual{"manual", false};            // use the expert's GPU schedule

    Input<Buffer<float, 3>> input{"input"};  // x, y, channel
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        padded_ =
            BoundaryConditions::repeat_edge(input, {{input.dim(0).min(), input.dim(0).extent()},
                                                    {input.dim(1).min(), input.dim(1).extent()},
                                                    {Expr(), Expr()}});
        slices_ = slices_of_disc();
        span_[1] = padded_;
        for (int rows = 2; rows <= slices_.front().span; rows *= 2) {
            const Func half = span_[rows / 2];
            span_[rows] = Func("span_" + std::to_string(rows));
            span_[rows](x, y, c) = max(half(x, y, c), half(x, y + rows / 2, c));
        }

        std::vector<Expr> reaches;
        for (const Slice &slice : slices_) {
            for (int reach : slice.reaches) reaches.push_back(reach);
        }
        Var distance{"distance"};
        reach_(distance) = mux(distance, reaches);

        Expr highest = Float(32).min();
        for (Slice &slice : slices_) {
            define(slice);
            highest = max(highest, slice.maximum(x, y, c));
        }
        output(x, y, c) = highest;

        input.dim(2).set_bounds(0, 3);
        output.dim(2).set_bounds(0, 3);
        input.set_estimates({{0, width}, {0, height}, {0, 3}});
        output.set_estimates({{0, width}, {0, height}, {0, 3}});
    }

    void schedule() {
        if (manual) {
            schedule_by_hand();
        } else if (!using_autoscheduler()) {
            schedule_for_cpu();
        }
    }

private:
    // The chords that two spans of this height cover. A chord is as far from the disc's middle
    // column as its mirror image, and reaches as many pixels up from the middle row as down. The
    // nearest chord of a slice is its longest.
    struct Slice {
        int span;                       // height of the spans
        int nearest;                    // distance of the first chord
        std::vector<int> reaches = {};  // of the chords at distances nearest, nearest + 1, …
        RDom distance = {};
        Func maximum = {};
    };

    // From the middle outwards. All pixels whose distance from the middle is less than
    // radius + 1/2 are in the disc.
    std::vector<Slice> slices_of_disc() const {
        const int r = radius;
        std::vector<Slice> slices;
        for (int distance = 0; distance <= r; distance++) {
            int reach = 0;
            while (distance * distance + (reach + 1) * (reach + 1) <= r * (r + 1)) reach++;
            int span = 1;
            while (2 * span <= 2 * reach + 1) span *= 2;
            if (slices.empty() || slices.back().span != span) slices.push_back({span, distance});
            slices.back().reaches.push_back(reach);
        }
        return slices;
    }

    void define(Slice &slice) {
        const std::string name = "slice_" + std::to_string(slice.span);
        slice.distance = RDom(slice.nearest, (int)slice.reaches.size(), name + "_distance");
        slice.maximum = Func(name);

        const Expr reach =
            clamp(reach_(slice.distance), slice.reaches.back(), slice.reaches.front());
        const auto chord = [&](const Expr &column) {
            const Func &span = span_[slice.span];
            return max(span(column, y - reach, c), span(column, y + reach + 1 - slice.span, c));
        };
        slice.maximum(x, y, c) = Float(32).min();
        slice.maximum(x, y, c) = max(slice.maximum(x, y, c), max(chord(x - slice.distance),  //
                                                                 chord(x + slice.distance)));
    }

    void schedule_for_cpu() {
        const int lanes = natural_vector_size<float>();
        Var yo{"yo"}, yi{"yi"}, strip{"strip"};
        output.split(y, yo, yi, 32, TailStrategy::GuardWithIf)
            .reorder(x, yi, yo, c)
            .fuse(yo, c, strip)
            .vectorize(x, lanes, TailStrategy::GuardWithIf)
            .parallel(strip);
        for (auto &[rows, span] : span_) {
            span.compute_at(output, strip).vectorize(span.args()[0], lanes);
        }
        for (Slice &slice : slices_) {
            slice.maximum.compute_at(output, yi).vectorize(x, lanes);
            slice.maximum.update().reorder(x, slice.distance, y, c).vectorize(x, lanes);
        }
        reach_.compute_root();
    }

    // Two kernels, with the second highest spans between them. For the default radius those are the
    // spans of 16, from which spans of 32 are made where the widest slice is computed. It is right
    // for every radius, but good only where that slice has most of the chords.
    void schedule_by_hand() {
        const int highest = slices_.front().span;
        if (highest > 2) root_by_hand(span_[highest / 2]);
        filter_by_hand();
    }

    // All lower spans of a run of rows live in one thread's registers: they are inlined, and the
    // compiler finds what the rows of the unrolled run have in common. One trip through memory.
    void root_by_hand(Func span) {
        constexpr int kThreadsX = 64, kThreadsY = 4, kRowsPerThread = 16;
        Var xo{"xo"}, xt{"xt"}, yo{"yo"}, yt{"yt"}, yu{"yu"};
        span.compute_root()
            .split(x, xo, xt, kThreadsX, TailStrategy::RoundUp)
            .split(y, yt, yu, kRowsPerThread, TailStrategy::RoundUp)
            .split(yt, yo, yt, kThreadsY, TailStrategy::GuardWithIf)
            .reorder(yu, xt, yt, xo, yo, c)
            .unroll(yu)
            .never_partition_all()
            .gpu_blocks(xo, yo, c)
            .gpu_threads(xt, yt);
    }

    // The highest spans are in shared memory, and the widest slice, which has most of the work, is
    // computed from there by threads that own 3 x 4 pixels. With the distance as the outermost
    // loop, all unrolled, the reaches are constants, and one load serves every pixel of the thread
    // whose chord begins or ends there: 35 loads per pixel instead of 86. Threads that are three
    // columns apart read from different banks. The slice goes through shared memory once more, so
    // that the output and the narrow slices, read from global memory, have neighbouring threads at
    // neighbouring pixels.
    void filter_by_hand() {
        constexpr int kThreadsX = 32, kThreadsY = 8, kColumnsPerThread = 3, kRowsPerThread = 4;
        constexpr int kWidth = kThreadsX * kColumnsPerThread, kHeight = kThreadsY * kRowsPerThread;
        Var xo{"xo"}, xi{"xi"}, xt{"xt"}, xu{"xu"}, yo{"yo"}, yi{"yi"}, yt{"yt"}, yu{"yu"};

        output.tile(x, y, xo, yo, xi, yi, kWidth, kHeight, TailStrategy::GuardWithIf)
            .split(xi, xu, xt, kThreadsX)
            .split(yi, yt, yu, kRowsPerThread)
            .reorder(yu, xu, xt, yt, xo, yo, c)
            .unroll(yu)
            .unroll(xu)  // in a loop, the rows' addresses would be kept in registers, and spilled
            .never_partition_all()
            .gpu_blocks(xo, yo, c)
            .gpu_threads(xt, yt);
        for (size_t i = 1; i < slices_.size(); i++) {
            in_registers(slices_[i], output, xu, 1, kRowsPerThread);
        }

        Slice &first = slices_.front();
        Func staged = first.maximum.in(output);
        staged.compute_at(output, xo)
            .bound_extent(x, kWidth)
            .bound_extent(y, kHeight)
            .split(x, xt, xu, kColumnsPerThread)
            .split(y, yt, yu, kRowsPerThread)
            .reorder(xu, yu, xt, yt)
            .unroll(xu)
            .unroll(yu)
            .gpu_threads(xt, yt);
        in_registers(first, staged, xt, kColumnsPerThread, kRowsPerThread);

        // What the chords read, from the longest one's first row to the last that a second span
        // starts at.
        const int longest = first.reaches.front(), shortest = first.reaches.back();
        const int last_chord = first.nearest + (int)first.reaches.size() - 1;
        span_[first.span]
            .compute_at(output, xo)
            .bound_extent(x, kWidth + 2 * last_chord)
            .bound_extent(y, kHeight + longest + std::max(-shortest, longest + 1 - first.span))
            .split(x, xu, xt, kThreadsX)
            .split(y, yu, yt, kThreadsY)
            .reorder(xu, yu, xt, yt)
            .gpu_threads(xt, yt);
    }

    void in_registers(Slice &slice, Func at, Var level, int columns, int rows) {
        slice.maximum.compute_at(at, level)
            .bound_extent(x, columns)
            .bound_extent(y, rows)
            .unroll(x)
            .unroll(y);
        slice.maximum.update()
            .reorder(x, y, slice.distance, c)
            .unroll(x)
            .unroll(y)
            .unroll(slice.distance);
    }

    Var x{"x"}, y{"y"}, c{"c"};
    Func padded_{"padded"}, reach_{"reach"};
    std::map<int, Func> span_;  // by height; that of 1 is the padded input
    std::vector<Slice> slices_;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(MaxFilter, max_filter)
