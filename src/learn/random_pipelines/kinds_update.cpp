// Kinds whose updates write along the Func's own dimensions: scans, partial writes, in-place
// changes.
#include "learn/random_pipelines/kinds.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;
using Halide::RDom;
using Halide::RVar;

namespace {

// Adds one pass along `dim`: f(i) from f(i - step) and, if it is given, the source at i.
void pass(FuncBuilder &draft, int dim, bool forward, const Term &pure) {
    const Span span = draft.nominal(dim);
    const RDom r(0, span.extent() - 1, "s");
    const Expr here = forward ? span.lo + 1 + r : span.hi - 1 - r;
    const Expr before = forward ? here - 1 : here + 1;
    std::vector<Expr> to = draft.place(), from = to;
    to[dim] = here;
    from[dim] = before;
    Halide::Func &f = draft.func();
    if (pure.is_float()) {
        f(to) = f(to) * 0.5f + f(from) * 0.5f;
    } else {
        f(to) = (f(to) * 3 + f(from)) / 4;
    }
    draft.touch(dim, span);
}

bool scan(PipelineBuilder &builder, int dim) {
    Value *source = builder.choose(dim + 1, 3);
    if (!source) return false;
    std::vector<Span> nominal = builder.nominal_of(*source);
    if (nominal[dim].extent() < 3) return false;
    FuncBuilder draft = builder.draft(dim == 0 ? "scan_x" : "scan_y", nominal);
    const Term term = builder.limit(draft.read(*source, draft.in_place()), 10000);
    draft.func()(draft.vars()) = term.expr;
    pass(draft, dim, true, term);
    if (builder.chance(40)) pass(draft, dim, false, term);
    if (builder.chance(20) && source->rank() > 1 && draft.nominal(1 - dim).extent() >= 3) {
        pass(draft, 1 - dim, true, term);
    }
    builder.finish(draft, term.magnitude + 1, false);
    return true;
}

bool scan_x(PipelineBuilder &builder) {
    return scan(builder, 0);
}
bool scan_y(PipelineBuilder &builder) {
    return scan(builder, 1);
}

// c(0) = g(0), c(i) = c(i - 1) + g(i): a running sum that reads its source in the update.
bool cumulative_sum(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 2);
    if (!source) return false;
    const std::vector<Span> nominal = builder.nominal_of(*source);
    const Span span = nominal[0];
    if (span.extent() < 2) return false;
    FuncBuilder draft = builder.draft("cumsum", nominal);
    const RDom r(span.lo + 1, span.extent() - 1, "s");
    std::vector<Coordinate> at = draft.in_place();
    at[0] = FuncBuilder::free(r, {span.lo + 1, span.hi});
    const Term term = builder.limit(draft.read(*source, at), 1000);
    std::vector<Expr> here = draft.place(), before = here;
    here[0] = r;
    before[0] = r - 1;
    draft.func()(draft.vars()) = cast(term.expr.type(), 0);
    draft.func()(here) = draft.func()(before) + term.expr;
    draft.touch(0, span);
    builder.finish(draft, term.magnitude * span.extent(), false);
    return true;
}

// Makes two to five updates that each change the whole Func, or one row or column of it.
bool several_updates(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    FuncBuilder draft = builder.draft("updates", builder.nominal_of(*source));
    const Term first = builder.limit(draft.read(*source, draft.in_place()), 1000);
    Halide::Func &f = draft.func();
    f(draft.vars()) = first.expr;
    double magnitude = first.magnitude;
    const int count = static_cast<int>(builder.random().between(2, 5));
    for (int i = 0; i < count; ++i) {
        std::vector<Expr> place = draft.place();
        if (builder.chance(40)) {
            const int dim = static_cast<int>(builder.random().below(draft.rank()));
            const Span span = draft.nominal(dim);
            const int at = static_cast<int>(builder.random().between(span.lo, span.hi));
            place[dim] = at;
            draft.touch(dim, {at, at});
            f(place) = f(place) + cast(first.expr.type(), i + 1);
            magnitude += i + 1;
        } else if (builder.chance(50)) {
            f(place) += builder.limit(draft.read(*source, draft.in_place()), 1000).expr;
            magnitude += 1000;
        } else {
            f(place) = Halide::min(f(place), cast(first.expr.type(), 500 - i));
            magnitude += 500;
        }
    }
    builder.finish(draft, magnitude, false);
    return true;
}

