#include "pipelines/tricky_pipelines.h"

#include <array>
#include <iterator>
#include <string>

#include "core/support/random.h"
#include "pipelines/odd_pipelines.h"

namespace autoschedule_gpu::testing {

using Halide::cast;
using Halide::clamp;
using Halide::Expr;
using Halide::Func;
using Halide::Int;
using Halide::Param;
using Halide::RDom;
using Halide::select;
using Halide::Tuple;
using Halide::UInt;
using Halide::Var;

namespace {

const Var x("x"), y("y"), i("i");

// Results stay small and positive, so that they may be indices and nothing overflows.
constexpr int kMask = 1023;
Expr bounded(const Expr &value) {
    return value & kMask;
}

// Coordinates of what covers a fixed region, as reductions do.
constexpr int kWidth = 57, kHeight = 31;
Expr column(const Expr &e) {
    return clamp(e, 0, kWidth - 1);
}
Expr row(const Expr &e) {
    return clamp(e, 0, kHeight - 1);
}

// Halide takes no bounds of most masks; where a Func at root is read, it wants some.
Expr masked(const Expr &e, int mask) {
    return clamp(e & mask, 0, mask);
}

class Draw {
public:
    explicit Draw(uint64_t seed) : random_(seed) {}

    int between(int lo, int hi) { return static_cast<int>(random_.between(lo, hi)); }
    bool chance(int percent) { return between(0, 99) < percent; }

    Func func() { return Func("f" + std::to_string(funcs_++)); }

    // Between lo and hi, most often with an estimate, which it need not keep to.
    Expr parameter(int lo, int hi) {
        Param<int> param("p" + std::to_string(params_++));
        param.set(between(lo, hi));
        if (chance(70)) param.set_estimate(between(lo, hi));
        return param;
    }

