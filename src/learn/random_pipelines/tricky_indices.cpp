// Tricky kinds that read one Func at one point, or a few, through an index that is hard to bound:
// transposed, masked, hashed, scaled by a float or by a Param.
#include <algorithm>

#include "learn/random_pipelines/kinds.h"
#include "learn/random_pipelines/term_parts.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;

namespace {

// f(x, y) and f(y, x) on a square: a tile needs another one at the far side of the diagonal.
bool transposed_reads(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    std::vector<Span> nominal = builder.nominal_of(*source);
    const Span side{std::max(nominal[0].lo, nominal[1].lo), std::min(nominal[0].hi, nominal[1].hi)};
    if (side.extent() < 2) return false;
    Value &before = stage_before(builder, *source);
    nominal[0] = nominal[1] = side;
    FuncBuilder draft = builder.draft("transposed_reads", nominal);
    std::vector<Coordinate> turned = draft.in_place();
    if (turned.size() == 3 && builder.chance(40)) {
        std::rotate(turned.begin(), turned.begin() + 1, turned.end());
    } else {
        std::swap(turned[0], turned[1]);
    }
    const Term here = draft.read(before, draft.in_place());
    builder.define(draft, builder.combine(here, draft.read(before, turned)));
    return true;
}

// Bits of the coordinates, whose bounds only the mask tells. Halide sees them after it has
// simplified, which is too late for Funcs that are computed on their own: images can be read so,
// and Funcs that stay inline; others need a remainder, a clamp or a promise.
bool masked_index(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source || source->dims[0].nominal.lo != 0) return false;
    int mask = 0;
    while (2 * mask + 1 <= source->dims[0].nominal.hi) mask = 2 * mask + 1;
    const bool is_image = source->input >= 0;
    Value &before = builder.chance(60) ? stage_before(builder, *source) : *source;
    if (is_image) {
        builder.inline_only.push_back(source->func);
        builder.inline_only.push_back(before.func);
    }
    FuncBuilder draft = builder.draft("masked", builder.nominal_of(before));
    const Expr x = draft.var(0), last = draft.var(draft.rank() - 1);
    const auto hash = [&] {
        return (cast<uint32_t>(x) * Expr(2654435761u)) ^ (cast<uint32_t>(last) * Expr(40503u));
    };
    Expr index;
    switch (builder.random().below(4)) {
        case 0:
            index = (x ^ 5) & mask;
            break;
        case 1:
            index = ((x << 1) | 1) & mask;
            break;
        case 2:
            index = cast<int>(hash() & Expr(static_cast<uint32_t>(mask)));
            break;
        default:
            index = cast<int>((hash() >> 7) % Expr(static_cast<uint32_t>(mask + 1)));
            break;
    }
    if (!is_image) {
        index = builder.chance(50) ? Halide::clamp(index, 0, mask)
                                   : Halide::unsafe_promise_clamped(index, 0, mask);
    }
    std::vector<Coordinate> at = draft.in_place();
    at[0] = FuncBuilder::free(index, {0, mask});
    Term term = draft.read(before, at);
    if (builder.chance(40)) term = builder.combine(term, draft.read(before, draft.in_place()));
    builder.define(draft, term);
    return true;
}

// Reads at the coordinate that `at(tap)` makes of each tap, along one dimension.
template <typename At>
bool define_taps(PipelineBuilder &builder, FuncBuilder &draft, Value &source, int dim, int taps,
                 const At &coordinate) {
    std::vector<Coordinate> at = draft.in_place();
    at[dim] = coordinate(0);
    Term term = draft.read(source, at);
    for (int tap = 1; tap < taps; ++tap) {
        at[dim] = coordinate(tap);
        term = builder.combine(term, draft.read(source, at));
    }
    builder.define(draft, term);
    return true;
}

// i32(floor(f32(x) * 0.37f)): the compiler can't subtract one such index from another.
bool float_scaled_index(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    const int dim = static_cast<int>(builder.random().below(std::min(2, source->rank())));
    const Span span = source->dims[dim].nominal;
    const int hundredths = builder.pick({25, 37, 50, 75, 93});
    Value &before = stage_before(builder, *source);
    FuncBuilder draft = builder.draft("float_scaled", builder.nominal_of(*source));
    const Expr scaled = cast<float>(draft.var(dim)) * (float(hundredths) / 100);
    // The product is rounded, so it may be the next integer.
    const Span rounding{span.lo < 0 ? -1 : 0, 1};
    return define_taps(builder, draft, before, dim, builder.pick({1, 2, 2, 3}), [&](int tap) {
        return Coordinate{cast<int>(Halide::floor(scaled)) + tap,
                          dim,
                          {100 * tap + rounding.lo, 100 * tap + rounding.hi},
                          hundredths,
                          100};
    });
}

