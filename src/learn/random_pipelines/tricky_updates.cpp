// Tricky kinds of updates: domains with a predicate, scans both ways and of what they read step by
// step, sums of areas, histograms.
#include <optional>

#include "learn/random_pipelines/kinds.h"
#include "learn/random_pipelines/term_parts.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;
using Halide::RDom;

namespace {

// Sums a triangle or what data chooses of a dimension.
bool predicated_sum(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3, true);
    if (!source) return false;
    const Span span = source->dims[0].nominal;
    if (!builder.affordable(builder.nominal_of(*source), span.extent())) return false;
    FuncBuilder draft = builder.draft("predicated", builder.nominal_of(*source));
    RDom r = domain(span, "r");
    std::vector<Coordinate> at = draft.in_place();
    at[0] = FuncBuilder::free(r, span);
    const Term term = builder.limit(draft.read(*source, at), 1000);
    const Term here = draft.read(*source, draft.in_place());
    switch (builder.random().below(3)) {
        case 0:
            r.where(r <= draft.var(0));
            break;
        case 1:
            r.where(r > draft.var(1));
            break;
        default:
            r.where(term.is_float() ? term.expr > 4.0f : term.expr % 3 == 0);
            break;
    }
    draft.func()(draft.vars()) = builder.limit(here, 1000).expr;
    draft.func()(draft.vars()) += cast(here.expr.type(), term.expr);
    builder.finish(draft, 1000.0 * (span.extent() + 1), false);
    return true;
}

// A triangle of two reduction variables, summed for every point of what remains.
bool triangle(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    std::vector<Span> box = builder.nominal_of(*source);
    box.resize(2);
    for (Span &span : box) span.hi = std::min(span.hi, span.lo + 24);
    const std::vector<Span> all = builder.nominal_of(*source);
    FuncBuilder draft = builder.draft("triangle", {all.begin() + 2, all.end()});
    RDom r({{box[0].lo, box[0].extent()}, {box[1].lo, box[1].extent()}}, "t");
    builder.chance(50) ? r.where(r.x - box[0].lo <= r.y - box[1].lo) : r.where(r.x + r.y < 20);
    std::vector<Coordinate> at = {FuncBuilder::free(r.x, box[0]), FuncBuilder::free(r.y, box[1])};
    if (draft.rank() == 1) at.push_back(draft.at(0));
    const Term term = builder.limit(draft.read(*source, at), 1000);
    draft.func()(draft.vars()) = zero(term);
    draft.func()(draft.vars()) += term.expr;
    builder.finish(draft, 1000.0 * 625, false);
    return true;
}

// Recursive filters forwards and backwards, along both dimensions, in one Func or in four.
bool scans_both_ways(PipelineBuilder &builder) {
    Value *value = builder.choose(2, 3);
    if (!value) return false;
    const bool in_one = builder.chance(50);
    std::optional<FuncBuilder> draft;
    double magnitude = 0;
    for (int pass = 0; pass < 4; ++pass) {
        const int dim = pass / 2;
        if (!draft) {
            draft.emplace(builder.draft("both_ways", builder.nominal_of(*value)));
            const Term term = builder.limit(draft->read(*value, draft->in_place()), 10000);
            draft->func()(draft->vars()) = term.expr;
            magnitude = term.magnitude + 1;
        }
        const Span span = draft->nominal(dim);
        if (span.extent() >= 2) {
            const RDom r(1, span.extent() - 1, "s");
            std::vector<Expr> to = draft->place(), from = to;
            to[dim] = pass % 2 == 0 ? span.lo + r : span.hi - r;
            from[dim] = pass % 2 == 0 ? to[dim] - 1 : to[dim] + 1;
            Halide::Func &f = draft->func();
            f(to) = f.types()[0].is_float() ? f(to) * 0.25f + f(from) * 0.75f
                                            : (f(to) + f(from) * 3) / 4;
            draft->touch(dim, span);
        }
        if (in_one && pass < 3) continue;
        value = &builder.finish(*draft, magnitude, false);
        draft.reset();
    }
    return true;
}

// A recursive filter along one dimension that begins with nothing, of what it reads step by step:
// often of whole sixteens of steps.
bool filter_from_nothing(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    const std::vector<Span> nominal = builder.nominal_of(*source);
    const auto dim = static_cast<int>(builder.random().below(2));
    const int all = static_cast<int>(nominal[dim].extent()) - 1;
    const int steps = builder.chance(70) ? all / 16 * 16 : all;
    if (steps < 2) return false;
    FuncBuilder draft = builder.draft("filtered", nominal);
    const bool forward = builder.chance(50);
    const RDom r(1, steps, "s");
    std::vector<Expr> to = draft.place(), from = to;
    to[dim] = forward ? nominal[dim].lo + r : nominal[dim].hi - r;
    from[dim] = forward ? to[dim] - 1 : to[dim] + 1;
    std::vector<Coordinate> at = draft.in_place();
    at[dim] = FuncBuilder::free(to[dim], nominal[dim]);
    const Term term = builder.limit(draft.read(*source, at), 10000);
    Halide::Func &f = draft.func();
    f(draft.vars()) = zero(term);
    f(to) = term.is_float() ? f(from) * 0.5f + term.expr * 0.5f : (f(from) + term.expr) / 2;
    draft.touch(dim, nominal[dim]);
    builder.finish(draft, term.magnitude + 1, false);
    return true;
}

