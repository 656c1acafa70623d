// Kinds without a neighbourhood: one point in, one point out.
#include "learn/random_pipelines/kinds.h"

namespace autoschedule_gpu::random_pipelines {

using Halide::cast;
using Halide::Expr;

namespace {

bool unary(PipelineBuilder &shop) {
    Value *source = shop.choose(0, 4);
    if (!source) return false;
    FuncBuilder draft = shop.draft("unary", shop.nominal_of(*source));
    const Term stored = shop.store(shop.modify(shop.read_aligned(draft, *source)));
    draft.func()(draft.vars()) = stored.expr;
    shop.finish(draft, stored.magnitude, stored.exact);
    return true;
}

bool binary(PipelineBuilder &shop) {
    Value *a = shop.choose(1, 4);
    if (!a) return false;
    Value *b = shop.choose_companion(*a);
    FuncBuilder draft = shop.draft("binary", shop.nominal_of(*a));
    const Term left = shop.read_aligned(draft, *a);
    const Term stored = shop.store(shop.combine(left, shop.read_aligned(draft, *b)));
    draft.func()(draft.vars()) = stored.expr;
    shop.finish(draft, stored.magnitude, stored.exact);
    return true;
}

// A value with several consumers that meet again.
bool diamond(PipelineBuilder &shop) {
    Value *top = shop.choose(1, 3);
    if (!top) return false;
    std::vector<Value *> sides;
    const int count = shop.pick({2, 2, 3});
    for (int i = 0; i < count; ++i) {
        FuncBuilder side = shop.draft("side", shop.nominal_of(*top));
        const Term stored = shop.store(shop.modify(shop.read_aligned(side, *top)));
        side.func()(side.vars()) = stored.expr;
        sides.push_back(&shop.finish(side, stored.magnitude, stored.exact));
    }
    FuncBuilder bottom = shop.draft("diamond", shop.nominal_of(*top));
    Term sum = shop.read_aligned(bottom, *sides[0]);
    for (int i = 1; i < count; ++i) {
        sum = shop.combine(sum, shop.read_aligned(bottom, *sides[i]));
    }
    const Term stored = shop.store(sum);
    bottom.func()(bottom.vars()) = stored.expr;
    shop.finish(bottom, stored.magnitude, stored.exact);
    return true;
}

bool select_kind(PipelineBuilder &shop) {
    Value *a = shop.choose(1, 4);
    if (!a) return false;
    Value *b = shop.choose_companion(*a);
    Value *mask = shop.choose(1, a->rank(), true);
    if (!mask) return false;
    FuncBuilder draft = shop.draft("select", shop.nominal_of(*a));
    Term yes = shop.read_aligned(draft, *a), no = shop.read_aligned(draft, *b);
    if (yes.is_float() != no.is_float()) {
        if (!yes.is_float()) yes.expr = cast<float>(yes.expr);
        if (!no.is_float()) no.expr = cast<float>(no.expr);
    }
    const Expr which = shop.condition(draft, shop.read_aligned(draft, *mask));
    const Term stored = shop.store({Halide::select(which, yes.expr, no.expr),
                                    std::max(yes.magnitude, no.magnitude), yes.exact && no.exact});
    draft.func()(draft.vars()) = stored.expr;
    shop.finish(draft, stored.magnitude, stored.exact);
    return true;
}

// Arithmetic in the stored type, where small integers wrap, saturate or round.
bool fixed_point(PipelineBuilder &shop) {
    Value *a = nullptr;
    for (int i = 0; i < 4 && (!a || a->types[0].is_float() || a->types[0].bits() > 16); ++i) {
        a = shop.choose(1, 4, true);
    }
    if (!a || a->types[0].is_float() || a->types[0].bits() > 16) return false;
    FuncBuilder draft = shop.draft("fixed", shop.nominal_of(*a));
    std::vector<Coordinate> here;
    for (int d = 0; d < draft.rank(); ++d) here.push_back(draft.at(d));
    const Expr e = draft.read_raw(*a, here);
    Value *b = shop.choose_companion(*a);
    const Expr f = cast(e.type(), shop.limit(shop.read_aligned(draft, *b), 100).expr);
    if (e.type() != f.type()) return false;
    Expr result;
    switch (shop.random().below(7)) {
        case 0:
            result = e + f;
            break;
        case 1:
            result = Halide::saturating_add(e, f);
            break;
        case 2:
            result = Halide::halving_add(e, f);
            break;
        case 3:
            result = Halide::rounding_halving_add(e, f);
            break;
        case 4:
            result = Halide::saturating_sub(e, f);
            break;
        case 5:
            result = e * 3 - f;
            break;
        default:
            result = Halide::lerp(Halide::absd(e, f), Halide::absd(f, e), cast<uint8_t>(77));
    }
    draft.func()(draft.vars()) = result;
    shop.finish(draft, 65535);
    return true;
}

bool tuple_pointwise(PipelineBuilder &shop) {
    Value *a = shop.choose(1, 3);
    if (!a) return false;
    Value *b = shop.choose_companion(*a);
    FuncBuilder draft = shop.draft("tuple", shop.nominal_of(*a));
    const Term left = shop.read_aligned(draft, *a), right = shop.read_aligned(draft, *b);
    const Term first = shop.store(shop.modify(left));
    const Term second = shop.store(shop.combine(left, right));
    std::vector<Expr> values = {first.expr, second.expr};
    double magnitude = std::max(first.magnitude, second.magnitude);
    bool exact = first.exact && second.exact;
    if (shop.chance(30)) {
        const Term third = shop.store(shop.modify(right));
        values.push_back(third.expr);
        magnitude = std::max(magnitude, third.magnitude);
        exact = exact && third.exact;
    }
    draft.func()(draft.vars()) = Halide::Tuple(values);
    shop.finish(draft, magnitude, exact);
    return true;
}

// A Func of its coordinates only.
bool coordinates(PipelineBuilder &shop) {
    Value *like = shop.choose(1, 3);
    if (!like) return false;
    FuncBuilder draft = shop.draft("coords", shop.nominal_of(*like));
    Expr sum = 5;
    for (int d = 0; d < draft.rank(); ++d) sum = sum * 3 + draft.var(d) % (16 + d);
    const Term stored = shop.store({sum % 256, 256, true});
    draft.func()(draft.vars()) = stored.expr;
    shop.finish(draft, stored.magnitude, stored.exact);
    return true;
}

bool scaled_by_parameter(PipelineBuilder &shop) {
    Value *source = shop.choose(1, 3);
    if (!source) return false;
    FuncBuilder draft = shop.draft("gain", shop.nominal_of(*source));
    const Term a = shop.limit(shop.read_aligned(draft, *source), 10000);
    Term result;
    if (a.is_float()) {
        Halide::Param<float> gain(draft.func().name() + "_factor", 0.75f);
        gain.set_estimate(0.75f);
        shop.scalars.push_back(gain.parameter());
        result = {a.expr * gain, a.magnitude, false};
    } else {
        Halide::Param<int> gain(draft.func().name() + "_factor", 3);
        gain.set_estimate(3);
        shop.scalars.push_back(gain.parameter());
        result = {a.expr * gain, a.magnitude * 3, true};
    }
    const Term stored = shop.store(result);
    draft.func()(draft.vars()) = stored.expr;
    shop.finish(draft, stored.magnitude, stored.exact);
    return true;
}

constexpr Kind kKinds[] = {
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
    return kKinds;
}

}  // namespace autoschedule_gpu::random_pipelines
