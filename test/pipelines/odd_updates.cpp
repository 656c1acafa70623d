// Odd pipelines with updates: reductions, scans, scatters, predicates.
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

PipelineCase argmax_of_image() {
    OddCase odd;
    const auto in = odd.input(UInt(16), box({60, 41}), 5000);
    Func best("best"), out("out");
    const RDom r(0, 60, 0, 41);
    best() = Halide::Tuple(0, 0, cast<uint16_t>(0));
    best() = Halide::Tuple(Halide::select(in(r.x, r.y) > best()[2], r.x, best()[0]),
                           Halide::select(in(r.x, r.y) > best()[2], r.y, best()[1]),
                           Halide::max(in(r.x, r.y), best()[2]));
    out(x) = Halide::mux(x, {best()[0], best()[1], cast<int>(best()[2])});
    return odd.output(out, box({3})).fixed_size().finish();
}

PipelineCase argmin_per_pixel() {
    OddCase odd;
    const auto in = odd.input(Int(16), box({60, 41, 9}), 5000);
    Func out("out");
    const RDom r(0, 9);
    out(x, y) = Halide::argmin(r, in(x, y, r));
    return odd.output(out, box({60, 41})).finish();
}

// What each iteration of the last sum reads is wanted by no other: it may be computed in the loop.
PipelineCase patches_of_all_shifts() {
    OddCase odd;
    const auto in = odd.input(UInt(8), {{-6, 525}, {-6, 405}});
    Func apart("apart"), column("column"), patch("patch"), total("total"), out("out");
    const Var i("i"), j("j");
    const RDom tap(-3, 7, "tap"), shift(-3, 7, -3, 7, "shift");
    const Expr difference = cast<int>(in(x, y)) - cast<int>(in(x + i, y + j));
    apart(x, y, i, j) = difference * difference;
    column(x, y, i, j) = 0;
    column(x, y, i, j) += apart(x, y + tap, i, j);
    patch(x, y, i, j) = 0;
    patch(x, y, i, j) += column(x + tap, y, i, j);
    total(x, y) = 0;
    total(x, y) += patch(x, y, shift.x, shift.y) / 49 * in(x + shift.x, y + shift.y);
    out(x, y) = total(x, y) / 49;
    return odd.output(out, box({520, 400})).finish();
}

PipelineCase scatter_into_undef() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func turned("turned"), out("out");
    const RDom r(0, 60);
    turned(x, y) = Halide::undef<int>();
    turned((r * 7) % 60, y) = in(r, y) + 1;  // 7 and 60 have no common factor
    out(x, y) = turned(Halide::clamp(x, 0, 59), y) * 2;
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase undef_output_in_two_halves() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func out("out");
    const RDom left(0, 30, "left"), right(30, 30, "right");
    out(x, y) = Halide::undef<int>();
    out(left, y) = in(left, y);
    out(right, y) = -in(right, y);
    return odd.output(out, box({60, 41})).fixed_size().finish();
}

PipelineCase undef_tuple_element() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func both("both"), out("out");
    both(x, y) = Halide::Tuple(in(x, y), 1);
    both(x, y) = Halide::Tuple(both(x, y)[0] + 1, Halide::undef<int>());
    both(x, y) = Halide::Tuple(Halide::undef<int>(), both(x, y)[0] * 2);
    out(x, y) = both(x, y)[0] + both(x, y)[1];
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase histogram_by_data() {
    OddCase odd;
    const auto in = odd.input(UInt(8), box({60, 41}));
    Func counts("counts"), cdf("cdf"), out("out");
    const RDom r(0, 60, 0, 41);
    counts(x) = 0;
    counts(cast<int>(in(r.x, r.y))) += 1;
    const RDom b(1, 255);
    cdf(x) = counts(0);
    cdf(b) = cdf(b - 1) + counts(b);
    out(x, y) = cast<uint8_t>((cdf(in(x, y)) * 255) / (60 * 41));
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase joint_histogram() {
    OddCase odd;
    const auto a = odd.input(UInt(8), box({60, 41}));
    const auto b = odd.input(UInt(8), box({60, 41}));
    Func counts("counts");
    const RDom r(0, 60, 0, 41);
    counts(x, y) = 0;
    counts(cast<int>(a(r.x, r.y) / 16), cast<int>(b(r.x, r.y) / 16)) += 1;
    return odd.output(counts, box({16, 16})).finish();
}

PipelineCase image_sized_reduction() {
    OddCase odd;
    const auto in = odd.input(UInt(8), box({60, 41}));
    Func counts("counts");
    const RDom r(in);
    counts(x) = 0;
    counts(cast<int>(in(r.x, r.y)) % 32) += 1;
    return odd.output(counts, box({32})).finish();
}

PipelineCase parameter_sized_reduction() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({100, 41}));
    Halide::Param<int> radius("radius", 4);
    radius.set_estimate(4);
    Func out("out");
    const RDom r(-radius, 2 * radius + 1);
    out(x, y) = 0;
    out(x, y) += in(x + r + 20, y);
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase empty_reduction() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Halide::Param<int> count("count", 0);
    count.set_estimate(3);
    Func out("out");
    const RDom r(0, count);
    out(x, y) = in(x, y);
    out(x, y) += in(x, Halide::clamp(r, 0, 10));
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase recursive_filter() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({2000, 5}));
    Func iir("iir"), out("out");
    const RDom r(1, 1999);
    iir(x, y) = in(x, y);
    iir(r, y) = iir(r - 1, y) * 0.75f + iir(r, y) * 0.25f;
    iir(1999 - r, y) = iir(2000 - r, y) * 0.75f + iir(1999 - r, y) * 0.25f;
    out(x, y) = iir(x, y) + 1;
    return odd.output(out, box({2000, 5})).finish();
}

