// Kinds that fold many points into one with an explicit update stage.
#include "learn/random_pipelines/kinds.h"
#include "learn/random_pipelines/term_parts.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;
using Halide::RDom;

namespace {

// Returns a term small enough to be summed `count` times in int32, and to be compared as a float.
Term summand(PipelineBuilder &builder, const Term &term, int count) {
    return builder.limit(term, 1e8 / std::max(1, count) > 4000 ? 4000 : 1e8 / count);
}

// f(x, y) += w(r) * g(x + r, y) with a constant RDom.
bool window_update(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    const int width = builder.pick({2, 3, 5, 9});
    const Span window{-(width / 2), -(width / 2) + width - 1};
    const int dim = static_cast<int>(builder.random().below(source->rank()));
    std::vector<Span> nominal = builder.nominal_of(*source);
    nominal[dim] = shrink(nominal[dim], window.lo, window.hi);
    FuncBuilder draft = builder.draft("window", nominal);
    const RDom r = domain(window);
    std::vector<Coordinate> at = draft.in_place();
    at[dim] = draft.window(dim, r, window);
    const Term term = builder.limit(draft.read(*source, at), 4000);
    draft.func()(draft.vars()) = zero(term);
    draft.func()(draft.vars()) += term.expr * (Halide::abs(cast<int>(r)) % 4 + 1 + zero(term));
    builder.finish(draft, term.magnitude * 4 * width, false);
    return true;
}

// Reduces a dimension to a sum, a maximum or a minimum along it.
bool reduce_dimension(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 4);
    if (!source) return false;
    const int gone = builder.chance(50) ? 0 : source->rank() - 1;
    std::vector<Span> nominal = builder.nominal_of(*source);
    const Span span = nominal[gone];
    if (!builder.affordable(nominal, 2)) return false;
    nominal.erase(nominal.begin() + gone);
    FuncBuilder draft = builder.draft("fold", nominal);
    const RDom r = domain(span);
    std::vector<Coordinate> at = draft.in_place();
    at.insert(at.begin() + gone, FuncBuilder::free(r, span));
    const Term term = summand(builder, draft.read(*source, at), span.extent());
    double magnitude = term.magnitude;
    if (builder.chance(60)) {
        draft.func()(draft.vars()) = zero(term);
        draft.func()(draft.vars()) += term.expr;
        magnitude *= span.extent();
    } else {
        draft.func()(draft.vars()) = cast(term.expr.type(), -4000);
        draft.func()(draft.vars()) = Halide::max(draft.func()(draft.vars()), term.expr);
    }
    builder.finish(draft, std::max(magnitude, 4000.0), false);
    return true;
}

// Makes a 0-dimensional Func (sum or maximum of everything) and a Func that reads it.
bool global_scalar(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source || !builder.affordable(builder.nominal_of(*source), 1)) return false;
    FuncBuilder total = builder.draft("total", {});
    const std::vector<Span> part = builder.serial_part(builder.nominal_of(*source));
    Halide::Region bounds;
    for (Span span : part) bounds.emplace_back(span.lo, span.extent());
    const RDom all(bounds, "all");
    std::vector<Coordinate> at;
    for (int d = 0; d < source->rank(); ++d) at.push_back(FuncBuilder::free(all[d], part[d]));
    const Term term = summand(builder, total.read(*source, at), static_cast<int>(source->points()));
    double magnitude = term.magnitude;
    if (builder.chance(50)) {
        total.func()() = zero(term);
        total.func()() += term.expr;
        magnitude *= double(source->points());
    } else {
        total.func()() = cast(term.expr.type(), -5000);
        total.func()() = Halide::max(total.func()(), term.expr);
    }
    Value &scalar = builder.finish(total, std::max(magnitude, 5000.0), false);
    if (builder.chance(80)) {
        FuncBuilder reader = builder.draft("centred", builder.nominal_of(*source));
        const Term a = reader.read(*source, reader.in_place());
        const Term b = builder.limit(reader.read(scalar, {}), 5000);
        const Term stored = builder.store(builder.combine(a, b));
        reader.func()(reader.vars()) = stored.expr;
        builder.finish(reader, stored.magnitude, stored.exact);
    }
    return true;
}