// Makes a Func without an initial value: an update with pure RVars writes what is read later.
bool undefined_start(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source || !builder.affordable(builder.nominal_of(*source), 1)) return false;
    const std::vector<Span> nominal = builder.nominal_of(*source);
    FuncBuilder draft = builder.draft("undef", nominal);
    const Span span = nominal[0];
    const RDom r(span.lo, span.extent(), "u");
    std::vector<Coordinate> at = draft.in_place();
    at[0] = FuncBuilder::free(r, span);
    const Term term = draft.read(*source, at);
    draft.func()(draft.vars()) = Halide::undef(term.expr.type());
    std::vector<Expr> place = draft.place();
    place[0] = r;
    draft.func()(place) = term.expr;
    draft.touch(0, span);
    draft.make_hard(0);
    builder.finish(draft, term.magnitude, term.exact);
    return true;
}

// Overwrites a rectangle inside the Func, or adds to it, through pure RVars.
bool patch(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    Value *over = builder.choose(2, 2);
    if (!source || !over) return false;
    FuncBuilder draft = builder.draft("patch", builder.nominal_of(*source));
    const Term base = builder.limit(draft.read(*source, draft.in_place()), 1000);
    Halide::Func &f = draft.func();
    f(draft.vars()) = base.expr;
    Region inside;
    for (int d = 0; d < 2; ++d) {
        const Span a = draft.nominal(d), b = over->dims[d].nominal;
        const Span both{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
        if (both.extent() < 1) return false;
        const int lo = static_cast<int>(builder.random().between(both.lo, both.hi));
        inside.push_back({lo, static_cast<int>(builder.random().between(lo, both.hi))});
    }
    inside = builder.serial_part(inside);
    const RDom r({{inside[0].lo, inside[0].extent()}, {inside[1].lo, inside[1].extent()}}, "p");
    const Term term = builder.limit(
        draft.read(*over, {FuncBuilder::free(r.x, inside[0]), FuncBuilder::free(r.y, inside[1])}),
        1000);
    std::vector<Expr> place = draft.place();
    place[0] = r.x;
    place[1] = r.y;
    const Expr value = cast(base.expr.type(), term.is_float() && !base.is_float()
                                                  ? Expr(draft.exact() ? term.expr : Expr(7.0f))
                                                  : term.expr);
    f(place) = builder.chance(50) ? value : f(place) + value;
    draft.touch(0, inside[0]);
    draft.touch(1, inside[1]);
    builder.finish(draft, base.magnitude + term.magnitude, false);
    return true;
}

// Reads itself one step to the side, in place, so the order of the loop matters.
bool in_place_shift(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 2);
    if (!source || source->dims[0].nominal.extent() < 4) return false;
    FuncBuilder draft = builder.draft("shift", builder.nominal_of(*source));
    const Term term = builder.limit(draft.read(*source, draft.in_place()), 10000);
    const Span span = draft.nominal(0);
    const RDom r(span.lo, span.extent() - 1, "i");
    std::vector<Expr> here = draft.place(), next = here;
    here[0] = r;
    next[0] = r + 1;
    Halide::Func &f = draft.func();
    f(draft.vars()) = term.expr;
    f(here) = Halide::max(f(here), f(next));
    draft.touch(0, span);
    builder.finish(draft, term.magnitude, term.exact);
    return true;
}

constexpr Kind kUpdateKinds[] = {
    {"scan_x", 3, scan_x},
    {"scan_y", 3, scan_y},
    {"cumulative_sum", 2, cumulative_sum},
    {"several_updates", 3, several_updates},
    {"undefined_start", 3, undefined_start},
    {"patch", 3, patch},
    {"in_place_shift", 2, in_place_shift},
};

}  // namespace

std::span<const Kind> update_kinds() {
    return kUpdateKinds;
}

}  // namespace autoschedule_gpu::random_pipelines
