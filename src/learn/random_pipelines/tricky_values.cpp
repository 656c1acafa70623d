// Tricky kinds of values: bits that are counted, Booleans, floats of 16 bits, Tuples of mixed
// types.
#include "learn/random_pipelines/kinds.h"
#include "learn/random_pipelines/term_parts.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;
using Halide::Type;

namespace {

// Counts bits of any integer type, also of zero.
bool bit_counts(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3, true);
    if (!source) return false;
    FuncBuilder draft = builder.draft("bits", builder.nominal_of(*source));
    const Type types[] = {Halide::UInt(8), Halide::Int(8),   Halide::UInt(16),
                          Halide::Int(16), Halide::UInt(32), Halide::Int(32)};
    // Both draw: one after the other, so that a seed is the same pipeline everywhere.
    const Expr read = whole(builder.read_aligned(draft, *source));
    const Expr value = cast(types[builder.random().below(6)], read);
    Expr count;
    switch (builder.random().below(4)) {
        case 0:
            count = cast<int>(Halide::popcount(value));
            break;
        case 1:
            count = cast<int>(Halide::count_leading_zeros(value));
            break;
        case 2:
            count = cast<int>(Halide::count_trailing_zeros(value));
            break;
        default:
            count = cast<int>(Halide::popcount(value)) * 2 +
                    cast<int>(Halide::count_leading_zeros(value));
            break;
    }
    builder.define(draft, {count, 96, true});
    return true;
}

// Funcs of Booleans: what they combine to, and what is read of it.
bool boolean_logic(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3, true);
    if (!source) return false;
    const auto mask = [&]() -> Value & {
        FuncBuilder draft = builder.draft("mask", builder.nominal_of(*source));
        const Expr value = whole(builder.read_aligned(draft, *source));
        const int modulus = builder.pick({2, 3, 5});
        draft.func()(draft.vars()) = value % modulus == 0;
        return builder.finish(draft, 1);
    };
    Value &first = mask(), &second = mask();
    FuncBuilder logic = builder.draft("logic", builder.nominal_of(first));
    const Expr a = logic.read_raw(first, logic.in_place());
    const Expr b = logic.read_raw(second, logic.in_place());
    std::vector<Coordinate> beside = logic.in_place();
    beside[0] = logic.at(0, 1);
    const Expr next = logic.read_raw(first, beside);
    const Expr results[] = {~a,    !a,        a && !b,   a || next,  a & ~b,
                            a ^ b, a != next, a | ~next, ~(a & next)};
    logic.func()(logic.vars()) = results[builder.random().below(std::size(results))];
    Value &result = builder.finish(logic, 1);
    if (builder.chance(30)) return true;
    FuncBuilder draft = builder.draft("chosen", builder.nominal_of(result));
    const Expr which = draft.read_raw(result, draft.in_place());
    const Term yes = draft.read(*source, draft.in_place());
    const Expr no = draft.var(0) % 16;
    builder.define(draft, {Halide::select(which, yes.expr, cast(yes.expr.type(), no)),
                           std::max(16.0, yes.magnitude), yes.exact});
    return true;
}

// Small integers in float16 or bfloat16, which hold them exactly on every device.
bool narrow_floats(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3, true);
    if (!source) return false;
    const Type type = builder.chance(50) ? Halide::Float(16) : Halide::BFloat(16);
    FuncBuilder draft = builder.draft("narrow", builder.nominal_of(*source));
    draft.func()(draft.vars()) =
        cast(type, cast<float>(whole(builder.read_aligned(draft, *source)) % 64));
    Value *value = &builder.finish(draft, 64);
    if (builder.chance(60)) {
        FuncBuilder sum = builder.draft("narrow_sum", builder.nominal_of(*value));
        std::vector<Coordinate> beside = sum.in_place();
        beside[0] = sum.at(0, 1);
        const Expr a = sum.read_raw(*value, sum.in_place()), b = sum.read_raw(*value, beside);
        sum.func()(sum.vars()) = builder.chance(50) ? a + b : Halide::max(a, b);
        value = &builder.finish(sum, 128);
    }
    if (builder.chance(20)) return true;
    FuncBuilder wide = builder.draft("widened", builder.nominal_of(*value));
    builder.define(wide, wide.read(*value, wide.in_place()));
    return true;
}

// A Tuple of three types, of which the second reads the source beside the point.
bool mixed_tuple(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3, true);
    if (!source) return false;
    FuncBuilder draft = builder.draft("mixed", builder.nominal_of(*source));
    std::vector<Coordinate> beside = draft.in_place();
    beside[0] = draft.at(0, -1);
    const Expr a = whole(draft.read(*source, draft.in_place()));
    const Expr b = whole(draft.read(*source, beside));
    const Expr narrow = cast<uint8_t>(a), single = cast<float>(b % 4096) * 0.25f;
    const Expr truth = a > b, small = cast<int16_t>(a % 1000);
    const Halide::Tuple choices[] = {
        {narrow, single, truth}, {truth, small}, {single, narrow, small}};
    draft.func()(draft.vars()) = choices[builder.random().below(3)];
    Value &mixed = builder.finish(draft, 4096);
    FuncBuilder reader = builder.draft("of_mixed", builder.nominal_of(mixed));
    const Term first = reader.read(mixed, reader.in_place(), 0);
    const Term last =
        reader.read(mixed, reader.in_place(), static_cast<int>(mixed.types.size()) - 1);
    builder.define(reader, builder.combine(first, last));
    return true;
}

constexpr Kind kTrickyValues[] = {
    {"bit_counts", 3, bit_counts},
    {"boolean_logic", 4, boolean_logic},
    {"narrow_floats", 2, narrow_floats},
    {"mixed_tuple", 3, mixed_tuple},
};

}  // namespace

std::span<const Kind> tricky_value_kinds() {
    return kTrickyValues;
}

}  // namespace autoschedule_gpu::random_pipelines
