#include "unit/example_dags.h"

#include <stdexcept>

namespace autoschedule_gpu::example {

FuncId find_func(const Dag &dag, const std::string &name) {
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        if (dag.funcs[i].name == name) return FuncId(i);
    }
    throw std::logic_error("no Func " + name);
}

StageId find_stage(const Dag &dag, const std::string &name) {
    for (size_t i = 0; i < dag.stages.size(); ++i) {
        if (stage_name(dag, StageId(i)) == name) return StageId(i);
    }
    throw std::logic_error("no stage " + name);
}

Dag copy(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    return b.reads(out, in, {at(0), at(1)}).build();
}

Dag transpose(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    return b.reads(out, in, {at(1), at(0)}).build();
}

Dag interleaved(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "c"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}, {"c", 0, 2}});
    b.storage(in, {2, 0, 1}).storage(out, {2, 0, 1});
    return b.reads(out, in, {at(0), at(1), at(2)}).ops(out, OpKind::mul, 1).build();
}

Dag two_stencils(int64_t width, int64_t height) {
    return stencil_chain(2, width, height);
}

Dag stencil_chain(int stages, int64_t width, int64_t height) {
    DagBuilder b;
    FuncId previous = b.input("in", {"x", "y"});
    for (int i = 0; i < stages; ++i) {
        const std::string name = "f" + std::to_string(i);
        const FuncId f = i + 1 < stages
                             ? b.func(name, {"x", "y"})
                             : b.output(name, {{"x", 0, width - 1}, {"y", 0, height - 1}});
        b.reads(f, previous, {at(0, -1, 1), at(1, -1, 1)}, 9).ops(f, OpKind::add, 8);
        b.ops(f, OpKind::mul, 1);
        previous = f;
    }
    return b.build();
}

// The multiplication as update 0 of `prod`.
static void add_product(DagBuilder &b, FuncId prod, FuncId left, FuncId right, int64_t n) {
    const StageId sum = b.update(prod, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, n - 1)},
                                 {at(0), at(1)});
    b.reads(sum, prod, {at(0), at(1)}).reads(sum, left, {at(2), at(1)});
    b.reads(sum, right, {at(0), at(2)}).ops(sum, OpKind::mul, 1).ops(sum, OpKind::add, 1);
}

Dag matmul(int64_t n) {
    DagBuilder b;
    const FuncId left = b.input("a", {"x", "y"}), right = b.input("b", {"x", "y"});
    const FuncId prod = b.func("prod", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, n - 1}, {"y", 0, n - 1}});
    add_product(b, prod, left, right, n);
    return b.reads(out, prod, {at(0), at(1)}).build();
}

// Its steps may be read as vectors along the rows of "a", which is returned.
static FuncId add_product_of_copies(DagBuilder &b, int64_t depth, int64_t beside) {
    const FuncId a = b.input("a", {"x", "y"}), c = b.input("b", {"x", "y"});
    const FuncId left = b.func("left", {"x", "y"}), right = b.func("right", {"x", "y"});
    const FuncId prod = b.func("prod", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}});
    b.reads(left, a, {at(0), at(1)}).reads(right, c, {at(0), at(1)});
    const StageId sum = b.update(
        prod, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, depth - 1)}, {at(0), at(1)});
    b.reads(sum, prod, {at(0), at(1)}).reads(sum, left, {at(2, beside, beside), at(1)});
    b.reads(sum, right, {at(0), at(2)}).reads(out, prod, {at(0), at(1)});
    return a;
}

static Dag with_fours(DagBuilder &b, FuncId a) {
    Dag dag = b.build();
    find_aligned_rows(dag);
    dag.funcs[a.index()].aligned_rows = true;  // wherever what is read of it begins
    find_fours(dag);
    return dag;
}

Dag matmul_of_copies(int64_t depth, int64_t beside) {
    DagBuilder b;
    const FuncId a = add_product_of_copies(b, depth, beside);
    return with_fours(b, a);
}

