// Odd pipelines by shape: sizes, dimensions, outputs, names, long chains.
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

const Var x("x"), y("y"), c("c"), n("n"), v("v"), w("w");

PipelineCase one_pixel() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({3, 3}));
    Func blur("blur"), out("out");
    blur(x, y) = in(x, y) + in(x + 1, y) + in(x + 2, y);
    out(x, y) = blur(x, y) + blur(x, y + 1) + blur(x, y + 2);
    return odd.output(out, box({1, 1})).finish();
}

PipelineCase one_row() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({502, 1}));
    Func blur("blur"), out("out");
    blur(x, y) = in(x, y) + in(x + 2, y);
    out(x, y) = blur(x, y) * 2;
    return odd.output(out, box({500, 1})).finish();
}

PipelineCase one_column() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({1, 502}));
    Func blur("blur"), out("out");
    blur(x, y) = in(x, y) + in(x, y + 2);
    out(x, y) = blur(x, y) * 2;
    return odd.output(out, box({1, 500})).finish();
}

PipelineCase negative_coordinates() {
    OddCase odd;
    const auto in = odd.input(Int(32), {{-60, -1}, {-31, 20}});
    Func blur("blur"), out("out");
    blur(x, y) = in(x, y) + in(x + 1, y);
    out(x, y) = blur(x, y) + blur(x, y + 1) + x;
    return odd.output(out, {{-60, -20}, {-31, 7}}).finish();
}

PipelineCase scalar_output() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func total("total");
    const RDom r(0, 60, 0, 41);
    total() = 0;
    total() += in(r.x, r.y);
    return odd.output(total, {}).finish();
}

PipelineCase scalar_of_nothing() {
    OddCase odd;
    Func answer("answer");
    answer() = 42;
    return odd.output(answer, {}).finish();
}

PipelineCase scalars_read_everywhere() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({60, 41}));
    Func total("total"), peak("peak"), out("out");
    const RDom r(0, 60, 0, 41);
    total() = 0.0f;
    total() += in(r.x, r.y);
    peak() = Halide::maximum(in(r.x, r.y));
    out(x, y) = (in(x, y) - total() / 2460) / (peak() + 1);
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase several_outputs() {
    OddCase odd;
    const auto in = odd.input(UInt(8), box({61, 44}));
    Func wide("wide"), twice("twice"), row("row");
    wide(x, y) = cast<uint16_t>(in(x, y)) + in(x + 1, y);
    twice(x, y) = wide(x, y) * 2;
    const RDom r(0, 40);
    row(x) = 0;
    row(x) += cast<int>(wide(x, r));
    return odd.output(wide, box({60, 44}))
        .output(twice, box({60, 44}))
        .output(row, box({60}))
        .finish();
}

PipelineCase outputs_of_different_sizes() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({64, 64}));
    Func half("half"), full("full"), tiny("tiny");
    half(x, y) = (in(2 * x, 2 * y) + in(2 * x + 1, 2 * y + 1)) * 0.5f;
    full(x, y) = in(x, y) - half(x / 2, y / 2);
    tiny(x) = half(x, 3);
    return odd.output(full, box({63, 61}))
        .output(half, box({32, 32}))
        .output(tiny, box({3}))
        .finish();
}

PipelineCase tuple_output() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({60, 41}));
    Func pair("pair"), out("out");
    pair(x, y) = Halide::Tuple(cast<int>(x + y), in(x, y) * 2, cast<uint8_t>(x * y));
    out(x, y) = Halide::Tuple(pair(x, y)[1] + cast<float>(pair(x + 1, y)[0]), pair(x, y)[2]);
    return odd.output(out, box({59, 41})).finish();
}

PipelineCase same_names() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func first("f"), second("f"), third("f");
    first(x, y) = in(x, y) + 1;
    second(x, y) = first(x, y) + first(x + 1, y);
    third(x, y) = second(x, y) * first(x, y);
    return odd.output(third, box({59, 41})).finish();
}

PipelineCase unusual_names() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    const Var xo("x_o"), yi("y__"), thread("thread_id_x");
    Func first("class"), second("_f"), third("f_update");
    first(xo, yi) = in(xo, yi) + 1;
    second(thread, xo) = first(thread, xo) + first(thread + 1, xo);
    third(x, y) = second(x, y);
    return odd.output(third, box({59, 41})).finish();
}

