// Kinds that move data: they differ in where a value is read.
#include "learn/random_pipelines/kinds.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;

namespace {

// Halves the size, by the mean of 2x and 2x + 1 or by 2x alone.
bool downsample(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    const int dim = static_cast<int>(builder.random().below(std::min(2, source->rank())));
    std::vector<Span> nominal = builder.nominal_of(*source);
    const Span wide = nominal[dim];
    if (wide.extent() < 2) return false;
    nominal[dim] = {ceil_div(wide.lo, 2), floor_div(wide.hi - 1, 2)};
    FuncBuilder draft = builder.draft("down", nominal);
    const auto tap = [&](int offset) {
        std::vector<Coordinate> at = draft.in_place();
        at[dim] = {draft.var(dim) * 2 + offset, dim, {offset, offset}, 2, 1};
        return draft.read(*source, at);
    };
    Term term = tap(0);
    if (builder.chance(75)) {
        const Term next = tap(1);
        term = term.is_float() ? Term{(term.expr + next.expr) * 0.5f, term.magnitude, false}
                               : Term{(term.expr + next.expr) / 2, term.magnitude + 1, true};
    }
    builder.define(draft, term);
    return true;
}

bool upsample(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    const int dim = static_cast<int>(builder.random().below(std::min(2, source->rank())));
    std::vector<Span> nominal = builder.nominal_of(*source);
    if (nominal[dim].extent() > builder.style().doubled_extent) return false;
    nominal[dim] = {nominal[dim].lo * 2, nominal[dim].hi * 2};
    FuncBuilder draft = builder.draft("up", nominal);
    const auto tap = [&](int offset) {
        std::vector<Coordinate> at = draft.in_place();
        at[dim] = {(draft.var(dim) + offset) / 2, dim, {offset, offset}, 1, 2};
        return draft.read(*source, at);
    };
    Term term = tap(0);
    if (builder.chance(70)) {
        const Term next = tap(1);
        term = {term.expr + next.expr, term.magnitude * 2, false};
    } else if (builder.chance(50)) {
        term.expr = Halide::select(draft.var(dim) % 2 == 0, term.expr, term.expr + 1);
        term.magnitude += 1;
    }
    builder.define(draft, term);
    return true;
}

// Goes down by a factor of two per level and back up, and adds each level's detail.
bool pyramid(PipelineBuilder &builder) {
    Value *base = builder.choose(2, 3);
    if (!base || base->dims[0].nominal.extent() < 12) return false;
    const int levels = builder.pick({2, 3});
    std::vector<Value *> down = {base};
    for (int level = 1; level < levels; ++level) {
        Value &finer = *down.back();
        std::vector<Span> nominal = builder.nominal_of(finer);
        nominal[0] = {ceil_div(nominal[0].lo + 1, 2), floor_div(nominal[0].hi - 1, 2)};
        FuncBuilder draft = builder.draft("pyramid_down", nominal);
        const auto tap = [&](int offset) {
            std::vector<Coordinate> at = draft.in_place();
            at[0] = {draft.var(0) * 2 + offset, 0, {offset, offset}, 2, 1};
            return cast<float>(draft.read(finer, at).expr);
        };
        draft.func()(draft.vars()) = tap(-1) * 0.25f + tap(0) * 0.5f + tap(1) * 0.25f;
        down.push_back(&builder.finish(draft, finer.magnitude, false));
    }
    Value *up = down.back();
    for (int level = levels - 2; level >= 0; --level) {
        FuncBuilder draft = builder.draft("pyramid_up", builder.nominal_of(*down[level]));
        const auto tap = [&](int offset) {
            std::vector<Coordinate> at = draft.in_place();
            at[0] = {(draft.var(0) + offset) / 2, 0, {offset, offset}, 1, 2};
            return draft.read(*up, at).expr;
        };
        const Expr detail = cast<float>(draft.read(*down[level], draft.in_place()).expr);
        draft.func()(draft.vars()) = (tap(0) + tap(1)) * 0.25f + detail * 0.5f;
        up = &builder.finish(draft, base->magnitude, false);
    }
    return true;
}

bool transpose(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 4);
    if (!source) return false;
    std::vector<Span> nominal = builder.nominal_of(*source);
    const int other = builder.chance(75) ? 1 : source->rank() - 1;
    std::swap(nominal[0], nominal[other]);
    FuncBuilder draft = builder.draft("transpose", nominal);
    std::vector<Coordinate> at = draft.in_place();
    std::swap(at[0], at[other]);
    builder.define(draft, draft.read(*source, at));
    return true;
}