Dag matmul_of_copies_beside_a_stencil(int64_t depth) {
    DagBuilder b;
    const FuncId a = add_product_of_copies(b, depth, 0);
    const FuncId mid = b.func("mid", {"x", "y"});
    const FuncId blurred = b.output("blurred", {{"x", 0, 511}, {"y", 0, 511}});
    b.reads(mid, a, {at(0), at(1)}).ops(mid, OpKind::transcendental, 9);
    b.reads(blurred, mid, {at(0, -1, 1), at(1)}, 3);
    return with_fours(b, a);
}

Dag matmul_output(int64_t n) {
    DagBuilder b;
    const FuncId left = b.input("a", {"x", "y"}), right = b.input("b", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, n - 1}, {"y", 0, n - 1}});
    add_product(b, out, left, right, n);
    return b.build();
}

Dag histogram(int64_t width, int64_t height) {
    constexpr ScalarType byte{ScalarType::Code::unsigned_int, 8};
    constexpr ScalarType word{ScalarType::Code::signed_int, 32};
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}, byte);
    const FuncId hist = b.func("hist", {"i"}, word);
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}}, word);
    const StageId scatter =
        b.update(hist, {b.reduction("r$x", 0, width - 1), b.reduction("r$y", 0, height - 1)},
                 {anywhere(0, 255)});
    b.reads(scatter, hist, {anywhere(0, 255)}).reads(scatter, in, {at(0), at(1)});
    b.ops(scatter, OpKind::add, 1, OpType::integer);
    b.reads(out, in, {at(0), at(1)}).reads(out, hist, {anywhere(0, 255)});
    return b.computes_all(hist, 0, {0, 255}).build();
}

Dag scattered_bins(Interval at_estimates, std::optional<Interval> widest) {
    constexpr ScalarType word{ScalarType::Code::signed_int, 32};
    const Index bin = anywhere(at_estimates.min, at_estimates.max);
    DagBuilder b;
    const FuncId in = b.input("in", {"i", "x"}, word), bins = b.func("bins", {"x", "z"}, word);
    const FuncId out =
        b.output("out", {{"x", 0, 1023}, {"z", at_estimates.min, at_estimates.max}}, word);
    const StageId count = b.update(bins, {b.reduction("r", 0, 15), b.over(0, "x")}, {at(1), bin});
    b.reads(count, bins, {at(1), bin}).reads(count, in, {at(0), at(1)});
    b.ops(count, OpKind::add, 1, OpType::integer);
    b.reads(out, bins, {at(0, 0, 1), at(1)}, 2);
    return b.computes_by_parameters(bins, 1, at_estimates, widest).build();
}

Dag row_histograms(int64_t width, int64_t height, Atomics atomics) {
    constexpr ScalarType byte{ScalarType::Code::unsigned_int, 8};
    constexpr ScalarType word{ScalarType::Code::unsigned_int, 32};
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}, byte);
    const FuncId rows = b.func("rows", {"i", "y"}, word), hist = b.func("hist", {"i"}, word);
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}}, word);
    const StageId count =
        b.update(rows, {b.reduction("c", 0, width - 1, false, false), b.over(1, "y")},
                 {anywhere(0, 255), at(1)});
    b.reads(count, rows, {anywhere(0, 255), at(1)}).reads(count, in, {at(0), at(1)});
    b.ops(count, OpKind::add, 1, OpType::integer).atomics(count, atomics);
    const StageId sum =
        b.update(hist, {b.reduction("r", 0, height - 1, false, false), b.over(0, "i")}, {at(1)});
    b.reads(sum, hist, {at(1)}).reads(sum, rows, {at(1), at(0)});
    b.ops(sum, OpKind::add, 1, OpType::integer).atomics(sum, atomics);
    b.reads(out, in, {at(0), at(1)}).reads(out, hist, {anywhere(0, 255)});
    return b.computes_all(rows, 0, {0, 255}).build();
}

Dag row_sums(int64_t width, int64_t height) {
    constexpr ScalarType word{ScalarType::Code::signed_int, 32};
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}, word), rows = b.func("rows", {"y"}, word);
    const FuncId out = b.output("out", {{"y", 0, height - 1}}, word);
    const StageId sum = b.update(rows, {b.reduction("c", 0, width - 1), b.over(0, "y")}, {at(1)});
    b.reads(sum, rows, {at(1)}).reads(sum, in, {at(0), at(1)}).atomics(sum);
    return b.reads(out, rows, {at(0)}).build();
}