PipelineCase copy_of_input() {
    OddCase odd;
    const auto in = odd.input(UInt(8), box({60, 41}));
    Func out("out");
    out(x, y) = in(x, y);
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase no_inputs() {
    OddCase odd;
    Func waves("waves"), out("out");
    waves(x, y) = Halide::sin(cast<float>(x % 64) * 0.1f) + cast<float>(y % 32);
    out(x, y) = waves(x, y) + waves(x + 1, y) + waves(x, y + 1);
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase constant() {
    OddCase odd;
    Func out("out");
    out(x, y) = 7;
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase input_not_read() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func out("out");
    out(x, y) = x + y * in.width();
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase huge_estimates() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({100002, 100002}));
    Func blur("blur"), out("out");
    blur(x, y) = in(x, y) + in(x + 1, y) + in(x + 2, y);
    out(x, y) = blur(x, y) + blur(x, y + 1) + blur(x, y + 2);
    return odd.output(out, box({100000, 100000})).schedule_only().finish();
}

Func stencil_of(const Func &source, int i) {
    Func next("stage_" + std::to_string(i));
    next(x, y) = (source(x, y) + source(x + 1, y)) / 2 + i % 3;
    return next;
}

PipelineCase chain_of_60_stencils() {
    OddCase odd;
    Func stage = odd.input(Int(32), box({130, 20}));
    for (int i = 0; i < 60; ++i) stage = stencil_of(stage, i);
    return odd.output(stage, box({70, 20})).finish();
}

PipelineCase chain_of_60_pointwise() {
    OddCase odd;
    Func stage = odd.input(Int(32), box({70, 20}));
    for (int i = 0; i < 60; ++i) {
        Func next("stage_" + std::to_string(i));
        next(x, y) = (stage(x, y) ^ (i + 1)) + i % 2;
        stage = next;
    }
    return odd.output(stage, box({70, 20})).finish();
}

// Inlining all of it would double the work 24 times over.
PipelineCase chain_that_explodes_inline() {
    OddCase odd;
    Func stage = odd.input(Int(32), box({70, 40}));
    for (int i = 0; i < 24; ++i) {
        Func next("stage_" + std::to_string(i));
        next(x, y) = (stage(x, y) + stage(y % 20, x % 20)) % 1009;
        stage = next;
    }
    return odd.output(stage, box({33, 29})).finish();
}

PipelineCase many_consumers() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({80, 40}));
    Func shared("shared"), out("out");
    shared(x, y) = in(x, y) * 3 + in(x + 1, y);
    Expr sum = 0;
    for (int i = 0; i < 20; ++i) {
        Func side("side_" + std::to_string(i));
        side(x, y) = (shared(x + i, y) + shared(x, y)) / (i + 1);
        sum += side(x, y);
    }
    out(x, y) = sum;
    return odd.output(out, box({50, 40})).finish();
}

PipelineCase five_dimensions() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({9, 8, 7, 6, 5}));
    Func a("a"), out("out");
    a(x, y, c, n, v) = in(x, y, c, n, v) + in(x + 1, y, c, n, v);
    out(x, y, c, n, v) = a(x, y, c, n, v) + a(x, y + 1, c + 1, n, v);
    return odd.output(out, box({8, 7, 6, 6, 5})).finish();
}

PipelineCase six_dimensions() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({6, 5, 4, 3}));
    Func a("a"), out("out");
    a(x, y, c, n, v, w) = in(x, y, c, n) + v * 3 + w;
    const RDom r(0, 3);
    out(x, y, c, n, v, w) = 0;
    out(x, y, c, n, v, w) += a(x, y, c, n, v + r, w);
    return odd.output(out, box({6, 5, 4, 3, 2, 2})).finish();
}

PipelineCase bounds_by_the_user() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({80, 48, 3}));
    Func a("a"), b("b"), out("out");
    a(x, y, c) = in(x, y, c) * 2;
    b(x, y, c) = a(x, y, c) + a(x + 1, y, c);
    out(x, y, c) = b(x, y, c) + b(x, y, 2 - c);
    a.bound_extent(c, 3);
    b.align_bounds(x, 8).align_bounds(y, 4);
    b.reorder_storage(c, x, y);
    a.align_storage(x, 16);
    out.bound(c, 0, 3);
    return odd.output(out, box({64, 40, 3})).fixed_size().finish();
}

PipelineCase deep_pyramid() {
    OddCase odd;
    Func level = odd.input(Float(32), box({300, 300}));
    std::vector<Func> down = {level};
    for (int i = 1; i < 7; ++i) {
        Func next("down_" + std::to_string(i));
        Func clamped = down.back();
        next(x, y) = (clamped(2 * x, 2 * y) + clamped(2 * x + 1, 2 * y + 1)) * 0.5f;
        down.push_back(next);
    }
    Func up = down.back();
    for (int i = 5; i >= 0; --i) {
        Func next("up_" + std::to_string(i));
        next(x, y) = up(x / 2, y / 2) * 0.5f + down[i](x, y) * 0.5f;
        up = next;
    }
    return odd.output(up, box({150, 130})).finish();
}

PipelineCase polyphase() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func a("a"), out("out");
    a(x, y, c) = in(x, y) * (c + 1);
    out(x, y) = a(x / 3, y, x % 3) + a((x + 1) / 3, y, (x + 1) % 3);
    return odd.output(out, box({170, 41})).finish();
}

PipelineCase many_channels() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({3, 3, 500}));
    Func a("a"), out("out");
    a(x, y, c) = in(x, y, c) + in(x, y, c + 1);
    out(x, y, c) = a(x, y, c) * 2 + a(x, y, 0);
    return odd.output(out, box({3, 3, 499})).finish();
}

constexpr OddPipeline kTable[] = {
    {"one_pixel", one_pixel},
    {"one_row", one_row},
    {"one_column", one_column},
    {"negative_coordinates", negative_coordinates},
    {"scalar_output", scalar_output},
    {"scalar_of_nothing", scalar_of_nothing},
    {"scalars_read_everywhere", scalars_read_everywhere},
    {"several_outputs", several_outputs},
    {"outputs_of_different_sizes", outputs_of_different_sizes},
    {"tuple_output", tuple_output},
    {"same_names", same_names},
    {"unusual_names", unusual_names},
    {"copy_of_input", copy_of_input},
    {"no_inputs", no_inputs},
    {"constant", constant},
    {"input_not_read", input_not_read},
    {"huge_estimates", huge_estimates},
    {"chain_of_60_stencils", chain_of_60_stencils},
    {"chain_of_60_pointwise", chain_of_60_pointwise},
    {"chain_that_explodes_inline", chain_that_explodes_inline},
    {"many_consumers", many_consumers},
    {"five_dimensions", five_dimensions},
    {"six_dimensions", six_dimensions},
    {"bounds_by_the_user", bounds_by_the_user},
    {"deep_pyramid", deep_pyramid},
    {"polyphase", polyphase},
    {"many_channels", many_channels},
};

}  // namespace

std::span<const OddPipeline> odd_shapes() {
    return kTable;
}

}  // namespace autoschedule_gpu::testing
