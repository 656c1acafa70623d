// Kinds that read a neighbourhood without an explicit update stage.
#include "learn/random_pipelines/kinds.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;
using Halide::RDom;

Span shrink(Span span, int lo, int hi) {
    const Span inner{span.lo - lo, span.hi - hi};
    return inner.extent() >= 1 ? inner : span;
}

namespace {

// Returns offsets around the point, or ahead of it.
Span taps(PipelineBuilder &builder, int widest) {
    const int width = static_cast<int>(builder.random().between(2, widest));
    const int lo = builder.chance(70) ? -(width / 2) : builder.pick({0, 0, 1, -width});
    return {lo, lo + width - 1};
}

// Makes a weighted sum over every offset of `windows`, one window per dimension.
Value &weighted_sum(PipelineBuilder &builder, const char *kind, Value &source,
                    std::vector<Span> windows) {
    std::vector<Span> nominal = builder.nominal_of(source);
    const bool clamps = builder.chance(25);
    for (size_t d = 0; d < windows.size(); ++d) {
        if (!clamps) nominal[d] = shrink(nominal[d], windows[d].lo, windows[d].hi);
    }
    FuncBuilder draft = builder.draft(kind, nominal);
    std::vector<int> offset;
    for (Span window : windows) offset.push_back(window.lo);
    Expr sum;
    int weights = 0;
    double magnitude = 0;
    bool is_float = false;
    for (bool more = true; more;) {
        std::vector<Coordinate> at = draft.in_place();
        for (size_t d = 0; d < offset.size(); ++d) at[d] = draft.at(static_cast<int>(d), offset[d]);
        const Term term = builder.limit(draft.read(source, at), 20000);
        const int weight = static_cast<int>(builder.random().between(1, 4));
        const Expr tap = term.expr * weight;
        sum = sum.defined() ? sum + tap : tap;
        weights += weight;
        magnitude = std::max(magnitude, term.magnitude);
        is_float = term.is_float();
        more = false;
        for (size_t d = 0; d < offset.size() && !more; ++d) {
            more = ++offset[d] <= windows[d].hi;
            if (!more) offset[d] = windows[d].lo;
        }
    }
    sum = is_float ? sum * (1.0f / float(weights)) : sum / weights;
    const Term stored = builder.store({sum, magnitude + 1, false});
    draft.func()(draft.vars()) = stored.expr;
    return builder.finish(draft, stored.magnitude, stored.exact);
}

bool stencil_1d(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 4);
    if (!source) return false;
    std::vector<Span> windows(source->rank(), Span{0, 0});
    windows[builder.random().below(source->rank())] = taps(builder, 7);
    weighted_sum(builder, "stencil1", *source, windows);
    return true;
}

bool stencil_2d(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 4);
    if (!source) return false;
    std::vector<Span> windows(source->rank(), Span{0, 0});
    windows[0] = taps(builder, 4);
    windows[1] = taps(builder, 3);
    weighted_sum(builder, "stencil2", *source, windows);
    return true;
}

bool stencil_3d(PipelineBuilder &builder) {
    Value *source = builder.choose(3, 4);
    if (!source) return false;
    std::vector<Span> windows(source->rank(), Span{0, 0});
    for (int d = 0; d < 3; ++d) windows[d] = taps(builder, d == 2 ? 2 : 3);
    weighted_sum(builder, "stencil3", *source, windows);
    return true;
}

bool separable(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    std::vector<Span> along_x(source->rank(), Span{0, 0}), along_y = along_x;
    const bool x_first = builder.chance(50);
    along_x[x_first ? 0 : 1] = along_y[x_first ? 1 : 0] = taps(builder, 5);
    Value &half = weighted_sum(builder, "separable", *source, along_x);
    weighted_sum(builder, "separable", half, along_y);
    return true;
}

// Makes a sum, maximum, minimum or product over an RDom, written inline.
bool inline_reduction(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    const bool two = source->rank() >= 2 && builder.chance(60);
    const Span wx = taps(builder, 5), wy = two ? taps(builder, 4) : Span{0, 0};
    std::vector<Span> nominal = builder.nominal_of(*source);
    nominal[0] = shrink(nominal[0], wx.lo, wx.hi);
    if (two) nominal[1] = shrink(nominal[1], wy.lo, wy.hi);
    FuncBuilder draft = builder.draft("inline_reduction", nominal);
    const RDom r({{wx.lo, wx.extent()}, {wy.lo, wy.extent()}}, "r");
    std::vector<Coordinate> at = draft.in_place();
    at[0] = draft.window(0, r.x, wx);
    if (two) at[1] = draft.window(1, r.y, wy);
    const Term term = builder.limit(draft.read(*source, at), 20000);
    const int count = wx.extent() * wy.extent();
    Term result = term;
    switch (builder.random().below(4)) {
        case 0:
            result = {Halide::maximum(r, term.expr), term.magnitude, term.exact};
            break;
        case 1:
            result = {Halide::minimum(r, term.expr), term.magnitude, term.exact};
            break;
        default:
            result = {Halide::sum(r, term.expr), term.magnitude * count, false};
            break;
    }
    const Term stored = builder.store(result);
    draft.func()(draft.vars()) = stored.expr;
    builder.finish(draft, stored.magnitude, stored.exact);
    return true;
}

bool argmax_window(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3, true);
    if (!source) return false;
    const Span window = taps(builder, 6);
    const int dim = static_cast<int>(builder.random().below(source->rank()));
    std::vector<Span> nominal = builder.nominal_of(*source);
    nominal[dim] = shrink(nominal[dim], window.lo, window.hi);
    FuncBuilder draft = builder.draft("argmax", nominal);
    const RDom r({{window.lo, window.extent()}}, "r");
    std::vector<Coordinate> at = draft.in_place();
    at[dim] = draft.window(dim, r, window);
    const Term term = draft.read(*source, at);
    // By default its elements are called "argmax.0" and "argmax.1", which become the same names in
    // OpenCL C as our own "argmax_1".
    const std::string name = draft.func().name() + "_best";
    const Halide::Tuple best = builder.chance(50) ? Halide::argmax(r, term.expr, name)
                                                  : Halide::argmin(r, term.expr, name);
    if (builder.chance(50)) {
        draft.func()(draft.vars()) = Halide::Tuple(best[0], cast(best[1].type(), best[1]));
    } else {
        draft.func()(draft.vars()) =
            cast<float>(best[0] * 16 + 100) + Halide::clamp(cast<float>(best[1]), -100.0f, 100.0f);
    }
    builder.finish(draft, std::max(term.magnitude, 300.0));
    return true;
}

constexpr Kind kStencilKinds[] = {
    {"stencil_1d", 5, stencil_1d},
    {"stencil_2d", 5, stencil_2d},
    {"stencil_3d", 5, stencil_3d},
    {"separable", 3, separable},
    {"inline_reduction", 4, inline_reduction},
    {"argmax", 3, argmax_window},
};

}  // namespace

std::span<const Kind> stencil_kinds() {
    return kStencilKinds;
}

}  // namespace autoschedule_gpu::random_pipelines