// A summed-area table and the mean of a box in it.
bool summed_area(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3, true);
    if (!source) return false;
    const std::vector<Span> nominal = builder.nominal_of(*source);
    const Span sx = nominal[0], sy = nominal[1];
    if (sx.extent() < 4 || sy.extent() < 4) return false;
    FuncBuilder table = builder.draft("areas", nominal);
    const Term term = table.read(*source, table.in_place());
    const Expr whole = term.is_float() ? cast<int>(Halide::floor(term.expr)) : term.expr;
    table.func()(table.vars()) = whole % 64;
    for (int dim = 0; dim < 2; ++dim) {
        const RDom r(nominal[dim].lo + 1, nominal[dim].extent() - 1, dim == 0 ? "sx" : "sy");
        std::vector<Expr> to = table.place(), from = to;
        to[dim] = r;
        from[dim] = r - 1;
        table.func()(to) += table.func()(from);
        table.touch(dim, nominal[dim]);
        table.make_hard(dim);
    }
    Value &areas = builder.finish(table, 64.0 * sx.extent() * sy.extent());
    FuncBuilder draft = builder.draft("box", nominal);
    const int radius = builder.pick({1, 2, 5});
    const auto corner = [&](int dx, int dy) {
        std::vector<Coordinate> at = draft.in_place();
        at[0] = draft.at(0, dx);
        at[1] = draft.at(1, dy);
        return draft.read_raw(areas, at);
    };
    const Expr sum = corner(radius, radius) - corner(-radius - 1, radius) -
                     corner(radius, -radius - 1) + corner(-radius - 1, -radius - 1);
    builder.define(draft, {sum / (radius + 1), areas.magnitude, true});
    return true;
}

// A histogram, summed up, as a table for its own image.
bool equalised(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3, true);
    if (!source || !builder.affordable(builder.nominal_of(*source), 1)) return false;
    const int bins = builder.pick({8, 32, 256});
    const auto bin = [&](const Term &term) {
        const Expr whole = term.is_float() ? cast<int>(Halide::floor(term.expr)) : term.expr;
        return builder.chance(50) ? Halide::clamp(whole, 0, bins - 1) : whole % bins;
    };
    FuncBuilder counts = builder.draft("counts", {{0, bins - 1}});
    const std::vector<Span> part = builder.serial_part(builder.nominal_of(*source));
    Halide::Region bounds;
    for (Span span : part) bounds.emplace_back(span.lo, span.extent());
    const RDom all(bounds, "all");
    std::vector<Coordinate> at;
    for (int d = 0; d < source->rank(); ++d) at.push_back(FuncBuilder::free(all[d], part[d]));
    counts.func()(counts.vars()) = 0;
    counts.func()(bin(counts.read(*source, at))) += 1;
    counts.touch(0, {0, bins - 1});
    counts.make_hard(0);
    Value &histogram = builder.finish(counts, double(source->points()));
    FuncBuilder sums = builder.draft("cumulative", {{0, bins - 1}});
    sums.func()(sums.vars()) = sums.read_raw(histogram, sums.in_place());
    const RDom r(1, bins - 1, "c");
    sums.func()(r) += sums.func()(r - 1);
    sums.touch(0, {0, bins - 1});
    sums.make_hard(0);
    Value &table = builder.finish(sums, double(source->points()));
    FuncBuilder draft = builder.draft("equalised", builder.nominal_of(*source));
    const Term term = draft.read(*source, draft.in_place());
    builder.define(draft, draft.read(table, {FuncBuilder::free(bin(term), {0, bins - 1})}));
    return true;
}

constexpr Kind kTrickyUpdates[] = {
    {"predicated_sum", 3, predicated_sum},   {"triangle", 2, triangle},
    {"scans_both_ways", 2, scans_both_ways}, {"filter_from_nothing", 3, filter_from_nothing},
    {"summed_area", 2, summed_area},         {"equalised", 3, equalised},
};

}  // namespace

std::span<const Kind> tricky_update_kinds() {
    return kTrickyUpdates;
}

}  // namespace autoschedule_gpu::random_pipelines