// A Param in the index: x / p, x * p / 4, x + p.
bool param_index(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    const int dim = static_cast<int>(builder.random().below(std::min(2, source->rank())));
    Value &before = stage_before(builder, *source);
    std::vector<Span> nominal = builder.nominal_of(*source);
    Span &span = nominal[dim];
    const int form = builder.pick({0, 1, 2});
    const int value = form == 2 ? builder.pick({-9, 1, 5, 30}) : builder.pick({1, 2, 3, 5});
    if (form == 1) {
        const Span whole{ceil_div(4 * span.lo, value), floor_div(4 * (span.hi - 2), value)};
        if (whole.extent() >= 1) span = whole;
    }
    FuncBuilder draft = builder.draft("param_index", nominal);
    const Expr x = draft.var(dim), p = builder.param<int>(draft.func().name() + "_p", value);
    return define_taps(builder, draft, before, dim, builder.pick({1, 2, 3}), [&](int tap) {
        if (form == 0) return Coordinate{x / p + tap, dim, {tap * value, tap * value}, 1, value};
        if (form == 1) return Coordinate{x * p / 4 + tap, dim, {4 * tap, 4 * tap}, value, 4};
        return Coordinate{x + p * (tap + 1), dim, {value * (tap + 1), value * (tap + 1)}};
    });
}

// Bilinear interpolation by a constant or a Param. Scales are sixteenths, so that their products
// with coordinates are exact on every device.
bool bilinear_resize(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    const int sixteenths = builder.pick({5, 8, 11, 16, 23});
    std::vector<Span> nominal = builder.nominal_of(*source);
    for (int d = 0; d < 2; ++d) {
        const Span whole{ceil_div(16 * nominal[d].lo, sixteenths),
                         floor_div(16 * (nominal[d].hi - 1), sixteenths)};
        if (whole.extent() < 1) return false;
        nominal[d] = whole;
    }
    if (!builder.affordable(nominal, 8)) return false;
    Value &before = stage_before(builder, *source);
    FuncBuilder draft = builder.draft("resized", nominal);
    const float factor = float(sixteenths) / 16;
    const Expr scale = builder.chance(60)
                           ? builder.param<float>(draft.func().name() + "_scale", factor)
                           : Expr(factor);
    Expr whole[2], part[2];
    for (int d = 0; d < 2; ++d) {
        const Expr position = cast<float>(draft.var(d)) * scale;
        whole[d] = cast<int>(Halide::floor(position));
        part[d] = position - cast<float>(whole[d]);
    }
    double magnitude = 0;
    const auto corner = [&](int i, int j) {
        std::vector<Coordinate> at = draft.in_place();
        at[0] = {whole[0] + i, 0, {16 * i, 16 * i}, sixteenths, 16};
        at[1] = {whole[1] + j, 1, {16 * j, 16 * j}, sixteenths, 16};
        const Term term = draft.read(before, at);
        magnitude = term.magnitude;
        return cast<float>(term.expr);
    };
    const Expr above = corner(0, 0) * (1.0f - part[0]) + corner(1, 0) * part[0];
    const Expr below = corner(0, 1) * (1.0f - part[0]) + corner(1, 1) * part[0];
    draft.func()(draft.vars()) = above * (1.0f - part[1]) + below * part[1];
    builder.finish(draft, magnitude, false);
    return true;
}

constexpr Kind kTrickyIndices[] = {
    {"transposed_reads", 4, transposed_reads}, {"masked_index", 4, masked_index},
    {"float_scaled", 3, float_scaled_index},   {"param_index", 4, param_index},
    {"bilinear_resize", 3, bilinear_resize},
};

}  // namespace

std::span<const Kind> tricky_index_kinds() {
    return kTrickyIndices;
}

}  // namespace autoschedule_gpu::random_pipelines