bool reverse(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 4);
    if (!source) return false;
    const int dim = static_cast<int>(builder.random().below(source->rank()));
    const Span span = source->dims[dim].nominal;
    const int sum = span.lo + span.hi;
    FuncBuilder draft = builder.draft("reverse", builder.nominal_of(*source));
    std::vector<Coordinate> at = draft.in_place();
    at[dim] = {sum - draft.var(dim), dim, {sum, sum}, -1, 1};
    builder.define(draft, draft.read(*source, at));
    return true;
}

bool boundary(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 4);
    if (!source || source->types.size() > 1) return false;
    Halide::Region bounds;
    for (const ValueDim &dim : source->dims) {
        const int least = dim.nominal.extent();
        if (least < 2) return false;
        bounds.emplace_back(dim.nominal.lo, least);
    }
    if (source->input >= 0 && builder.chance(60)) {
        // The usual form names the image's own size, which is known only when the pipeline runs.
        const Halide::ImageParam &image = builder.inputs[source->input].param;
        for (int d = 0; d < image.dimensions(); ++d) {
            bounds[d] = {image.dim(d).min(), image.dim(d).extent()};
        }
    }
    FuncBuilder draft = builder.draft("boundary", builder.nominal_of(*source));
    Halide::Func extended;
    namespace bc = Halide::BoundaryConditions;
    switch (builder.random().below(5)) {
        case 0:
            extended = bc::repeat_edge(source->func, bounds);
            break;
        case 1:
            extended = bc::constant_exterior(source->func, cast(source->types[0], 17), bounds);
            break;
        case 2:
            extended = bc::repeat_image(source->func, bounds);
            break;
        case 3:
            extended = bc::mirror_image(source->func, bounds);
            break;
        default:
            extended = bc::mirror_interior(source->func, bounds);
            break;
    }
    // The extended Func is a stage of its own; this one gives it a name and makes it a value.
    std::vector<Expr> at(draft.vars().begin(), draft.vars().end());
    draft.func()(draft.vars()) = extended(at);
    ++source->uses;
    builder.finish(draft, std::max(source->magnitude, 17.0), source->exact);
    return true;
}

// Reads at an index that another value gives and that clamp, modulo or the type keeps in range.
bool gather(PipelineBuilder &builder) {
    Value *table = builder.choose(1, 3);
    Value *index = builder.choose(1, 3, true);
    if (!table || !index) return false;
    FuncBuilder draft = builder.draft("gather", builder.nominal_of(*index));
    const Term raw = builder.read_aligned(draft, *index);
    const Expr position = raw.is_float() ? cast<int>(Halide::floor(raw.expr)) : raw.expr;
    std::vector<Coordinate> at;
    const int by_data = static_cast<int>(builder.random().below(table->rank()));
    for (int d = 0; d < table->rank(); ++d) {
        const Span span = table->dims[d].nominal;
        if (d == by_data && builder.chance(60)) {
            at.push_back(FuncBuilder::free(Halide::clamp(position, span.lo, span.hi), span));
        } else if (d == by_data) {
            at.push_back(FuncBuilder::free(position % span.extent() + span.lo, span));
        } else if (d < draft.rank()) {
            at.push_back(draft.at(d));
        } else {
            at.push_back(FuncBuilder::free(span.lo, {span.lo, span.lo}));
        }
    }
    builder.define(draft, draft.read(*table, at));
    return true;
}