// c(x, y) += a(k, y) * b(x, k)
bool contraction(PipelineBuilder &builder) {
    Value *a = builder.choose(2, 2);
    Value *b = builder.choose(2, 2);
    if (!a || !b) return false;
    const Span k{a->dims[0].nominal.lo,
                 std::min(a->dims[0].nominal.hi,
                          a->dims[0].nominal.lo + builder.style().contracted_extent - 1)};
    const std::vector<Span> nominal = {b->dims[0].nominal, a->dims[1].nominal};
    if (!builder.affordable(nominal, k.extent())) return false;
    FuncBuilder draft = builder.draft("matmul", nominal);
    const RDom r = domain(k, "k");
    Term left = builder.limit(draft.read(*a, {FuncBuilder::free(r, k), draft.at(1)}), 500);
    Term right = builder.limit(draft.read(*b, {draft.at(0), FuncBuilder::free(r, k)}), 500);
    if (left.is_float() != right.is_float()) {
        if (!left.is_float()) left.expr = cast<float>(left.expr);
        if (!right.is_float()) right.expr = cast<float>(right.expr);
    }
    draft.func()(draft.vars()) = builder.chance(70) ? zero(left) : cast(left.expr.type(), 3);
    draft.func()(draft.vars()) += left.expr * right.expr;
    builder.finish(draft, left.magnitude * right.magnitude * k.extent() + 3, false);
    return true;
}

// out(x, y, co) += w(dx, dy, ci, co) * in(x + dx, y + dy, ci)
bool convolution(PipelineBuilder &builder) {
    Value *image = builder.choose(3, 3);
    if (!image) return false;
    std::vector<Span> nominal = builder.nominal_of(*image);
    const Span channels = nominal[2];
    const int most = builder.style().convolved_extent;
    for (int d = 0; d < 2; ++d) nominal[d].hi = std::min(nominal[d].hi, nominal[d].lo + most - 1);
    if (channels.extent() > builder.style().convolved_channels) return false;
    const Span taps{0, 2}, outputs{0, builder.pick(builder.style().filters)};
    FuncBuilder weights = builder.draft("weights", {taps, taps, channels, outputs});
    Expr sum = 1;
    for (int d = 0; d < 4; ++d) sum = sum * 5 + weights.var(d) % 64;
    weights.func()(weights.vars()) = cast<float>(sum % 17 - 8) * 0.125f;
    Value &kernel = builder.finish(weights, 1);

    for (int d = 0; d < 2; ++d) nominal[d] = shrink(nominal[d], 0, 2);
    nominal[2] = outputs;
    FuncBuilder draft = builder.draft("conv", nominal);
    const RDom r({{0, 3}, {0, 3}, {channels.lo, channels.extent()}}, "r");
    const Term w = draft.read(kernel, {FuncBuilder::free(r.x, taps), FuncBuilder::free(r.y, taps),
                                       FuncBuilder::free(r.z, channels), draft.at(2)});
    const Term pixel = draft.read(*image, {draft.window(0, r.x, taps), draft.window(1, r.y, taps),
                                           FuncBuilder::free(r.z, channels)});
    draft.func()(draft.vars()) = cast<float>(draft.var(2) % 8);
    draft.func()(draft.vars()) += w.expr * cast<float>(pixel.expr);
    Value &out = builder.finish(draft, pixel.magnitude * 9 * channels.extent() + 8, false);
    if (builder.chance(60)) {
        FuncBuilder relu = builder.draft("relu", builder.nominal_of(out));
        relu.func()(relu.vars()) = Halide::max(relu.read(out, relu.in_place()).expr, 0.0f);
        builder.finish(relu, out.magnitude, false);
    }
    return true;
}