Dag down_and_up(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId down = b.func("down", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(down, in, {times(0, 2, 0, 1), times(1, 2, 0, 1)}, 4).ops(down, OpKind::add, 3);
    b.reads(out, down, {half(0), half(1)}).reads(out, in, {at(0), at(1)});
    return b.ops(out, OpKind::add, 1).build();
}

Dag diamond(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId base = b.func("base", {"x", "y"});
    const FuncId left = b.func("left", {"x", "y"}), right = b.func("right", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(base, in, {at(0, -1, 1), at(1)}, 3).ops(base, OpKind::transcendental, 2);
    b.reads(left, base, {at(0, -1, 1), at(1)}, 3).ops(left, OpKind::add, 20);
    b.reads(right, base, {at(0), at(1, -2, 2)}, 5).ops(right, OpKind::add, 20);
    b.reads(out, left, {at(0, 0, 1), at(1)}, 2).reads(out, right, {at(0), at(1, 0, 1)}, 2);
    return b.ops(out, OpKind::add, 3).build();
}

Dag iir(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId scan = b.func("scan", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(scan, in, {at(0), at(1)});
    const StageId step =
        b.update(scan, {b.reduction("r", 1, width - 1), b.over(1, "y")}, {at(0), at(1)});
    b.reads(step, scan, {at(0), at(1)}).in_place(step).reads(step, scan, {at(0, -1, -1), at(1)});
    b.ops(step, OpKind::mul, 1).ops(step, OpKind::add, 1);
    b.reads(out, scan, {at(0), at(1)}).ops(out, OpKind::mul, 1);
    return b.computes_all(scan, 0, {0, width - 1}).build();
}

Dag zero_dim(int64_t width) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"});
    const FuncId out = b.output("sum", {});
    const StageId add = b.update(out, {b.reduction("r", 0, width - 1)}, {});
    b.reads(add, out, {}).reads(add, in, {at(0)}).ops(add, OpKind::add, 1);
    return b.build();
}

Dag two_outputs(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId a = b.output("a", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    const FuncId c = b.output("b", {{"x", 1, width - 2}, {"y", 0, height - 1}});
    b.reads(a, in, {at(0), at(1)}).ops(a, OpKind::mul, 1);
    return b.reads(c, a, {at(0, -1, 1), at(1)}, 3).ops(c, OpKind::add, 2).build();
}

Dag clamped_stencil(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId edge = b.func("edge", {"x", "y"});
    const FuncId blur = b.func("blur", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(edge, in, {clamped(0, 0, 0, 0, width - 1), clamped(1, 0, 0, 0, height - 1)});
    b.ops(edge, OpKind::min_max, 4, OpType::integer);
    b.reads(blur, edge, {at(0, -1, 1), at(1, -1, 1)}, 9).ops(blur, OpKind::add, 8);
    b.reads(out, blur, {at(0, -1, 1), at(1, -1, 1)}, 9).ops(out, OpKind::add, 8);
    return b.build();
}

Dag gather(int64_t width, int64_t height) {
    constexpr ScalarType byte{ScalarType::Code::unsigned_int, 8};
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}, byte), table = b.input("table", {"i"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    return b.reads(out, in, {at(0), at(1)}).reads(out, table, {anywhere(0, 255)}).build();
}

Dag reduced_stencil(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId total = b.func("total", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    const StageId add =
        b.update(total, {b.reduction("r", -1, 1), b.over(0, "x"), b.over(1, "y")}, {at(1), at(2)});
    b.reads(add, total, {at(1), at(2)}).reads(add, in, {sum(1, 0), at(2)});
    b.ops(add, OpKind::add, 1);
    b.reads(out, total, {at(0, -1, 1), at(1)}, 3).ops(out, OpKind::add, 2);
    return b.build();
}

Dag shifted_patches(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId left = b.input("left", {"x", "y"}), right = b.input("right", {"x", "y"});
    const FuncId diff = b.func("diff", {"x", "y", "i"}), patch = b.func("patch", {"x", "y", "i"});
    const FuncId total = b.func("total", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(diff, left, {at(0), at(1)}).reads(diff, right, {sum(0, 2), at(1)});
    b.ops(diff, OpKind::add, 1).ops(diff, OpKind::mul, 1);
    b.reads(patch, diff, {at(0, -1, 1), at(1), at(2)}, 3).ops(patch, OpKind::add, 2);
    const StageId add =
        b.update(total, {b.over(0, "x"), b.over(1, "y"), b.reduction("s", -2, 2)}, {at(0), at(1)});
    b.reads(add, total, {at(0), at(1)}).reads(add, patch, {at(0), at(1), at(2)});
    b.ops(add, OpKind::add, 1).reads(out, total, {at(0), at(1)});
    return b.build();
}

Dag patches_of_all_shifts(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId left = b.input("left", {"x", "y"}), right = b.input("right", {"x", "y"});
    const FuncId diff = b.func("diff", {"x", "y", "i", "j"});
    const FuncId patch = b.func("patch", {"x", "y", "i", "j"}), total = b.func("total", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(diff, left, {at(0), at(1)}).reads(diff, right, {sum(0, 2), sum(1, 3)});
    b.ops(diff, OpKind::add, 1).ops(diff, OpKind::mul, 1);
    b.reads(patch, diff, {at(0, -1, 1), at(1), at(2), at(3)}, 3).ops(patch, OpKind::add, 2);
    const StageId add = b.update(
        total, {b.over(0, "x"), b.over(1, "y"), b.reduction("s", -2, 2), b.reduction("t", -1, 1)},
        {at(0), at(1)});
    b.reads(add, total, {at(0), at(1)}).reads(add, patch, {at(0), at(1), at(2), at(3)});
    b.ops(add, OpKind::add, 1).reads(out, total, {at(0), at(1)});
    return b.build();
}

Dag kwz(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId e = b.input("E", {"x", "y"});
    const FuncId k = b.func("K", {"x", "y", "c"}), h = b.func("H", {"x", "y"});
    const FuncId w = b.func("W", {"x", "y"});
    const FuncId z = b.output("Z", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(k, e, {at(0, 0, 2), at(1)}, 3).ops(k, OpKind::add, 2);
    b.reads(h, e, {at(0), at(1)}).ops(h, OpKind::mul, 1);
    b.reads(w, k, {at(0), at(1), anywhere(0, 2)}, 3).reads(w, h, {at(0), at(1)});
    b.ops(w, OpKind::add, 3).ops(w, OpKind::mul, 1);
    b.reads(z, w, {at(0), at(1, -2, 2)}, 5).ops(z, OpKind::add, 4);
    return b.build();
}

Dag host_in_the_middle(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId before = b.func("before", {"x", "y"}), mid = b.func("mid", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(before, in, {at(0, -1, 1), at(1)}, 3).ops(before, OpKind::add, 20);
    b.reads(mid, before, {at(0), at(1)}).reads(out, mid, {at(0, -1, 1), at(1)}, 3);
    return b.ops(out, OpKind::add, 2).on_host(mid, "it prints").build();
}

static Dag siblings_read(int64_t width, int64_t height, const std::vector<Index> &dy_at) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId dx = b.func("dx", {"x", "y"}), dy = b.func("dy", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(dx, in, {at(0, -1, 1), at(1)}, 3).ops(dx, OpKind::add, 20);
    b.reads(dy, in, {at(0), at(1, -1, 1)}, 3).ops(dy, OpKind::add, 20);
    b.reads(out, dx, {at(0, -2, 2), at(1)}, 5).reads(out, dy, dy_at, 5);
    return b.ops(out, OpKind::add, 9).build();
}

Dag siblings(int64_t width, int64_t height) {
    return siblings_read(width, height, {at(0), at(1, -2, 2)});
}

Dag derivatives(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId dx = b.output("dx", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    const FuncId dy = b.output("dy", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(dx, in, {at(0, -1, 1), at(1)}, 3).ops(dx, OpKind::add, 20);
    return b.reads(dy, in, {at(0), at(1, -1, 1)}, 3).ops(dy, OpKind::add, 20).build();
}

Dag siblings_of_two_sizes(int64_t width, int64_t height) {
    return siblings_read(width, height, {half(0), half(1)});
}

Dag siblings_of_channels(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId dx = b.func("dx", {"x", "y"}), dy = b.func("dy", {"x", "y", "c"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(dx, in, {at(0, -1, 1), at(1)}, 3).ops(dx, OpKind::add, 20);
    b.reads(dy, in, {at(0), at(1, -1, 1)}, 3).ops(dy, OpKind::add, 20);
    b.reads(out, dx, {at(0, -2, 2), at(1)}, 5);
    b.reads(out, dy, {at(0), at(1, -2, 2), anywhere(0, 2)}, 15);
    return b.ops(out, OpKind::add, 19).build();
}

Dag clamped_siblings(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), near = b.func("near", {"x", "y"});
    const FuncId dx = b.func("dx", {"x", "y"}), dy = b.func("dy", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(near, in, {clamped(0, 0, 0, 0, width - 1), clamped(1, 0, 0, 0, height - 1)});
    b.ops(near, OpKind::add, 20);
    b.reads(dx, near, {at(0, -1, 1), at(1)}, 3).ops(dx, OpKind::add, 2);
    b.reads(dy, in, {clamped(0, 0, 0, 0, width - 1), clamped(1, -1, 1, 0, height - 1)}, 3);
    b.reads(out, dx, {at(0, -2, 2), at(1)}, 5).reads(out, dy, {at(0), at(1, -2, 2)}, 5);
    return b.ops(dy, OpKind::add, 20).ops(out, OpKind::add, 9).build();
}

Dag there_and_back(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), mid = b.func("mid", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(mid, in, {at(1), at(0)}).ops(mid, OpKind::mul, 8);
    return b.reads(out, mid, {at(1), at(0)}).build();
}

std::vector<NamedDag> all() {
    return {{"copy", copy(512, 256)},
            {"transpose", transpose(512, 256)},
            {"interleaved", interleaved(512, 256)},
            {"two_stencils", two_stencils(1536, 1024)},
            {"stencil_chain", stencil_chain(6, 1536, 1024)},
            {"matmul", matmul(512)},
            {"matmul_output", matmul_output(512)},
            {"histogram", histogram(512, 256)},
            {"down_and_up", down_and_up(1024, 512)},
            {"diamond", diamond(1024, 512)},
            {"iir", iir(1024, 512)},
            {"zero_dim", zero_dim(1000)},
            {"two_outputs", two_outputs(640, 480)},
            {"clamped_stencil", clamped_stencil(1024, 512)},
            {"gather", gather(512, 256)},
            {"reduced_stencil", reduced_stencil(1024, 512)},
            {"shifted_patches", shifted_patches(512, 256)},
            {"patches_of_all_shifts", patches_of_all_shifts(512, 256)},
            {"host_in_the_middle", host_in_the_middle(512, 256)}};
}

Dag filters_along_columns(int64_t width, int64_t height, int64_t along) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId first = b.func("first", {"x", "y"}), second = b.func("second", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(first, in, {at(0), at(1, -2, 2)}).reads(second, first, {at(0), at(1, -2, 2)});
    b.reads(out, second, {at(0), along == 1 ? at(1, -2, 2) : times(1, along, 0, 4)});
    return b.build();
}

Dag crosses_in_a_cube(int steps, int64_t size) {
    DagBuilder b;
    const std::vector<std::string> dims = {"x", "y", "z"};
    FuncId previous = b.input("in", dims);
    for (int i = 0; i < steps; ++i) {
        const std::string name = "f" + std::to_string(i);
        const Extent whole[] = {{"x", 0, size - 1}, {"y", 0, size - 1}, {"z", 0, size - 1}};
        const FuncId f =
            i + 1 < steps ? b.func(name, dims) : b.output(name, {whole[0], whole[1], whole[2]});
        std::vector<Index> cross;
        for (const int d : {0, 1, 2}) {
            cross.push_back(i == 0 ? clamped(d, -1, 1, 0, size - 1) : at(d, -1, 1));
        }
        b.reads(f, previous, cross, 7).ops(f, OpKind::add, 6).ops(f, OpKind::mul, 1);
        previous = f;
    }
    return b.build();
}

}  // namespace autoschedule_gpu::example
