// Odd pipelines by value: types, data-dependent indices, arithmetic.
#include "pipelines/odd_pipelines.h"

namespace autoschedule_gpu::testing {

using Halide::cast;
using Halide::Expr;
using Halide::Float;
using Halide::Func;
using Halide::Int;
using Halide::RDom;
using Halide::UInt;
using Halide::Var;

namespace {

const Var x("x"), y("y"), c("c");

PipelineCase gather_unclamped_uint8() {
    OddCase odd;
    const auto in = odd.input(UInt(8), box({60, 41}));
    const auto table = odd.input(Int(32), box({256}));
    Func remapped("remapped"), out("out");
    remapped(x) = table(x) * 3;
    out(x, y) = remapped(in(x, y)) + remapped(in(x + 1, y));
    return odd.output(out, box({59, 41})).finish();
}

PipelineCase gather_through_two_tables() {
    OddCase odd;
    const auto in = odd.input(UInt(8), box({60, 41}));
    Func first("first"), second("second"), out("out");
    first(x) = cast<uint8_t>(x * 7 + 3);
    second(x) = cast<float>(x % 256) * 0.5f;
    out(x, y) = second(first(in(x, y)));
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase gather_clamped_coordinates() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({60, 41}));
    const auto flow = odd.input(Int(16), box({60, 41, 2}), 20);
    Func smooth("smooth"), warped("warped");
    smooth(x, y) = (in(x, y) + in(Halide::min(x + 1, 59), y)) * 0.5f;
    warped(x, y) =
        smooth(Halide::clamp(x + flow(x, y, 0), 0, 59), Halide::clamp(y + flow(x, y, 1), 0, 40));
    return odd.output(warped, box({60, 41})).finish();
}

// Nothing bounds the index, so `wide` can only be computed where it is used.
PipelineCase index_without_bounds() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func wide("wide"), out("out");
    wide(x) = (x % 100) * 3;
    out(x, y) = wide(in(x, y) * 1000);
    return odd.output(out, box({60, 41})).inline_only(wide).finish();
}

PipelineCase promised_index() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));  // -128 ... 127
    Func table("table"), out("out");
    table(x) = x * x;
    out(x, y) = table(Halide::unsafe_promise_clamped(in(x, y) + 128, 0, 255));
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase index_by_float() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({60, 41}));
    Func smooth("smooth"), out("out");
    smooth(x, y) = in(x, y) * 0.5f;
    const Expr source = cast<float>(x) * 0.75f;
    const Expr left = Halide::clamp(cast<int>(Halide::floor(source)), 0, 58);
    const Expr weight = source - cast<float>(left);
    out(x, y) = smooth(left, y) * (1.0f - weight) + smooth(left + 1, y) * weight;
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase divide_by_variables() {
    OddCase odd;
    const auto a = odd.input(Int(32), box({60, 41}));
    const auto b = odd.input(Int(32), box({60, 41}), 9);  // -4 ... 4: zero divides too
    Func quotient("quotient"), out("out");
    quotient(x, y) = a(x, y) / b(x, y) + a(x, y) % b(x, y);
    out(x, y) = quotient(x, y) + quotient(x, y) % (x % 5 + 1) + y / (x % 7 + 1);
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase int64_arithmetic() {
    OddCase odd;
    const auto in = odd.input(Int(64), box({60, 41}), 1000);
    Func squares("squares"), out("out");
    squares(x, y) = in(x, y) * in(x, y) * cast<int64_t>(1000000);
    const RDom r(0, 5);
    out(x, y) = cast<int64_t>(0);
    out(x, y) += squares(x + r, y) / 3;
    return odd.output(out, box({56, 41})).finish();
}

PipelineCase uint64_hash() {
    OddCase odd;
    const auto in = odd.input(UInt(32), box({60, 41}));
    Func mixed("mixed"), out("out");
    mixed(x, y) = cast<uint64_t>(in(x, y)) * cast<uint64_t>(Expr(2654435761u));
    out(x, y) = cast<uint32_t>(mixed(x, y) >> 16) ^ cast<uint32_t>(mixed(x + 1, y));
    return odd.output(out, box({59, 41})).finish();
}

PipelineCase doubles() {
    OddCase odd;
    const auto in = odd.input(Float(64), box({60, 41}));
    Func roots("roots"), out("out");
    roots(x, y) = Halide::sqrt(in(x, y) + 1);
    out(x, y) = roots(x, y) + roots(x + 1, y) * Expr(0.5);
    return odd.output(out, box({59, 41})).uses_doubles().finish();
}

PipelineCase booleans() {
    OddCase odd;
    const auto in = odd.input(UInt(8), box({60, 41}));
    Func bright("bright"), edge("edge"), out("out");
    bright(x, y) = in(x, y) > 128;
    edge(x, y) = bright(x, y) != bright(x + 1, y) || bright(x, y + 1);
    out(x, y) = cast<uint8_t>(Halide::select(edge(x, y), 255, 0));
    return odd.output(out, box({59, 40})).finish();
}

PipelineCase small_integers() {
    OddCase odd;
    const auto in = odd.input(Int(8), box({60, 41}), 255);
    Func doubled("doubled"), out("out");
    doubled(x, y) = in(x, y) * cast<int8_t>(2);
    out(x, y) = Halide::saturating_add(doubled(x, y), doubled(x + 1, y));
    return odd.output(out, box({59, 41})).finish();
}

PipelineCase fixed_point_intrinsics() {
    OddCase odd;
    const auto in = odd.input(Int(16), box({60, 41}), 4000);
    Func wide("wide"), out("out");
    wide(x, y) = Halide::widening_mul(in(x, y), in(x + 1, y));
    out(x, y) = Halide::saturating_cast<int16_t>(Halide::rounding_shift_right(wide(x, y), 7)) +
                Halide::rounding_mul_shift_right(in(x, y), cast<int16_t>(12345), 15);
    return odd.output(out, box({59, 41})).finish();
}

PipelineCase strict_floats() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({60, 41}));
    Func a("a"), out("out");
    a(x, y) = Halide::strict_float(in(x, y) * 0.1f + 0.3f);
    out(x, y) = Halide::strict_float((a(x, y) + a(x + 1, y)) * 0.7f);
    return odd.output(out, box({59, 41})).finish();
}

