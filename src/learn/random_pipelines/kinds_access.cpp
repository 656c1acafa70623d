// Kinds that move data: where a value is read is what they are about.
#include "learn/random_pipelines/kinds.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;

namespace {

std::vector<Coordinate> in_place(const FuncBuilder &draft) {
    std::vector<Coordinate> coordinates;
    for (int d = 0; d < draft.rank(); ++d) coordinates.push_back(draft.at(d));
    return coordinates;
}

void define_stored(PipelineBuilder &shop, FuncBuilder &draft, const Term &term) {
    const Term stored = shop.store(term);
    draft.func()(draft.vars()) = stored.expr;
    shop.finish(draft, stored.magnitude, stored.exact);
}

// Half the size: 2x and 2x + 1 averaged, or just 2x.
bool downsample(PipelineBuilder &shop) {
    Value *source = shop.choose(1, 3);
    if (!source) return false;
    const int dim = static_cast<int>(shop.random().below(std::min(2, source->rank())));
    std::vector<Span> nominal = shop.nominal_of(*source);
    const Span wide = nominal[dim];
    if (wide.extent() < 2) return false;
    nominal[dim] = {ceil_div(wide.lo, 2), floor_div(wide.hi - 1, 2)};
    FuncBuilder draft = shop.draft("down", nominal);
    const auto tap = [&](int offset) {
        std::vector<Coordinate> at = in_place(draft);
        at[dim] = {draft.var(dim) * 2 + offset, dim, {offset, offset}, 2, 1};
        return draft.read(*source, at);
    };
    Term term = tap(0);
    if (shop.chance(75)) {
        const Term next = tap(1);
        term = term.is_float() ? Term{(term.expr + next.expr) * 0.5f, term.magnitude, false}
                               : Term{(term.expr + next.expr) / 2, term.magnitude + 1, true};
    }
    define_stored(shop, draft, term);
    return true;
}

bool upsample(PipelineBuilder &shop) {
    Value *source = shop.choose(1, 3);
    if (!source) return false;
    const int dim = static_cast<int>(shop.random().below(std::min(2, source->rank())));
    std::vector<Span> nominal = shop.nominal_of(*source);
    if (nominal[dim].extent() > shop.style().doubled_extent) return false;
    nominal[dim] = {nominal[dim].lo * 2, nominal[dim].hi * 2};
    FuncBuilder draft = shop.draft("up", nominal);
    const auto tap = [&](int offset) {
        std::vector<Coordinate> at = in_place(draft);
        at[dim] = {(draft.var(dim) + offset) / 2, dim, {offset, offset}, 1, 2};
        return draft.read(*source, at);
    };
    Term term = tap(0);
    if (shop.chance(70)) {
        const Term next = tap(1);
        term = {term.expr + next.expr, term.magnitude * 2, false};
    } else if (shop.chance(50)) {
        term.expr = Halide::select(draft.var(dim) % 2 == 0, term.expr, term.expr + 1);
        term.magnitude += 1;
    }
    define_stored(shop, draft, term);
    return true;
}

// Down by two per level and back up, with the detail of each level added.
bool pyramid(PipelineBuilder &shop) {
    Value *base = shop.choose(2, 3);
    if (!base || base->dims[0].nominal.extent() < 12) return false;
    const int levels = shop.pick({2, 3});
    std::vector<Value *> down = {base};
    for (int level = 1; level < levels; ++level) {
        Value &finer = *down.back();
        std::vector<Span> nominal = shop.nominal_of(finer);
        nominal[0] = {ceil_div(nominal[0].lo + 1, 2), floor_div(nominal[0].hi - 1, 2)};
        FuncBuilder draft = shop.draft("pyramid_down", nominal);
        const auto tap = [&](int offset) {
            std::vector<Coordinate> at = in_place(draft);
            at[0] = {draft.var(0) * 2 + offset, 0, {offset, offset}, 2, 1};
            return cast<float>(draft.read(finer, at).expr);
        };
        draft.func()(draft.vars()) = tap(-1) * 0.25f + tap(0) * 0.5f + tap(1) * 0.25f;
        down.push_back(&shop.finish(draft, finer.magnitude, false));
    }
    Value *up = down.back();
    for (int level = levels - 2; level >= 0; --level) {
        FuncBuilder draft = shop.draft("pyramid_up", shop.nominal_of(*down[level]));
        const auto tap = [&](int offset) {
            std::vector<Coordinate> at = in_place(draft);
            at[0] = {(draft.var(0) + offset) / 2, 0, {offset, offset}, 1, 2};
            return draft.read(*up, at).expr;
        };
        const Expr detail = cast<float>(draft.read(*down[level], in_place(draft)).expr);
        draft.func()(draft.vars()) = (tap(0) + tap(1)) * 0.25f + detail * 0.5f;
        up = &shop.finish(draft, base->magnitude, false);
    }
    return true;
}

bool transpose(PipelineBuilder &shop) {
    Value *source = shop.choose(2, 4);
    if (!source) return false;
    std::vector<Span> nominal = shop.nominal_of(*source);
    const int other = shop.chance(75) ? 1 : source->rank() - 1;
    std::swap(nominal[0], nominal[other]);
    FuncBuilder draft = shop.draft("transpose", nominal);
    std::vector<Coordinate> at = in_place(draft);
    std::swap(at[0], at[other]);
    define_stored(shop, draft, draft.read(*source, at));
    return true;
}

bool reverse(PipelineBuilder &shop) {
    Value *source = shop.choose(1, 4);
    if (!source) return false;
    const int dim = static_cast<int>(shop.random().below(source->rank()));
    const Span span = source->dims[dim].nominal;
    const int sum = span.lo + span.hi;
    FuncBuilder draft = shop.draft("reverse", shop.nominal_of(*source));
    std::vector<Coordinate> at = in_place(draft);
    at[dim] = {sum - draft.var(dim), dim, {sum, sum}, -1, 1};
    define_stored(shop, draft, draft.read(*source, at));
    return true;
}

bool boundary(PipelineBuilder &shop) {
    Value *source = shop.choose(1, 4);
    if (!source || source->types.size() > 1) return false;
    Halide::Region bounds;
    for (const ValueDim &dim : source->dims) {
        const int least = dim.nominal.extent();
        if (least < 2) return false;
        bounds.emplace_back(dim.nominal.lo, least);
    }
    if (source->input >= 0 && shop.chance(60)) {
        // The usual way: the image's own size, known only when the pipeline runs.
        const Halide::ImageParam &image = shop.inputs[source->input].param;
        for (int d = 0; d < image.dimensions(); ++d) {
            bounds[d] = {image.dim(d).min(), image.dim(d).extent()};
        }
    }
    FuncBuilder draft = shop.draft("boundary", shop.nominal_of(*source));
    Halide::Func extended;
    namespace bc = Halide::BoundaryConditions;
    switch (shop.random().below(5)) {
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
    // The extended Func is a stage of its own; ours gives it a name and a place among the values.
    std::vector<Expr> at(draft.vars().begin(), draft.vars().end());
    draft.func()(draft.vars()) = extended(at);
    ++source->uses;
    shop.finish(draft, std::max(source->magnitude, 17.0), source->exact);
    return true;
}

// Reads at an index that another value gives, kept in range by clamp, by modulo or by its type.
bool gather(PipelineBuilder &shop) {
    Value *table = shop.choose(1, 3);
    Value *index = shop.choose(1, 3, true);
    if (!table || !index) return false;
    FuncBuilder draft = shop.draft("gather", shop.nominal_of(*index));
    const Term raw = shop.read_aligned(draft, *index);
    const Expr position = raw.is_float() ? cast<int>(Halide::floor(raw.expr)) : raw.expr;
    std::vector<Coordinate> at;
    const int by_data = static_cast<int>(shop.random().below(table->rank()));
    for (int d = 0; d < table->rank(); ++d) {
        const Span span = table->dims[d].nominal;
        if (d == by_data && shop.chance(60)) {
            at.push_back(FuncBuilder::free(Halide::clamp(position, span.lo, span.hi), span));
        } else if (d == by_data) {
            at.push_back(FuncBuilder::free(position % span.extent() + span.lo, span));
        } else if (d < draft.rank()) {
            at.push_back(draft.at(d));
        } else {
            at.push_back(FuncBuilder::free(span.lo, {span.lo, span.lo}));
        }
    }
    define_stored(shop, draft, draft.read(*table, at));
    return true;
}

// A table of 256 entries, read at a value of eight bits without a clamp.
bool lookup(PipelineBuilder &shop) {
    Value *source = shop.choose(1, 3, true);
    if (!source) return false;
    FuncBuilder table = shop.draft("table", {{0, 255}});
    const Expr entry = (table.var(0) * 37 + 11) % 251;
    table.func()(table.vars()) =
        shop.chance(50) ? cast<uint8_t>(entry) : Halide::sqrt(cast<float>(entry));
    Value &lut = shop.finish(table, 256, false);
    FuncBuilder draft = shop.draft("lookup", shop.nominal_of(*source));
    const Term raw = shop.read_aligned(draft, *source);
    const Expr position = raw.is_float() ? cast<int>(Halide::floor(raw.expr)) : raw.expr;
    define_stored(
        shop, draft,
        draft.read(lut, {FuncBuilder::free(cast<int>(cast<uint8_t>(position)), {0, 255})}));
    return true;
}

bool slice(PipelineBuilder &shop) {
    Value *source = shop.choose(3, 4);
    if (!source) return false;
    std::vector<Span> nominal = shop.nominal_of(*source);
    const Span last = nominal.back();
    nominal.pop_back();
    FuncBuilder draft = shop.draft("slice", nominal);
    std::vector<Coordinate> at = in_place(draft);
    const int channel = static_cast<int>(shop.random().between(last.lo, last.hi));
    at.push_back(FuncBuilder::free(channel, {channel, channel}));
    define_stored(shop, draft, draft.read(*source, at));
    return true;
}

// Two or three planes become the channels of one Func.
bool stack(PipelineBuilder &shop) {
    Value *first = shop.choose(2, 2);
    Value *second = shop.choose(2, 2);
    if (!first || !second || first->points() > shop.style().stacked_points) return false;
    std::vector<Span> nominal = shop.nominal_of(*first);
    nominal.push_back({0, shop.pick({1, 2, 3})});
    FuncBuilder draft = shop.draft("stack", nominal);
    const auto plane = [&](Value &value) {
        Term term = draft.read(value, {draft.at(0), draft.at(1)});
        if (!term.is_float()) term.expr = cast<float>(term.expr);
        return term;
    };
    const Term a = plane(*first), b = plane(*second);
    define_stored(shop, draft,
                  {Halide::mux(draft.var(2), {a.expr, b.expr, a.expr + b.expr}),
                   a.magnitude + b.magnitude, false});
    return true;
}

bool broadcast(PipelineBuilder &shop) {
    Value *source = shop.choose(1, 2);
    if (!source || source->points() > shop.style().broadcast_points) return false;
    std::vector<Span> nominal = shop.nominal_of(*source);
    nominal.push_back({0, shop.pick({2, 3, 4, 7})});
    FuncBuilder draft = shop.draft("broadcast", nominal);
    std::vector<Coordinate> at = in_place(draft);
    at.pop_back();
    const Term term = draft.read(*source, at);
    const Expr last = draft.var(draft.rank() - 1);
    define_stored(shop, draft,
                  {term.is_float() ? term.expr + cast<float>(last % 8) : term.expr + last % 8,
                   term.magnitude + 8, false});
    return true;
}

bool four_dimensional(PipelineBuilder &shop) {
    Value *source = shop.choose(2, 3);
    if (!source) return false;
    std::vector<Span> nominal = shop.nominal_of(*source);
    const int most = shop.style().widened_extent;
    for (Span &span : nominal) span.hi = std::min(span.hi, span.lo + most - 1);
    while (nominal.size() < 4) nominal.push_back({0, shop.pick({1, 2, 4})});
    FuncBuilder draft = shop.draft("four", nominal);
    const Term term = shop.read_aligned(draft, *source);
    const Expr extra = (draft.var(2) * 2 + draft.var(3)) % 16;
    define_stored(shop, draft,
                  {term.is_float() ? term.expr + cast<float>(extra) : term.expr + extra,
                   term.magnitude + 16, false});
    return true;
}

constexpr Kind kKinds[] = {
    {"downsample", 4, downsample}, {"upsample", 4, upsample},
    {"pyramid", 2, pyramid},       {"transpose", 3, transpose},
    {"reverse", 2, reverse},       {"boundary", 4, boundary},
    {"gather", 3, gather},         {"lookup", 2, lookup},
    {"slice", 4, slice},           {"stack", 3, stack},
    {"broadcast", 3, broadcast},   {"four_dimensional", 2, four_dimensional},
};

}  // namespace

std::span<const Kind> access_kinds() {
    return kKinds;
}

}  // namespace autoschedule_gpu::random_pipelines
