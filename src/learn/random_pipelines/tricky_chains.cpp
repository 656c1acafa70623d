// Tricky kinds of several Funcs: what bounds an index, or grows a region, stands some Funcs away
// from where it matters.
#include "learn/random_pipelines/kinds.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;
using Halide::Func;

namespace {

namespace bc = Halide::BoundaryConditions;

// The Func of a value, extended beyond its nominal region.
Func extended(PipelineBuilder &builder, Value &value) {
    Halide::Region bounds;
    for (const ValueDim &dim : value.dims)
        bounds.emplace_back(dim.nominal.lo, dim.nominal.extent());
    ++value.uses;
    return builder.chance(50) ? bc::repeat_edge(value.func, bounds)
                              : bc::mirror_image(value.func, bounds);
}

// An integer by which a table may be read: exact, and clamped in a Func that stands alone.
Value *clamped_position(PipelineBuilder &builder, Span span) {
    Value *index = builder.choose(1, 3, true);
    if (!index) return nullptr;
    FuncBuilder draft = builder.draft("position", builder.nominal_of(*index));
    const Term raw = builder.read_aligned(draft, *index);
    const Expr whole = raw.is_float() ? cast<int>(Halide::floor(raw.expr)) : raw.expr;
    draft.func()(draft.vars()) = Halide::clamp(whole, span.lo, span.hi);
    return &builder.finish(draft, std::max(std::abs(span.lo), std::abs(span.hi)));
}

// Some Funcs stand between the clamp and the index.
bool clamp_far_from_index(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 1);
    if (!source) source = builder.choose(2, 3);
    if (!source || source->dims[0].nominal.extent() < 4) return false;
    const Span span = source->dims[0].nominal;
    const int steps = builder.pick({1, 2, 3});
    Value *position = clamped_position(builder, {span.lo, std::max(span.lo, span.hi - steps)});
    if (!position) return false;
    for (int step = 0; step < steps; ++step) {
        FuncBuilder draft = builder.draft("step", builder.nominal_of(*position));
        const Term term = draft.read(*position, draft.in_place());
        const Expr next =
            builder.chance(60) ? term.expr + 1 : Halide::max(term.expr, cast<int>(span.lo + step));
        draft.func()(draft.vars()) = next;
        position = &builder.finish(draft, term.magnitude + 1);
    }
    FuncBuilder draft = builder.draft("far_gather", builder.nominal_of(*position));
    std::vector<Coordinate> at = {
        FuncBuilder::free(draft.read(*position, draft.in_place()).expr, span)};
    for (int d = 1; d < source->rank(); ++d) {
        const int fixed = source->dims[d].nominal.lo;
        at.push_back(d < draft.rank() ? draft.at(d) : FuncBuilder::free(fixed, {fixed, fixed}));
    }
    builder.define(draft, draft.read(*source, at));
    return true;
}

// A table read at what another table says.
bool gather_of_gathers(PipelineBuilder &builder) {
    const Span span{0, builder.pick({15, 63, 100, 255})};
    Value *position = clamped_position(builder, span);
    if (!position) return false;
    FuncBuilder first = builder.draft("first_table", {span});
    first.func()(first.vars()) = builder.chance(50)
                                     ? cast<int>((first.var(0) * 7 + 3) % (span.hi + 1))
                                     : Halide::clamp(span.hi - first.var(0) * 2, span.lo, span.hi);
    Value &inner = builder.finish(first, span.hi);
    FuncBuilder second = builder.draft("second_table", {span});
    second.func()(second.vars()) =
        builder.chance(50) ? cast<float>(second.var(0)) * 0.5f : Expr(second.var(0) * 3 - 20);
    Value &outer = builder.finish(second, 3 * span.hi + 20);
    FuncBuilder draft = builder.draft("gathers", builder.nominal_of(*position));
    const Term index = draft.read(*position, draft.in_place());
    const Term middle = draft.read(inner, {FuncBuilder::free(index.expr, span)});
    builder.define(
        draft,
        draft.read(outer, {FuncBuilder::free(Halide::clamp(middle.expr, span.lo, span.hi), span)}));
    return true;
}