PipelineCase recursive_filter_output() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({5, 700}));
    Func iir("iir");
    const RDom r(2, 698);
    iir(x, y) = in(x, y);
    iir(x, r) = iir(x, r - 1) * 0.5f + iir(x, r - 2) * 0.25f + in(x, r) * 0.25f;
    return odd.output(iir, box({5, 700})).finish();
}

// Each pixel needs its left and upper neighbours: no loop of the update is parallel.
PipelineCase wavefront() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({40, 31}));
    Func table("table"), out("out");
    const RDom r(1, 39, 1, 30);
    table(x, y) = in(x, y);
    table(r.x, r.y) = Halide::min(table(r.x - 1, r.y), table(r.x, r.y - 1)) + in(r.x, r.y) % 7;
    out(x, y) = table(x, y) + table(x, 0);
    return odd.output(out, box({40, 31})).finish();
}

PipelineCase fourteen_updates() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func out("out");
    out(x, y) = in(x, y);
    for (int i = 0; i < 14; ++i) {
        switch (i % 4) {
            case 0:
                out(x, y) += i;
                break;
            case 1:
                out(x, i) = out(x, i) * 2;
                break;
            case 2:
                out(i, y) = out(i + 1, y) + out(i, y);
                break;
            default: {
                const RDom r(0, 5, std::string("r").append(std::to_string(i)));
                out(x, y) += in(r, y) % (i + 1);
            }
        }
    }
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase triangle() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({40, 40}));
    Func out("out");
    RDom r(0, 40, 0, 40);
    r.where(r.x <= r.y);
    out(x) = 0;
    out(x) += in(r.x, r.y) * ((x + r.x) % 3);
    return odd.output(out, box({25})).finish();
}

PipelineCase where_by_data() {
    OddCase odd;
    const auto in = odd.input(UInt(8), box({60, 41}));
    Func out("out");
    RDom r(-2, 5);
    r.where(in(x + r + 2, y) > 100);
    out(x, y) = 0;
    out(x, y) += cast<int>(in(x + r + 2, y));
    return odd.output(out, box({56, 41})).finish();
}

PipelineCase where_writes_a_triangle() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({40, 40}));
    Func table("table"), out("out");
    RDom r(0, 40, 0, 40);
    r.where(r.x + r.y < 40);
    table(x, y) = 0;
    table(r.x, r.y) = in(r.x, r.y);
    out(x, y) = table(x, y) + table(y, x);
    return odd.output(out, box({40, 40})).finish();
}

PipelineCase inlined_and_updated() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func small("small"), sums("sums"), out("out");
    small(x, y) = in(x, y) + 3;
    const RDom r(0, 10);
    sums(x, y) = small(x, y);
    sums(x, y) += small(x + r, y);
    out(x, y) = sums(x, y) * small(x, y);
    return odd.output(out, box({50, 41})).finish();
}

PipelineCase rows_overwrite_rows() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func table("table"), out("out");
    table(x, y) = in(x, y);
    table(x, 0) = table(x, 5) + table(x, 7);
    table(x, 40) = table(x, 0) * 2;
    out(x, y) = table(x, y) + 1;
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase swap_in_place() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({60, 41}));
    Func table("table"), out("out");
    const RDom r(0, 30);
    table(x, y) = Halide::Tuple(in(x, y), in(x, y) + 1);
    table(r, y) = Halide::Tuple(table(59 - r, y)[1], table(r, y)[0]);
    out(x, y) = table(x, y)[0] - table(x, y)[1];
    return odd.output(out, box({60, 41})).finish();
}

