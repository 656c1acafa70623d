// Kinds without a neighbourhood: one point in, one point out.
#include "learn/random_pipelines/kinds.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;

namespace {

bool unary(PipelineBuilder &builder) {
    Value *source = builder.choose(0, 4);
    if (!source) return false;
    FuncBuilder draft = builder.draft("unary", builder.nominal_of(*source));
    const Term stored = builder.store(builder.modify(builder.read_aligned(draft, *source)));
    draft.func()(draft.vars()) = stored.expr;
    builder.finish(draft, stored.magnitude, stored.exact);
    return true;
}

bool binary(PipelineBuilder &builder) {
    Value *a = builder.choose(1, 4);
    if (!a) return false;
    Value *b = builder.choose_companion(*a);
    FuncBuilder draft = builder.draft("binary", builder.nominal_of(*a));
    const Term left = builder.read_aligned(draft, *a);
    const Term stored = builder.store(builder.combine(left, builder.read_aligned(draft, *b)));
    draft.func()(draft.vars()) = stored.expr;
    builder.finish(draft, stored.magnitude, stored.exact);
    return true;
}

// Makes a value with several consumers whose results meet again.
bool diamond(PipelineBuilder &builder) {
    Value *top = builder.choose(1, 3);
    if (!top) return false;
    std::vector<Value *> sides;
    const int count = builder.pick({2, 2, 3});
    for (int i = 0; i < count; ++i) {
        FuncBuilder side = builder.draft("side", builder.nominal_of(*top));
        const Term stored = builder.store(builder.modify(builder.read_aligned(side, *top)));
        side.func()(side.vars()) = stored.expr;
        sides.push_back(&builder.finish(side, stored.magnitude, stored.exact));
    }
    FuncBuilder bottom = builder.draft("diamond", builder.nominal_of(*top));
    Term sum = builder.read_aligned(bottom, *sides[0]);
    for (int i = 1; i < count; ++i) {
        sum = builder.combine(sum, builder.read_aligned(bottom, *sides[i]));
    }
    const Term stored = builder.store(sum);
    bottom.func()(bottom.vars()) = stored.expr;
    builder.finish(bottom, stored.magnitude, stored.exact);
    return true;
}

bool select_kind(PipelineBuilder &builder) {
    Value *a = builder.choose(1, 4);
    if (!a) return false;
    Value *b = builder.choose_companion(*a);
    Value *mask = builder.choose(1, a->rank(), true);
    if (!mask) return false;
    FuncBuilder draft = builder.draft("select", builder.nominal_of(*a));
    Term yes = builder.read_aligned(draft, *a), no = builder.read_aligned(draft, *b);
    if (yes.is_float() != no.is_float()) {
        if (!yes.is_float()) yes.expr = cast<float>(yes.expr);
        if (!no.is_float()) no.expr = cast<float>(no.expr);
    }
    const Expr which = builder.condition(draft, builder.read_aligned(draft, *mask));
    const Term stored =
        builder.store({Halide::select(which, yes.expr, no.expr),
                       std::max(yes.magnitude, no.magnitude), yes.exact && no.exact});
    draft.func()(draft.vars()) = stored.expr;
    builder.finish(draft, stored.magnitude, stored.exact);
    return true;
}

// What two bits come to. Sums, differences and halves of them are left out: a bit has no place for
// a carry, and Halide's back ends disagree about it (LLVM's i1 wraps, OpenCL C's bool is true for
// all but 0; they differ in halving_add). The draw is the one of wider integers, so that seeds
// without bits here keep their pipelines.
Expr combined_bits(uint64_t draw, const Expr &e, const Expr &f) {
    switch (draw % 3) {
        case 0:
            return e && f;
        case 1:
            return e || f;
        default:
            return e != f;
    }
}

Expr combined_integers(uint64_t draw, const Expr &e, const Expr &f) {
    switch (draw) {
        case 0:
            return e + f;
        case 1:
            return Halide::saturating_add(e, f);
        case 2:
            return Halide::halving_add(e, f);
        case 3:
            return Halide::rounding_halving_add(e, f);
        case 4:
            return Halide::saturating_sub(e, f);
        case 5:
            return e * 3 - f;
        default:
            return Halide::lerp(Halide::absd(e, f), Halide::absd(f, e), cast<uint8_t>(77));
    }
}

// Computes in the stored type, in which small integers wrap, saturate or round.
bool fixed_point(PipelineBuilder &builder) {
    Value *a = nullptr;
    for (int i = 0; i < 4 && (!a || a->types[0].is_float() || a->types[0].bits() > 16); ++i) {
        a = builder.choose(1, 4, true);
    }
    if (!a || a->types[0].is_float() || a->types[0].bits() > 16) return false;
    FuncBuilder draft = builder.draft("fixed", builder.nominal_of(*a));
    std::vector<Coordinate> here;
    for (int d = 0; d < draft.rank(); ++d) here.push_back(draft.at(d));
    const Expr e = draft.read_raw(*a, here);
    Value *b = builder.choose_companion(*a);
    const Expr f = cast(e.type(), builder.limit(builder.read_aligned(draft, *b), 100).expr);
    if (e.type() != f.type()) return false;
    const uint64_t draw = builder.random().below(7);
    draft.func()(draft.vars()) =
        e.type().is_bool() ? combined_bits(draw, e, f) : combined_integers(draw, e, f);
    builder.finish(draft, 65535);
    return true;
}

bool tuple_pointwise(PipelineBuilder &builder) {
    Value *a = builder.choose(1, 3);
    if (!a) return false;
    Value *b = builder.choose_companion(*a);
    FuncBuilder draft = builder.draft("tuple", builder.nominal_of(*a));
    const Term left = builder.read_aligned(draft, *a), right = builder.read_aligned(draft, *b);
    const Term first = builder.store(builder.modify(left));
    const Term second = builder.store(builder.combine(left, right));
    std::vector<Expr> values = {first.expr, second.expr};
    double magnitude = std::max(first.magnitude, second.magnitude);
    bool exact = first.exact && second.exact;
    if (builder.chance(30)) {
        const Term third = builder.store(builder.modify(right));
        values.push_back(third.expr);
        magnitude = std::max(magnitude, third.magnitude);
        exact = exact && third.exact;
    }
    draft.func()(draft.vars()) = Halide::Tuple(values);
    builder.finish(draft, magnitude, exact);
    return true;
}

// Makes a Func of its coordinates only.
bool coordinates(PipelineBuilder &builder) {
    Value *like = builder.choose(1, 3);
    if (!like) return false;
    FuncBuilder draft = builder.draft("coords", builder.nominal_of(*like));
    Expr sum = 5;
    for (int d = 0; d < draft.rank(); ++d) sum = sum * 3 + draft.var(d) % (16 + d);
    const Term stored = builder.store({sum % 256, 256, true});
    draft.func()(draft.vars()) = stored.expr;
    builder.finish(draft, stored.magnitude, stored.exact);
    return true;
}

bool scaled_by_parameter(PipelineBuilder &builder) {
    Value *source = builder.choose(1, 3);
    if (!source) return false;
    FuncBuilder draft = builder.draft("gain", builder.nominal_of(*source));
    const Term a = builder.limit(builder.read_aligned(draft, *source), 10000);
    Term result;
    if (a.is_float()) {
        Halide::Param<float> gain(draft.func().name() + "_factor", 0.75f);
        gain.set_estimate(0.75f);
        builder.scalars.push_back(gain.parameter());
        result = {a.expr * gain, a.magnitude, false};
    } else {
        Halide::Param<int> gain(draft.func().name() + "_factor", 3);
        gain.set_estimate(3);
        builder.scalars.push_back(gain.parameter());
        result = {a.expr * gain, a.magnitude * 3, true};
    }
    const Term stored = builder.store(result);
    draft.func()(draft.vars()) = stored.expr;
    builder.finish(draft, stored.magnitude, stored.exact);
    return true;
}

constexpr Kind kPointwiseKinds[] = {
    {"unary", 4, unary},
    {"binary", 8, binary},
    {"diamond", 3, diamond},
    {"select", 4, select_kind},
    {"fixed_point", 6, fixed_point},
    {"tuple", 3, tuple_pointwise},
    {"coordinates", 3, coordinates},
    {"scalar_parameter", 2, scaled_by_parameter},
};

}  // namespace

std::span<const Kind> pointwise_kinds() {
    return kPointwiseKinds;
}

}  // namespace autoschedule_gpu::random_pipelines