// Reads a table of 256 entries at a value of eight bits, without a clamp.
bool lookup(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3, true);
    if (!source) return false;
    FuncBuilder table = builder.draft("table", {{0, 255}});
    const Expr entry = (table.var(0) * 37 + 11) % 251;
    table.func()(table.vars()) =
        builder.chance(50) ? cast<uint8_t>(entry) : Halide::sqrt(cast<float>(entry));
    Value &lut = builder.finish(table, 256, false);
    FuncBuilder draft = builder.draft("lookup", builder.nominal_of(*source));
    const Term raw = builder.read_aligned(draft, *source);
    const Expr position = raw.is_float() ? cast<int>(Halide::floor(raw.expr)) : raw.expr;
    builder.define(
        draft, draft.read(lut, {FuncBuilder::free(cast<int>(cast<uint8_t>(position)), {0, 255})}));
    return true;
}

bool slice(PipelineBuilder &builder) {
    Value *source = builder.choose(3, 4);
    if (!source) return false;
    std::vector<Span> nominal = builder.nominal_of(*source);
    const Span last = nominal.back();
    nominal.pop_back();
    FuncBuilder draft = builder.draft("slice", nominal);
    std::vector<Coordinate> at = draft.in_place();
    const int channel = static_cast<int>(builder.random().between(last.lo, last.hi));
    at.push_back(FuncBuilder::free(channel, {channel, channel}));
    builder.define(draft, draft.read(*source, at));
    return true;
}

// Makes two or three planes the channels of one Func.
bool stack(PipelineBuilder &builder) {
    Value *first = builder.choose(2, 2);
    Value *second = builder.choose(2, 2);
    if (!first || !second || first->points() > builder.style().stacked_points) return false;
    std::vector<Span> nominal = builder.nominal_of(*first);
    nominal.push_back({0, builder.pick({1, 2, 3})});
    FuncBuilder draft = builder.draft("stack", nominal);
    const auto plane = [&](Value &value) {
        Term term = draft.read(value, {draft.at(0), draft.at(1)});
        if (!term.is_float()) term.expr = cast<float>(term.expr);
        return term;
    };
    const Term a = plane(*first), b = plane(*second);
    builder.define(draft, {Halide::mux(draft.var(2), {a.expr, b.expr, a.expr + b.expr}),
                           a.magnitude + b.magnitude, false});
    return true;
}

bool broadcast(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 2);
    if (!source || source->points() > builder.style().broadcast_points) return false;
    std::vector<Span> nominal = builder.nominal_of(*source);
    nominal.push_back({0, builder.pick({2, 3, 4, 7})});
    FuncBuilder draft = builder.draft("broadcast", nominal);
    std::vector<Coordinate> at = draft.in_place();
    at.pop_back();
    const Term term = draft.read(*source, at);
    const Expr last = draft.var(draft.rank() - 1);
    builder.define(draft,
                   {term.is_float() ? term.expr + cast<float>(last % 8) : term.expr + last % 8,
                    term.magnitude + 8, false});
    return true;
}

bool four_dimensional(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    std::vector<Span> nominal = builder.nominal_of(*source);
    const int most = builder.style().widened_extent;
    for (Span &span : nominal) span.hi = std::min(span.hi, span.lo + most - 1);
    while (nominal.size() < 4) nominal.push_back({0, builder.pick({1, 2, 4})});
    FuncBuilder draft = builder.draft("four", nominal);
    const Term term = builder.read_aligned(draft, *source);
    const Expr extra = (draft.var(2) * 2 + draft.var(3)) % 16;
    builder.define(draft, {term.is_float() ? term.expr + cast<float>(extra) : term.expr + extra,
                           term.magnitude + 16, false});
    return true;
}

constexpr Kind kAccessKinds[] = {
    {"downsample", 4, downsample}, {"upsample", 4, upsample},
    {"pyramid", 2, pyramid},       {"transpose", 3, transpose},
    {"reverse", 2, reverse},       {"boundary", 4, boundary},
    {"gather", 3, gather},         {"lookup", 2, lookup},
    {"slice", 4, slice},           {"stack", 3, stack},
    {"broadcast", 3, broadcast},   {"four_dimensional", 2, four_dimensional},
};

}  // namespace

std::span<const Kind> access_kinds() {
    return kAccessKinds;
}

}  // namespace autoschedule_gpu::random_pipelines