// Makes a Tuple that an update reduces to: sum and sum of squares, or extrema.
bool tuple_reduction(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    std::vector<Span> nominal = builder.nominal_of(*source);
    const int last = source->rank() - 1;
    const Span span = nominal[last];
    if (!builder.affordable(nominal, 2)) return false;
    nominal.pop_back();
    FuncBuilder draft = builder.draft("moments", nominal);
    const RDom r = domain(span);
    std::vector<Coordinate> at = draft.in_place();
    at.push_back(FuncBuilder::free(r, span));
    const Term term = builder.limit(draft.read(*source, at), 300);
    const std::vector<Halide::Var> &vars = draft.vars();
    Halide::Func &f = draft.func();
    if (builder.chance(50)) {
        f(vars) = Halide::Tuple(zero(term), zero(term));
        f(vars) = Halide::Tuple(f(vars)[0] + term.expr, f(vars)[1] + term.expr * term.expr);
    } else {
        f(vars) = Halide::Tuple(cast(term.expr.type(), 9999), cast(term.expr.type(), -9999));
        f(vars) =
            Halide::Tuple(Halide::min(f(vars)[0], term.expr), Halide::max(f(vars)[1], term.expr));
    }
    builder.finish(draft, std::max(10000.0, 300.0 * 300 * span.extent()), false);
    return true;
}

// Reduces over part of an RDom: a triangle, a disc, or where a coordinate satisfies a condition.
bool predicated(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    const Span wx{-2, 2}, wy{-1, 2};
    std::vector<Span> nominal = builder.nominal_of(*source);
    nominal[0] = shrink(nominal[0], wx.lo, wx.hi);
    nominal[1] = shrink(nominal[1], wy.lo, wy.hi);
    FuncBuilder draft = builder.draft("where", nominal);
    RDom r({{wx.lo, wx.extent()}, {wy.lo, wy.extent()}}, "r");
    switch (builder.random().below(3)) {
        case 0:
            r.where(r.x <= r.y);
            break;
        case 1:
            r.where(r.x * r.x + r.y * r.y < 4);
            break;
        default:
            r.where((draft.var(0) + r.x) % 2 == 0);
            break;
    }
    std::vector<Coordinate> at = draft.in_place();
    at[0] = draft.window(0, r.x, wx);
    at[1] = draft.window(1, r.y, wy);
    const Term term = builder.limit(draft.read(*source, at), 4000);
    draft.func()(draft.vars()) = zero(term);
    draft.func()(draft.vars()) += term.expr;
    builder.finish(draft, term.magnitude * 20, false);
    return true;
}

// Scatters: h(bin of the value) += 1, over everything or per row.
bool histogram(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 2, true);
    if (!source || !builder.affordable(builder.nominal_of(*source), 1)) return false;
    const int bins = builder.pick({16, 37, 64, 256});
    const bool per_row = source->rank() == 2 && builder.chance(40);
    std::vector<Span> nominal = {{0, bins - 1}};
    if (per_row) nominal.push_back(source->dims[1].nominal);
    FuncBuilder draft = builder.draft("histogram", nominal);
    std::vector<Span> folded = builder.nominal_of(*source);
    if (per_row) folded.pop_back();
    folded = builder.serial_part(folded);
    const Span along = folded[0], rows = folded.size() == 2 ? folded[1] : Span{0, 0};
    const RDom r({{along.lo, along.extent()}, {rows.lo, rows.extent()}}, "r");
    std::vector<Coordinate> at = {FuncBuilder::free(r.x, along)};
    if (source->rank() == 2) at.push_back(per_row ? draft.at(1) : FuncBuilder::free(r.y, rows));
    const Term term = draft.read(*source, at);
    const Expr value = term.is_float() ? cast<int>(Halide::floor(term.expr)) : term.expr;
    const Expr bin = builder.chance(60) ? Halide::clamp(value, 0, bins - 1) : value % bins;
    std::vector<Expr> place = {bin};
    if (per_row) place.push_back(draft.var(1));
    draft.func()(draft.vars()) = builder.chance(80) ? Expr(0) : cast<int>(draft.var(0) % 4);
    draft.func()(place) += 1;
    draft.touch(0, {0, bins - 1});
    builder.finish(draft, double(source->points()) + 4);
    return true;
}

constexpr Kind kReductionKinds[] = {
    {"window_update", 3, window_update}, {"reduce_dimension", 4, reduce_dimension},
    {"global_scalar", 5, global_scalar}, {"contraction", 3, contraction},
    {"convolution", 7, convolution},     {"tuple_reduction", 3, tuple_reduction},
    {"predicated", 3, predicated},       {"histogram", 4, histogram},
};

}  // namespace

std::span<const Kind> reduction_kinds() {
    return kReductionKinds;
}

}  // namespace autoschedule_gpu::random_pipelines