    // What a user does by hand, and keeps Halide's own loops of a CPU for the reference.
    void by_hand(std::function<void()> directive) { hand_.push_back(std::move(directive)); }
    std::vector<std::function<void()>> take_hand() { return std::move(hand_); }

private:
    Random random_;
    int funcs_ = 0, params_ = 0;
    std::vector<std::function<void()>> hand_;
};

// Each makes a Func of (x, y) from another one.

Func transposed(Draw &draw, Func in) {
    Func f = draw.func();
    f(x, y) = bounded(in(x, y) + in(y, x) * 3 + in(y + draw.between(-2, 2), x));
    return f;
}

Func masked_index(Draw &draw, Func in) {
    Func f = draw.func();
    const Expr hash = cast<uint32_t>(x) * Expr(2654435761u) ^ cast<uint32_t>(y) * Expr(40503u);
    const std::array<Expr, 4> columns = {masked(x ^ 5, 63), masked((x << 1) | 1, 31),
                                         masked(cast<int>(hash), 127), cast<int>(hash % Expr(61u))};
    f(x, y) = bounded(in(columns[draw.between(0, 3)], y) + in(masked(x, 15), row(y)));
    return f;
}

Func scaled_by_a_float(Draw &draw, Func in) {
    Func f = draw.func();
    const std::array<float, 4> scales = {0.37f, 0.5f, 1.3f, 2.0f};
    const float scale = scales[draw.between(0, 3)];
    const auto scaled = [&](const Expr &e) { return cast<int>(floor(cast<float>(e) * scale)); };
    f(x, y) = bounded(in(scaled(x), scaled(y)) + in(scaled(x) + 1, scaled(y) + 1));
    return f;
}

Func divided_by_a_parameter(Draw &draw, Func in) {
    Func f = draw.func();
    const Expr p = draw.parameter(1, 5);
    f(x, y) = bounded(in(x / p, y) + in(x / p + 1, y) + in(x / p, y + 1));
    return f;
}

Func multiplied_by_a_parameter(Draw &draw, Func in) {
    Func f = draw.func();
    const Expr p = draw.parameter(1, 9);
    f(x, y) = bounded(in(x * p / 4, y * p / 4) + in(x * p / 4 + 1, y * p / 4 + 1));
    return f;
}

Func shifted_by_a_parameter(Draw &draw, Func in) {
    Func f = draw.func();
    const Expr p = draw.parameter(-40, 40);
    f(x, y) = bounded(in(x, y) + in(x + p, y) + in(x, y + p));
    return f;
}

Func counted_bits(Draw &draw, Func in) {
    Func f = draw.func();
    const Expr value = cast<uint16_t>(in(x, y) | 1);
    const std::array<Expr, 3> counts = {Halide::popcount(value), Halide::count_leading_zeros(value),
                                        Halide::count_trailing_zeros(value)};
    f(x, y) = bounded(in(x + 1, y) + cast<int>(counts[draw.between(0, 2)]));
    return f;
}

Func booleans(Draw &draw, Func in) {
    Func less = draw.func(), both = draw.func(), f = draw.func();
    less(x, y) = in(x, y) < in(x + 1, y);
    both(x, y) = draw.chance(50) ? ~less(x, y) : less(x, y) && !less(x, y + 1);
    f(x, y) = bounded(select(both(x, y) ^ less(x + 1, y), in(x, y), in(x, y + 1)));
    return f;
}

Func short_floats(Draw &draw, Func in) {
    Func narrow = draw.func(), f = draw.func();
    const Halide::Type type = draw.chance(50) ? Halide::Float(16) : Halide::BFloat(16);
    narrow(x, y) = cast(type, cast<float>(in(x, y) & 127));
    f(x, y) = bounded(cast<int>(cast<float>(narrow(x, y))) + in(x - 1, y));
    return f;
}

Func asynchronous(Draw &draw, Func in) {
    Func made = draw.func(), f = draw.func();
    made(x, y) = in(x, y) * 3;
    made.async();
    f(x, y) = bounded(made(x, y) + made(x, y + 1));
    return f;
}

Func memoized(Draw &draw, Func in) {
    Func table = draw.func(), f = draw.func();
    table(i) = (i * i) & 255;
    table.memoize();
    f(x, y) = bounded(in(x, y) + table(masked(in(x, y), 63)));
    return f;
}

Func indexed_through_several(Draw &draw, Func in) {
    Func at = draw.func(), next = draw.func(), f = draw.func();
    at(x, y) = clamp(in(x, y), 0, kWidth - 1);
    next(x, y) = at(x, y) + 1;
    f(x, y) = bounded(in(clamp(next(x + 1, y), 0, kWidth), y) +
                      in(clamp(at(x, y) / 2, 0, kWidth), y + 1));
    return f;
}

Func gathered_from_gathered(Draw &draw, Func in) {
    Func table = draw.func(), f = draw.func();
    table(i) = masked(i * 7 + 3, 63);
    f(x, y) = bounded(in(masked(table(table(masked(x, 63))), 63), y) + table(masked(in(x, y), 63)));
    return f;
}

Func pairs(Draw &draw, Func in) {
    Func pair = draw.func(), f = draw.func();
    pair(x, y) = Tuple(in(x, y), cast<int16_t>(in(x + 1, y) * 2));
    f(x, y) = bounded(pair(x, y - 1)[0] + cast<int>(pair(x + 1, y)[1]));
    return f;
}

Func triangle(Draw &draw, Func in) {
    Func f = draw.func();
    const int n = draw.between(2, 6);
    RDom r(0, n, 0, n);
    r.where(r.x <= r.y);
    f(x, y) = 0;
    f(x, y) = bounded(f(x, y) + in(x + r.x, y + r.y));
    return f;
}

Func scans_both_ways(Draw &draw, Func in) {
    Func sums = draw.func(), f = draw.func();
    RDom r(1, kWidth - 1);
    sums(x, y) = in(x, y);
    sums(r, y) = bounded(sums(r, y) + sums(r - 1, y));
    sums(kWidth - 1 - r, y) = bounded(sums(kWidth - 1 - r, y) + sums(kWidth - r, y) * 2);
    f(x, y) = bounded(sums(column(x), y) + in(x, y));
    return f;
}

Func summed_areas(Draw &draw, Func in) {
    Func sums = draw.func(), f = draw.func();
    RDom across(1, kWidth - 1), down(1, kHeight - 1);
    sums(x, y) = in(x, y);
    sums(across, y) += sums(across - 1, y);
    sums(x, down) += sums(x, down - 1);
    f(x, y) = bounded(sums(column(x + 2), row(y + 2)) - sums(column(x), row(y)));
    return f;
}

Func histogram(Draw &draw, Func in) {
    Func bins = draw.func(), f = draw.func();
    RDom r(0, kWidth, 0, kHeight);
    bins(i) = 0;
    bins(masked(in(r.x, r.y), 63)) += 1;
    f(x, y) = bounded(in(x, y) + bins(masked(in(x, y), 63)));
    return f;
}

Func pyramid_by_three(Draw &draw, Func in) {
    Func coarse = draw.func(), f = draw.func();
    coarse(x, y) = bounded(in(3 * x - 1, 3 * y) + in(3 * x + 2, 3 * y + 1));
    f(x, y) = bounded(coarse((x + 1) / 3, (y - 1) / 3) + in(x, y));
    return f;
}

Func clamped_stencils(Draw &draw, Func in) {
    const int stages = draw.between(1, 4);
    for (int stage = 0; stage < stages; ++stage) {
        const Func edged =
            draw.chance(50)
                ? Halide::BoundaryConditions::repeat_edge(in, {{0, kWidth}, {0, kHeight}})
                : Halide::BoundaryConditions::mirror_image(in, {{0, kWidth}, {0, kHeight}});
        Func f = draw.func();
        f(x, y) = bounded(edged(x - 1, y) + edged(x + 1, y) + edged(x, y - 1) + edged(x, y + 1));
        in = f;
    }
    return in;
}

Func laid_out(Draw &draw, Func in) {
    Func kept = draw.func(), f = draw.func();
    kept(x, y) = bounded(in(x, y) * 5 + 1);
    if (draw.chance(50)) kept.align_bounds(x, 4);
    if (draw.chance(50)) draw.by_hand([=]() mutable { kept.reorder_storage(y, x); });
    f(x, y) = bounded(kept(x, y) + kept(x - 1, y + 1));
    return f;
}

// Kernels and loops of the user's, and places that leave the loops to the scheduler.
Func scheduled_by_hand(Draw &draw, Func in) {
    Func kept = draw.func(), f = draw.func();
    kept(x, y) = bounded(in(x, y) + in(x + 1, y + 1) * 7);
    f(x, y) = bounded(kept(x, y) + kept(x, y + 2));
    const int what = draw.between(0, 3);
    draw.by_hand([=]() mutable {
        Var xi("xi"), yi("yi"), xo("xo"), yo("yo");
        kept.compute_root();
        if (what == 1) kept.gpu_tile(x, y, xo, yo, xi, yi, 8, 4);
        if (what == 2) kept.vectorize(x, 4, Halide::TailStrategy::GuardWithIf).parallel(y);
        if (what == 3) kept.store_in(Halide::MemoryType::Heap);
    });
    return f;
}

constexpr Func (*kKinds[])(Draw &, Func) = {
    transposed,
    masked_index,
    scaled_by_a_float,
    divided_by_a_parameter,
    shifted_by_a_parameter,
    multiplied_by_a_parameter,
    counted_bits,
    booleans,
    short_floats,
    asynchronous,
    memoized,
    indexed_through_several,
    gathered_from_gathered,
    pairs,
    triangle,
    scans_both_ways,
    summed_areas,
    histogram,
    pyramid_by_three,
    clamped_stencils,
    laid_out,
    scheduled_by_hand,
};

}  // namespace

PipelineCase make_tricky_pipeline(uint64_t seed) {
    Draw draw(seed);
    OddCase odd;
    const int width = draw.between(20, 150), height = draw.between(20, 120);
    const auto in = odd.input(draw.chance(50) ? UInt(8) : Int(32), box({width, height}));
    Func f = draw.func();
    f(x, y) = bounded(cast<int>(in(clamp(x, 0, width - 1), clamp(y, 0, height - 1))) + 128);
    const int kinds = draw.between(2, 5);
    for (int kind = 0; kind < kinds; ++kind) {
        f = kKinds[draw.between(0, static_cast<int>(std::size(kKinds)) - 1)](draw, f);
    }
    Func out("out");
    out(x, y) = f(x, y) + 1;
    PipelineCase result = odd.output(out, box({width, height})).finish();
    result.by_hand = draw.take_hand();
    return result;
}

}  // namespace autoschedule_gpu::testing