// Nothing bounds the index, so what it reads can only be computed where it is read.
bool unbounded_index(PipelineBuilder &builder) {
    Value *index = builder.choose(1, 3, true);
    if (!index) return false;
    const auto wide_func = [&](Func inner) {
        FuncBuilder draft = builder.draft("wide", {{0, 99}});
        const Expr i = draft.var(0);
        draft.func()(i) = inner.defined() ? inner(i * 3 + 1) + 2 : (i % 100) * 3;
        builder.inline_only.push_back(draft.func());
        return draft.func();
    };
    Func wide = wide_func({});
    if (builder.chance(40)) wide = wide_func(wide);
    FuncBuilder draft = builder.draft("unbounded", builder.nominal_of(*index));
    const Term raw = builder.limit(builder.read_aligned(draft, *index), 10000);
    const Expr whole = raw.is_float() ? cast<int>(Halide::floor(raw.expr)) : raw.expr;
    builder.define(draft, {wide(whole * 1000), 302, true});
    return true;
}

// A pyramid whose levels are a third of the one before, down and up again.
bool pyramid_by_three(PipelineBuilder &builder) {
    Value *base = builder.choose(2, 3);
    if (!base || base->types.size() > 1 || base->dims[0].nominal.extent() < 10) return false;
    const int levels = builder.pick({2, 3});
    std::vector<Value *> down = {base};
    for (int level = 1; level < levels; ++level) {
        std::vector<Span> nominal = builder.nominal_of(*down.back());
        nominal[0] = {ceil_div(nominal[0].lo, 3),
                      std::max(floor_div(nominal[0].hi, 3), ceil_div(nominal[0].lo, 3))};
        const Func finer = extended(builder, *down.back());
        FuncBuilder draft = builder.draft("third", nominal);
        const auto tap = [&](int offset) {
            std::vector<Expr> at = draft.place();
            at[0] = draft.var(0) * 3 + offset;
            return cast<float>(finer(at));
        };
        draft.func()(draft.vars()) = (tap(-1) + tap(0) + tap(1)) * (1.0f / 3);
        down.push_back(&builder.finish(draft, down.back()->magnitude, false));
    }
    Value *up = down.back();
    for (int level = levels - 2; level >= 0; --level) {
        const Func coarser = extended(builder, *up);
        FuncBuilder draft = builder.draft("tripled", builder.nominal_of(*down[level]));
        std::vector<Expr> at = draft.place(), next = at;
        at[0] = draft.var(0) / 3;
        next[0] = (draft.var(0) + 1) / 3;
        const Expr detail = cast<float>(draft.read(*down[level], draft.in_place()).expr);
        draft.func()(draft.vars()) = (coarser(at) + coarser(next)) * 0.25f + detail * 0.5f;
        up = &builder.finish(draft, base->magnitude, false);
    }
    return true;
}

// Stencils that are clamped at every stage, by a clamp or by a boundary condition.
bool clamped_chain(PipelineBuilder &builder) {
    Value *value = builder.choose(2, 3);
    if (!value || value->types.size() > 1) return false;
    const int stages = builder.pick({2, 3, 4, 5});
    for (int stage = 0; stage < stages; ++stage) {
        FuncBuilder draft = builder.draft("clamped", builder.nominal_of(*value));
        const bool by_function = builder.chance(50);
        const Func source = by_function ? extended(builder, *value) : value->func;
        if (!by_function) ++value->uses;
        const auto tap = [&](int dx, int dy) {
            std::vector<Expr> at = draft.place();
            at[0] += dx;
            at[1] += dy;
            for (size_t d = 0; !by_function && d < at.size(); ++d) {
                at[d] = Halide::clamp(at[d], value->dims[d].nominal.lo, value->dims[d].nominal.hi);
            }
            return value->types[0].is_float() ? cast<float>(source(at)) : cast<int>(source(at));
        };
        Expr sum = (tap(-1, 0) + tap(1, 0)) + (tap(0, -1) + tap(0, 1)) + tap(0, 0);
        draft.func()(draft.vars()) = value->types[0].is_float() ? sum * 0.2f : sum / 5;
        const bool exact = value->exact && !value->types[0].is_float();
        value = &builder.finish(draft, value->magnitude + 1, exact);
    }
    return true;
}

constexpr Kind kTrickyChains[] = {
    {"clamp_far_from_index", 3, clamp_far_from_index},
    {"gather_of_gathers", 3, gather_of_gathers},
    {"unbounded_index", 2, unbounded_index},
    {"pyramid_by_three", 2, pyramid_by_three},
    {"clamped_chain", 3, clamped_chain},
};

}  // namespace

std::span<const Kind> tricky_chain_kinds() {
    return kTrickyChains;
}

}  // namespace autoschedule_gpu::random_pipelines