PipelineCase matrix_product_of_constants() {
    OddCase odd;
    Func a("a"), b("b"), product("product");
    a(x, y) = cast<float>((x * 3 + y) % 17);
    b(x, y) = cast<float>((x + y * 5) % 13);
    const RDom k(0, 70);
    product(x, y) = 0.0f;
    product(x, y) += a(k, y) * b(x, k);
    return odd.output(product, box({45, 37})).finish();
}

PipelineCase complex_product() {
    OddCase odd;
    const auto in = odd.input(Float(32), box({32, 20, 2}));
    Func z("z"), dft("dft"), out("out");
    z(x, y) = Halide::Tuple(in(x, y, 0), in(x, y, 1));
    const RDom k(0, 32);
    const Expr angle = cast<float>((x * k) % 32) * (2 * 3.14159265f / 32);
    dft(x, y) = Halide::Tuple(0.0f, 0.0f);
    dft(x, y) = Halide::Tuple(
        dft(x, y)[0] + z(k, y)[0] * Halide::cos(angle) - z(k, y)[1] * Halide::sin(angle),
        dft(x, y)[1] + z(k, y)[0] * Halide::sin(angle) + z(k, y)[1] * Halide::cos(angle));
    out(x, y) = Halide::hypot(dft(x, y)[0], dft(x, y)[1]);
    return odd.output(out, box({32, 20})).finish();
}

PipelineCase five_reduction_loops() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({12, 12, 4}));
    Func out("out");
    const RDom r({{0, 3}, {0, 3}, {0, 4}, {0, 2}, {0, 2}}, "r");
    out(x, y) = 0;
    out(x, y) += in(x + r[0] + r[3], y + r[1] + r[4], r[2]);
    return odd.output(out, box({9, 9})).finish();
}

PipelineCase long_reduction() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({20000}));
    Func out("out");
    const RDom r(0, 20000);
    out(x) = 0;
    out(x) += Halide::select(in(r) % 3 == x, 1, 0);
    return odd.output(out, box({3})).finish();
}

// Kernels without a loop to share: a sum that two outputs of no dimensions read.
PipelineCase one_sum_for_two_scalars() {
    OddCase odd;
    const auto in = odd.input(Int(32), box({20000}), 1000);
    Func sums("sums"), mean("mean"), spread("spread");
    const RDom r(0, in.dim(0).extent());
    sums() = Halide::Tuple(cast<int64_t>(0), cast<int64_t>(0));
    const Expr value = cast<int64_t>(in(r));
    sums() = Halide::Tuple(sums()[0] + value, sums()[1] + value * value);
    mean() = cast<int>(sums()[0] / 20000);
    spread() = cast<int>(sums()[1] / 20000) - mean() * mean();
    return odd.output(mean, {}).output(spread, {}).finish();
}

constexpr OddPipeline kTable[] = {
    {"argmax_of_image", argmax_of_image},
    {"argmin_per_pixel", argmin_per_pixel},
    {"patches_of_all_shifts", patches_of_all_shifts},
    {"scatter_into_undef", scatter_into_undef},
    {"undef_output_in_two_halves", undef_output_in_two_halves},
    {"undef_tuple_element", undef_tuple_element},
    {"histogram_by_data", histogram_by_data},
    {"joint_histogram", joint_histogram},
    {"image_sized_reduction", image_sized_reduction},
    {"parameter_sized_reduction", parameter_sized_reduction},
    {"empty_reduction", empty_reduction},
    {"recursive_filter", recursive_filter},
    {"recursive_filter_output", recursive_filter_output},
    {"wavefront", wavefront},
    {"fourteen_updates", fourteen_updates},
    {"triangle", triangle},
    {"where_by_data", where_by_data},
    {"where_writes_a_triangle", where_writes_a_triangle},
    {"inlined_and_updated", inlined_and_updated},
    {"rows_overwrite_rows", rows_overwrite_rows},
    {"swap_in_place", swap_in_place},
    {"matrix_product_of_constants", matrix_product_of_constants},
    {"complex_product", complex_product},
    {"five_reduction_loops", five_reduction_loops},
    {"long_reduction", long_reduction},
    {"one_sum_for_two_scalars", one_sum_for_two_scalars},
};

}  // namespace

std::span<const OddPipeline> odd_updates() {
    return kTable;
}

}  // namespace autoschedule_gpu::testing
