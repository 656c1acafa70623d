#include "pipelines.h"

namespace autoschedule_gpu::testing {
namespace {

using namespace Halide;
using Halide::ConciseCasts::f32;
using Halide::ConciseCasts::i32;

const Var x("x"), y("y"), c("c"), z("z");

ImageParam image(Type type, std::vector<int> extents, const std::string &name = "in") {
    ImageParam in(type, static_cast<int>(extents.size()), name);
    for (size_t d = 0; d < extents.size(); d++) {
        in.dim(static_cast<int>(d)).set_estimate(0, extents[d]);
    }
    return in;
}

Pipeline finished(Func f, std::vector<int> extents) {
    for (size_t d = 0; d < extents.size(); d++) f.set_estimate(f.args()[d], 0, extents[d]);
    return f;
}

Pipeline separable_blur() {
    ImageParam in = image(UInt(16), {66, 50});
    Func a("a"), b("b");
    a(x, y) = in(x, y) + in(x + 1, y) + in(x + 2, y);
    b(x, y) = a(x, y) + a(x, y + 1) + a(x, y + 2);
    return finished(b, {64, 48});
}

Pipeline pyramid() {
    ImageParam in = image(Float(32), {100, 80});
    Func level = BoundaryConditions::repeat_edge(in);
    std::vector<Func> down{level};
    for (int i = 0; i < 3; i++) {
        Func next("down");
        next(x, y) = (down[i](2 * x - 1, 2 * y) + down[i](2 * x, 2 * y) * 3.0f +
                      down[i](2 * x + 1, 2 * y + 1)) *
                     0.2f;
        down.push_back(next);
    }
    Func up = down.back();
    for (int i = 2; i >= 0; i--) {
        Func next("up");
        next(x, y) = up(x / 2, y / 2) * 0.5f + up((x + 1) / 2, (y + 1) / 2) * 0.25f + down[i](x, y);
        up = next;
    }
    return finished(up, {100, 80});
}

Pipeline grid() {
    ImageParam in = image(Float(32), {64, 64});
    Func clamped = BoundaryConditions::repeat_edge(in), hist("hist"), blur("blur"), out("out");
    RDom r(0, 8, 0, 8, "r");
    Expr value = clamp(clamped(x * 8 + r.x - 4, y * 8 + r.y - 4), 0.0f, 1.0f);
    hist(x, y, z) = 0.0f;
    hist(x, y, i32(value * 10.0f + 0.5f)) += value;
    blur(x, y, z) = hist(x - 1, y, z - 1) + hist(x, y, z) * 4.0f + hist(x + 1, y, z + 1);
    Expr zv = clamp(in(x, y), 0.0f, 1.0f) * 10.0f;
    Expr zi = i32(zv), zf = zv - zi;
    out(x, y) = lerp(blur(x / 8, y / 8, zi), blur(x / 8 + 1, y / 8 + 1, zi + 1), zf);
    return finished(out, {64, 64});
}

Pipeline matrix_product() {
    ImageParam a = image(Float(32), {40, 24}, "a"), b = image(Float(32), {32, 40}, "b");
    Func product("product"), out("out");
    RDom k(0, 40, "k");
    product(x, y) = 0.0f;
    product(x, y) += a(k, y) * b(x, k);
    out(x, y) = product(x, y) + 1.0f;
    return finished(out, {32, 24});
}

Pipeline demosaic() {
    ImageParam in = image(UInt(16), {68, 52});
    Func even("even"), odd("odd"), mixed("mixed"), out("out");
    even(x, y) = in(2 * x + 2, 2 * y + 2);
    odd(x, y) = in(2 * x + 1, 2 * y + 1);
    mixed(x, y) = select(x % 2 == 0, even(x / 2, y / 2), odd((x + 1) / 2, y / 2));
    out(x, y, c) = mux(c, {mixed(x, y), mixed(x + 1, y), mixed(x, y + 1)});
    return finished(out, {60, 44, 3});
}

Pipeline scans() {
    ImageParam in = image(Float(32), {64, 32});
    Func f("f"), out("out");
    RDom r(1, 63, "r");
    f(x, y) = in(x, y);
    f(r, y) = 0.5f * f(r - 1, y) + 0.5f * f(r, y);
    f(63 - r, y) = 0.5f * f(64 - r, y) + 0.5f * f(63 - r, y);
    out(x, y) = f(x, y);
    return finished(out, {60, 32});
}

Pipeline histogram() {
    ImageParam in = image(UInt(8), {64, 64});
    Func hist("hist"), sums("sums"), out("out");
    RDom r(0, 64, 0, 64, "r"), s(1, 255, "s");
    hist(x) = 0;
    hist(in(r.x, r.y)) += 1;
    sums(x) = hist(0);
    sums(s) = sums(s - 1) + hist(s);
    out(x, y) = cast<uint8_t>(sums(in(x, y)) / 16);
    return finished(out, {64, 64});
}

Pipeline sliding_maximum() {
    // Doubling windows: 1 << r has a bound only through the ends of r.
    ImageParam in = image(Float(32), {64, 200});
    Func logs("logs"), out("out");
    RDom r(-26, 130, 1, 3, "r");
    logs(x, y, z) = undef<float>();
    logs(x, y, 0) = in(x, clamp(y, 0, 99));
    logs(x, r.x, r.y) =
        max(logs(x, r.x, r.y - 1), logs(x, r.x + clamp(1 << (r.y - 1), 0, 26), r.y - 1));
    out(x, y) = max(logs(x, y, 2), logs(x, y + 3, 2));
    return finished(out, {64, 64});
}

Pipeline resize() {
    ImageParam in = image(UInt(8), {100, 80});
    Param<float> scale("scale");
    scale.set_estimate(1.75f);
    Func clamped = BoundaryConditions::repeat_edge(in), weights("weights"), out("out");
    Expr source = (f32(x) + 0.5f) / scale - 0.5f;
    Expr begin = i32(ceil(source - 1.5f));
    RDom k(0, 4, "k");
    weights(x, c) = 1.0f - abs(f32(c + begin) - source);
    out(x, y) = 0.0f;
    out(x, y) += weights(x, k) * f32(clamped(k + begin, y));
    return finished(out, {170, 80});
}

Pipeline parameters() {
    ImageParam in = image(Float(32), {100, 80});
    Param<int> radius("radius"), shift("shift");
    radius.set_estimate(3);
    shift.set_estimate(-2);
    Func g("g"), f("f"), out("out");
    RDom r(-radius, 2 * radius + 1, "r");
    g(x, y) = in(clamp(x + shift, 0, in.width() - 1), y);
    f(x, y) = 0.0f;
    f(x, y) += g(x + r, y);
    out(x, y) = f(x, y) * 2.0f;
    return finished(out, {50, 40});
}

Pipeline predicated() {
    ImageParam in = image(Float(32), {40, 40});
    Func g("g"), f("f"), out("out");
    RDom r(0, 20, 0, 20, "r");
    r.where(r.x + r.y < 15);
    g(x, y) = in(x, y) * 2.0f;
    f(x) = 0.0f;
    f(r.x) += g(r.x + r.y, r.y);
    out(x) = f(x);
    return finished(out, {40});
}

Pipeline tuples() {
    ImageParam in = image(Float(32), {60, 40});
    Func polar("polar"), best("best"), out("out");
    polar(x, y) = Tuple(sqrt(in(x, y)), in(x + 1, y), x + y);
    RDom k(-2, 5, "k");
    best(x, y) = Tuple(0.0f, 0);
    Expr better = polar(x + k, y)[0] > best(x, y)[0];
    best(x, y) = Tuple(select(better, polar(x + k, y)[0], best(x, y)[0]),
                       select(better, polar(x + k, y)[2], best(x, y)[1]));
    out(x, y) = best(x, y)[0] + best(x, y + 1)[1];
    return finished(out, {40, 30});
}

Pipeline aligned() {
    Func a("a"), b("b"), d("d"), out("out");
    a(x, y) = x * y;
    b(x, y) = a(x - 1, y) + a(x + 1, y);
    d(x, y) = b(x, y - 1) + b(y, x);
    out(x, y) = d(x, y) + d(x + 3, y + 3);
    a.align_bounds(x, 16);
    b.align_bounds(x, 4, 1).align_bounds(y, 8);
    d.bound(y, 0, 64);
    return finished(out, {33, 29});
}

Pipeline several_outputs() {
    ImageParam in = image(Float(32), {70, 70});
    Func base("base"), first("first"), second("second");
    base(x, y) = in(x + 2, y + 2) * 2.0f;
    first(x, y) = base(x - 1, y) + base(x + 1, y);
    second(x, y) = first(x, y) + base(x, y + 1);
    first.set_estimates({{0, 40}, {0, 40}});
    second.set_estimates({{0, 40}, {0, 40}});
    return Pipeline({first, second});
}

Pipeline narrow_types() {
    ImageParam in = image(UInt(8), {300, 20});
    Func table("table"), f("f"), out("out");
    table(x) = x * 2;
    f(x, y) = table(cast<uint8_t>(x + y)) + table(in(x, y) % 16) + table(i32(in(x, y)) - 128);
    out(x, y) = f(x / 3, y) + f(min(x, y), max(y, 4)) + f((x * 5) / 7, y % 4);
    return finished(out, {60, 20});
}

Pipeline convolution() {
    ImageParam in = image(Float(32), {8, 34, 34}), w = image(Float(32), {8, 3, 3, 16}, "w");
    Func padded("padded"), conv("conv"), out("out");
    Var n("n");
    RDom r(0, 8, 0, 3, 0, 3, "r");
    padded(c, x, y) = in(c, x, y);
    conv(n, x, y) = 0.0f;
    conv(n, x, y) += w(r.x, r.y, r.z, n) * padded(r.x, x + r.y, y + r.z);
    out(n, x, y) = max(conv(n, x, y), 0.0f);
    return finished(out, {16, 32, 32});
}

}  // namespace

Pipeline stencil_chain(int funcs) {
    ImageParam in = image(Float(32), {1000, 1000});
    Func last = BoundaryConditions::repeat_edge(in);
    std::vector<Func> all{last, last, last};
    for (int i = 0; i < funcs; i++) {
        Func next("chain");
        next(x, y) = i % 3 == 2 ? all[i](x, y) + all[i + 1](x, y) + all[i + 2](x, y)
                                : last(x - 1, y) + last(x + 1, y) + last(x, y - 1) +
                                      last(x, y + 1) + last(x, y);
        all.push_back(next);
        last = next;
    }
    return finished(last, {1000, 1000});
}

const std::vector<NamedPipeline> &all_pipelines() {
    static const std::vector<NamedPipeline> pipelines = {
        {"separable_blur", separable_blur},
        {"pyramid", pyramid},
        {"grid", grid},
        {"matrix_product", matrix_product},
        {"demosaic", demosaic},
        {"scans", scans},
        {"histogram", histogram},
        {"sliding_maximum", sliding_maximum},
        {"resize", resize},
        {"parameters", parameters},
        {"predicated", predicated},
        {"tuples", tuples},
        {"aligned", aligned},
        {"several_outputs", several_outputs},
        {"narrow_types", narrow_types},
        {"convolution", convolution},
        {"stencil_chain", [] { return stencil_chain(12); }},
    };
    return pipelines;
}

}  // namespace autoschedule_gpu::testing
