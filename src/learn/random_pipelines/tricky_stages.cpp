// Tricky kinds of Funcs by what is said of them beside their definition: async, memoize, and where
// and how large their storage is.
#include "learn/random_pipelines/kinds.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;

namespace {

// Reads a value here and beside, so that it is worth storing.
bool read_beside(PipelineBuilder &builder, Value &value) {
    FuncBuilder draft = builder.draft("beside", builder.nominal_of(value));
    std::vector<Coordinate> at = draft.in_place();
    at.back() = draft.at(draft.rank() - 1, 1);
    const Term here = draft.read(value, draft.in_place());
    builder.define(draft, builder.combine(here, draft.read(value, at)));
    return true;
}

bool asynchronous(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    FuncBuilder draft = builder.draft("async", builder.nominal_of(*source));
    Value &value = builder.define(draft, builder.modify(draft.read(*source, draft.in_place())));
    value.func.compute_root().async();
    return read_beside(builder, value);
}

// Halide can't keep what depends on an image, so it is a table of coordinates and a Param.
bool memoized(PipelineBuilder &builder) {
    Value *like = builder.choose(1, 3);
    if (!like) return false;
    FuncBuilder draft = builder.draft("memoized", builder.nominal_of(*like));
    Expr sum = builder.chance(50) ? builder.param<int>(draft.func().name() + "_p", 3) : Expr(3);
    for (int d = 0; d < draft.rank(); ++d) sum = sum * 5 + draft.var(d) % (13 + d);
    Value &value = builder.define(draft, {sum % 256, 256, true});
    value.func.compute_root().memoize();
    return read_beside(builder, value);
}

// Clamps what it reads, so that it may be asked for any region, and asks for a rounded one.
bool aligned(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    FuncBuilder draft = builder.draft("aligned", builder.nominal_of(*source));
    std::vector<Coordinate> at = draft.in_place();
    for (int d = 0; d < draft.rank(); ++d) {
        const Span span = source->dims[d].nominal;
        at[d] = FuncBuilder::free(Halide::clamp(draft.var(d), span.lo, span.hi), span);
    }
    Value &value = builder.define(draft, builder.modify(draft.read(*source, at)));
    const int dim = static_cast<int>(builder.random().below(draft.rank()));
    const int modulus = builder.pick({2, 4, 7, 32});
    value.func.align_bounds(draft.var(dim), modulus, builder.chance(70) ? 0 : modulus - 1);
    return read_beside(builder, value);
}

// Promises its whole region.
bool bounded(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    FuncBuilder draft = builder.draft("bounded", builder.nominal_of(*source));
    const Term term = builder.modify(draft.read(*source, draft.in_place()));
    for (int d = 0; d < draft.rank(); ++d) draft.make_hard(d);
    Value &value = builder.define(draft, term);
    const int dim = static_cast<int>(builder.random().below(draft.rank()));
    const Span span = draft.nominal(dim);
    value.func.bound(draft.var(dim), span.lo, span.extent());
    return read_beside(builder, value);
}

// Another order in memory, padded lines, or another memory.
bool stored_otherwise(PipelineBuilder &builder) {
    Value *source = builder.choose(2, 3);
    if (!source) return false;
    FuncBuilder draft = builder.draft("stored", builder.nominal_of(*source));
    Value &value = builder.define(draft, builder.modify(draft.read(*source, draft.in_place())));
    switch (builder.random().below(4)) {
        case 0:
            value.func.align_storage(draft.var(0), builder.pick({4, 16, 32}));
            break;
        case 1:
            value.func.compute_root().store_in(Halide::MemoryType::Heap);
            break;
        default: {
            std::vector<Halide::Var> order(draft.vars().rbegin(), draft.vars().rend());
            value.func.reorder_storage(order);
            break;
        }
    }
    return read_beside(builder, value);
}

constexpr Kind kTrickyStages[] = {
    {"asynchronous", 2, asynchronous},
    {"memoized", 2, memoized},
    {"aligned", 3, aligned},
    {"bounded", 2, bounded},
    {"stored_otherwise", 3, stored_otherwise},
};

}  // namespace

std::span<const Kind> tricky_stage_kinds() {
    return kTrickyStages;
}

}  // namespace autoschedule_gpu::random_pipelines
