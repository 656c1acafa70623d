// Odd pipelines in which some stage can't run on a GPU.
#include "pipelines/odd_pipelines.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

// A stage that Halide calls: twice its input plus its coordinates. Asked for bounds, it wants the
// region of the input that it was asked to make. It was written for the CPU: an input that is on
// a device fails its assertion (Halide makes no copy; fetching inputs is the callee's duty).
EXPORTED int odd_pipelines_double(halide_buffer_t *in, halide_buffer_t *out) {
    const Halide::Runtime::Buffer<const int> input(*in);
    Halide::Runtime::Buffer<int> output(*out);
    if (in->is_bounds_query()) {
        for (int d = 0; d < out->dimensions; ++d) in->dim[d] = out->dim[d];
        return 0;
    }
    output.for_each_element([&](const int *at) { output(at) = input(at) * 2 + at[0] + at[1]; });
    return 0;
}

// The same, for callers that hand over data on a device.
EXPORTED int odd_pipelines_fetch_and_double(halide_buffer_t *in, halide_buffer_t *out) {
    if (!in->is_bounds_query() && in->device_dirty()) {
        const int error = in->device_interface->copy_to_host(nullptr, in);
        if (error) return error;
    }
    return odd_pipelines_double(in, out);
}

// A plain C function called in an expression.
EXPORTED int odd_pipelines_square(int x) {
    return x * x;
}

namespace autoschedule_gpu::testing {

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::Int;
using Halide::Var;

HalideExtern_1(int, odd_pipelines_square, int);

namespace {

const Var x("x"), y("y");

Func doubled(const Func &source) {
    Func result("doubled");
    result.define_extern("odd_pipelines_double", {source}, Int(32), 2);
    return result;
}

PipelineCase extern_stage() {
    OddCase c;
    const auto in = c.input(Int(32), box({40, 33}));
    Func before("before"), after("after");
    before(x, y) = in(x, y) + 1;
    const Func middle = doubled(before);
    after(x, y) = middle(x, y) * 3;
    return c.output(after, box({40, 33})).finish();
}

PipelineCase extern_stage_that_fetches() {
    OddCase c;
    const auto in = c.input(Int(32), box({40, 33}));
    Func before("before"), middle("middle"), after("after");
    before(x, y) = in(x, y) + 1;
    middle.define_extern("odd_pipelines_fetch_and_double", {before}, Int(32), 2);
    after(x, y) = middle(x, y) * 3;
    return c.output(after, box({40, 33})).finish();
}

PipelineCase extern_stage_with_stencils() {
    OddCase c;
    const auto in = c.input(Int(32), box({50, 43}));
    Func before("before"), after("after");
    before(x, y) = in(x, y) + in(x + 1, y + 2);
    const Func middle = doubled(before);
    after(x, y) = middle(x, y) + middle(x + 3, y) + before(x, y);
    return c.output(after, box({40, 33})).finish();
}

PipelineCase extern_output() {
    OddCase c;
    const auto in = c.input(Int(32), box({40, 33}));
    Func before("before");
    before(x, y) = in(x, y) % 17;
    return c.output(doubled(before), box({40, 33})).finish();
}

PipelineCase extern_reads_input() {
    OddCase c;
    const auto in = c.input(Int(32), box({40, 33}));
    Func after("after");
    after(x, y) = doubled(in)(x, y) - 5;
    return c.output(after, box({40, 33})).finish();
}

PipelineCase two_extern_stages() {
    OddCase c;
    const auto in = c.input(Int(32), box({40, 33}));
    Func between("between"), after("after");
    between(x, y) = doubled(in)(x, y) / 2;
    after(x, y) = doubled(between)(x, y) - between(x, y);
    return c.output(after, box({40, 33})).finish();
}

PipelineCase extern_c_call() {
    OddCase c;
    const auto in = c.input(Int(32), box({40, 33}));
    Func squares("squares"), after("after");
    squares(x, y) = odd_pipelines_square(in(x, y));
    after(x, y) = squares(x, y) + squares(x + 1, y);
    return c.output(after, box({39, 33})).finish();
}

PipelineCase memoized() {
    OddCase c;
    Func table("table"), after("after");
    table(x, y) = x * 3 + y * 5;
    table.memoize();
    after(x, y) = table(x, y) + table(x + 1, y);
    return c.output(after, box({40, 33})).finish();
}

// A memoized Func and its consumers must be on the same side: Halide 21 fails with an internal
// error ("Name not in Scope") when one is on a GPU and the other is not.
PipelineCase memoized_between_stages() {
    OddCase c;
    Func before("before"), kept("kept"), after("after");
    before(x, y) = (x ^ y) + 1;
    kept(x, y) = before(x, y) * before(x, y);
    kept.memoize();
    after(x, y) = kept(x, y) + kept(x + 1, y) + before(x, y);
    return c.output(after, box({40, 33})).finish();
}

PipelineCase print_in_func() {
    OddCase c;
    const auto in = c.input(Int(32), box({40, 33}));
    Func noisy("noisy"), after("after");
    noisy(x, y) = Halide::print_when(x == 0 && y == 0, in(x, y) * 2, "first pixel");
    after(x, y) = noisy(x, y) + 1;
    return c.output(after, box({40, 33})).finish();
}

PipelineCase require_in_func() {
    OddCase c;
    const auto in = c.input(Int(32), box({40, 33}));
    Func checked("checked"), after("after");
    checked(x, y) = Halide::require(in(x, y) < 1000, in(x, y) * 2, "pixels must be below 1000");
    after(x, y) = checked(x, y) + 1;
    return c.output(after, box({40, 33})).finish();
}

constexpr OddPipeline kTable[] = {
    {"extern_stage", extern_stage},
    {"extern_stage_that_fetches", extern_stage_that_fetches},
    {"extern_stage_with_stencils", extern_stage_with_stencils},
    {"extern_output", extern_output},
    {"extern_reads_input", extern_reads_input},
    {"two_extern_stages", two_extern_stages},
    {"extern_c_call", extern_c_call},
    {"memoized", memoized},
    {"memoized_between_stages", memoized_between_stages},
    {"print_in_func", print_in_func},
    {"require_in_func", require_in_func},
};

}  // namespace

std::span<const OddPipeline> odd_host_stages() {
    return kTable;
}

}  // namespace autoschedule_gpu::testing