PipelineCase transcendental() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({60, 41}));
    Func a("a"), out("out");
    a(x, y) = Halide::log(in(x, y) + 1) + Halide::exp(in(x, y) * -0.1f);
    out(x, y) = Halide::pow(a(x, y) + 1, 1.5f) + Halide::atan2(a(x, y), a(x + 1, y) + 2) +
                Halide::tanh(a(x, y) * 0.25f) + Halide::fast_inverse(a(x, y) + 3);
    return odd.output(out, box({59, 41})).finish();
}

PipelineCase many_way_mux() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({40, 31}));
    Func out("out");
    std::vector<Expr> choices;
    for (int i = 0; i < 12; ++i) choices.push_back(in(x + i % 3, y) * i + i);
    out(x, y, c) = Halide::mux(c, choices);
    return odd.output(out, box({38, 31, 12})).finish();
}

PipelineCase constant_buffer() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({62, 43}));
    Halide::Buffer<int> kernel(3, 3);
    kernel.for_each_element([&](int i, int j) { kernel(i, j) = i * 2 + j - 1; });
    Func out("out");
    const RDom r(kernel);
    out(x, y) = Halide::sum(in(x + r.x, y + r.y) * kernel(r.x, r.y));
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase parameters_everywhere() {
    OddCase odd;
    // What is read of it depends on whether `a` is inline, for a select() in an expression needs both
    // sides.
    const auto in = odd.input(Float(32), {{-20, 150}, {-20, 100}});
    Halide::Param<float> gain("gain", 1.5f);
    Halide::Param<int> shift("shift", 3, 0, 8);
    Halide::Param<bool> flip("flip", true);
    gain.set_estimate(1.5f);
    shift.set_estimate(3);
    flip.set_estimate(true);
    Func a("a"), out("out");
    a(x, y) = in(x, y) * gain;
    out(x, y) = Halide::select(flip, a(x + shift, y), a(x, y) - gain);
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase boundary_of_computed() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({60, 41}));
    namespace bc = Halide::BoundaryConditions;
    const Func edge = bc::repeat_edge(in);
    Func blur("blur"), out("out");
    blur(x, y) = (edge(x - 2, y) + edge(x, y) + edge(x + 2, y)) * 0.25f;
    const Func mirrored = bc::mirror_interior(blur, {{0, in.width()}, {0, in.height()}});
    const Func outside = bc::constant_exterior(in, 1.0f);
    out(x, y) = mirrored(x, y - 3) + mirrored(x, y + 3) + outside(x - 1, y - 1);
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase lambdas() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func out("out");
    out(x, y) = Halide::lambda(x, y, in(x, y) + in(x + 1, y))(x, y) * 2;
    return odd.output(out, box({59, 41})).finish();
}

constexpr OddPipeline kTable[] = {
    {"gather_unclamped_uint8", gather_unclamped_uint8},
    {"gather_through_two_tables", gather_through_two_tables},
    {"gather_clamped_coordinates", gather_clamped_coordinates},
    {"index_without_bounds", index_without_bounds},
    {"promised_index", promised_index},
    {"index_by_float", index_by_float},
    {"divide_by_variables", divide_by_variables},
    {"int64_arithmetic", int64_arithmetic},
    {"uint64_hash", uint64_hash},
    {"doubles", doubles},
    {"booleans", booleans},
    {"small_integers", small_integers},
    {"fixed_point_intrinsics", fixed_point_intrinsics},
    {"strict_floats", strict_floats},
    {"transcendental", transcendental},
    {"many_way_mux", many_way_mux},
    {"constant_buffer", constant_buffer},
    {"parameters_everywhere", parameters_everywhere},
    {"boundary_of_computed", boundary_of_computed},
    {"lambdas", lambdas},
};

}  // namespace

std::span<const OddPipeline> odd_values() {
    return kTable;
}

}  // namespace autoschedule_gpu::testing
