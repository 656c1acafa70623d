#include "unit/example_dags.h"

#include <algorithm>
#include <stdexcept>

namespace autoschedule_gpu::example {

namespace {

uint16_t lo_of(int loop) { return static_cast<uint16_t>(2 * loop); }
uint16_t hi_of(int loop) { return static_cast<uint16_t>(2 * loop + 1); }

RegionInstruction with_imm(RegionOp op, uint16_t a, int64_t imm) {
    RegionInstruction instruction{op, 0, a, {}};
    instruction.imm = static_cast<int32_t>(imm);
    return instruction;
}

RegionInstruction with_register(RegionOp op, uint16_t a, uint16_t b) {
    RegionInstruction instruction{op, 0, a, {}};
    instruction.reg = {b, 0};
    return instruction;
}

RegionDimension constant_range(Interval range) {
    RegionDimension dim;
    dim.lo = {0, 0, range.min};
    dim.hi = {0, 0, range.max};
    dim.lo_affine = dim.hi_affine = true;
    dim.lo_form.add = range.min;
    dim.hi_form.add = range.max;
    return dim;
}

}  // namespace

Index at(int loop, int64_t lo, int64_t hi) { return times(loop, 1, lo, hi); }
Index times(int loop, int factor, int64_t lo, int64_t hi) {
    return {Index::Form::affine, {{loop, factor}}, lo, hi, 0, 0};
}
Index sum(int loop, int other, int64_t lo, int64_t hi) {
    return {Index::Form::affine, {{loop, 1}, {other, 1}}, lo, hi, 0, 0};
}
Index half(int loop, int64_t lo, int64_t hi) {
    return {Index::Form::half, {{loop, 1}}, lo, hi, 0, 0};
}
Index clamped(int loop, int64_t lo, int64_t hi, int64_t least, int64_t most) {
    return {Index::Form::clamped, {{loop, 1}}, lo, hi, least, most};
}
Index prefix(int64_t first, int loop) {
    return {Index::Form::prefix, {{loop, 1}}, first, 0, 0, 0};
}
Index anywhere(int64_t least, int64_t most) {
    return {Index::Form::anywhere, {}, least, most, 0, 0};
}
Index fixed(int64_t value) { return {Index::Form::affine, {}, value, value, 0, 0}; }

FuncId DagBuilder::add(Func func) {
    const FuncId id(dag_.funcs.size());
    if (!func.is_input()) {
        func.halide_index = static_cast<int>(id.index());
        Stage stage;
        stage.func = id;
        for (size_t d = 0; d < func.dims.size(); ++d) {
            stage.loops.push_back(over(static_cast<int>(d), func.dims[d].name));
        }
        std::vector<Index> store;
        for (size_t d = 0; d < func.dims.size(); ++d) store.push_back(at(static_cast<int>(d)));
        stage.store = matrix(store, func.dims.size());
        func.stages = {StageId(dag_.stages.size())};
        dag_.stages.push_back(std::move(stage));
    }
    dag_.funcs.push_back(std::move(func));
    storage_.emplace_back();
    return id;
}

static Func named(const std::string &name, const std::vector<std::string> &dims, ScalarType type,
                  Func::Kind kind) {
    Func func;
    func.name = name;
    func.kind = kind;
    func.values = {type};
    for (const std::string &dim : dims) func.dims.push_back({dim, {}, 1});
    return func;
}

FuncId DagBuilder::input(const std::string &name, const std::vector<std::string> &dims,
                         ScalarType type) {
    return add(named(name, dims, type, Func::Kind::input_image));
}

FuncId DagBuilder::func(const std::string &name, const std::vector<std::string> &dims,
                        ScalarType type) {
    Func func = named(name, dims, type, Func::Kind::internal);
    func.can_inline = true;
    return add(std::move(func));
}

FuncId DagBuilder::output(const std::string &name, const std::vector<Extent> &dims,
                          ScalarType type) {
    Func func = named(name, {}, type, Func::Kind::output);
    for (const Extent &e : dims) func.dims.push_back({e.name, {e.min, e.max}, 1});
    return add(std::move(func));
}

Loop DagBuilder::over(int dim, const std::string &name) {
    return {name, Loop::Kind::pure, dim, true, {}, false};
}

Loop DagBuilder::reduction(const std::string &name, int64_t min, int64_t max, bool parallel,
                           bool constant) {
    return {name, Loop::Kind::reduction, -1, parallel, {min, max}, constant};
}

StageId DagBuilder::update(FuncId id, std::vector<Loop> loops, std::vector<Index> store) {
    Func &func = dag_.funcs[id.index()];
    func.can_inline = false;
    Stage stage;
    stage.func = id;
    stage.index = static_cast<int>(func.stages.size());
    stage.loops = std::move(loops);
    stage.store = matrix(store, stage.loops.size());
    const StageId result(dag_.stages.size());
    func.stages.push_back(result);
    dag_.stages.push_back(std::move(stage));
    return result;
}

RegionDimension DagBuilder::region(const Index &index, size_t loops,
                                   std::vector<RegionInstruction> &code) const {
    const auto emit = [&](RegionInstruction instruction) {
        code.push_back(instruction);
        return static_cast<uint16_t>(2 * loops + code.size() - 1);
    };
    if (index.form == Index::Form::anywhere || index.terms.empty()) {
        return constant_range({index.lo, index.hi});
    }
    RegionDimension dim;
    const int loop = index.terms[0].first;
    if (index.form == Index::Form::prefix) {
        dim = constant_range({index.lo, index.lo});
        dim.hi = {hi_of(loop), 1, index.hi};
        dim.hi_form = {{{hi_of(loop), 1}}, index.hi};
        return dim;
    }
    if (index.form == Index::Form::half) {
        dim.lo = {emit(with_imm(RegionOp::div_imm, lo_of(loop), 2)), 1, index.lo};
        dim.hi = {emit(with_imm(RegionOp::div_imm, hi_of(loop), 2)), 1, index.hi};
        return dim;
    }
    if (index.form == Index::Form::clamped) {
        const auto clamp = [&](uint16_t reg, int64_t add) {
            const uint16_t moved = emit(with_imm(RegionOp::add_imm, reg, add));
            const uint16_t above = emit(with_imm(RegionOp::max_imm, moved, index.least));
            return RegionBound{emit(with_imm(RegionOp::min_imm, above, index.most)), 1, 0};
        };
        dim.lo = clamp(lo_of(loop), index.lo);
        dim.hi = clamp(hi_of(loop), index.hi);
        return dim;
    }
    dim.lo_affine = dim.hi_affine = true;
    dim.lo_form.add = index.lo;
    dim.hi_form.add = index.hi;
    for (const auto &[term, factor] : index.terms) {
        dim.lo_form.terms.push_back({factor >= 0 ? lo_of(term) : hi_of(term), factor});
        dim.hi_form.terms.push_back({factor >= 0 ? hi_of(term) : lo_of(term), factor});
    }
    if (index.terms.size() == 1) {
        const auto &lo = dim.lo_form.terms[0], &hi = dim.hi_form.terms[0];
        dim.lo = {lo.reg, static_cast<int32_t>(lo.coefficient), index.lo};
        dim.hi = {hi.reg, static_cast<int32_t>(hi.coefficient), index.hi};
        return dim;
    }
    const int other = index.terms[1].first;  // sums have coefficients 1
    dim.lo = {emit(with_register(RegionOp::add, lo_of(loop), lo_of(other))), 1, index.lo};
    dim.hi = {emit(with_register(RegionOp::add, hi_of(loop), hi_of(other))), 1, index.hi};
    return dim;
}

AccessMatrix DagBuilder::matrix(const std::vector<Index> &index, size_t loops) const {
    AccessMatrix result(index.size(), loops);
    for (size_t d = 0; d < index.size() && loops > 0; ++d) {
        for (const auto &[loop, factor] : index[d].terms) {
            result.at(d, loop).value = index[d].form == Index::Form::half ? 0.5 : factor;
        }
        if (index[d].form != Index::Form::anywhere) continue;
        for (size_t l = 0; l < loops; ++l) result.at(d, l) = {0, false};
    }
    return result;
}

DagBuilder &DagBuilder::reads(StageId id, FuncId producer, std::vector<Index> index, int count) {
    Stage &stage = dag_.stages[id.index()];
    const Func &read = dag_.func(producer);
    stage.loads.push_back({producer, count, read.values[0].bytes(),
                           matrix(index, stage.loops.size())});
    const bool linked = std::any_of(stage.edges.begin(), stage.edges.end(), [&](EdgeId edge) {
        return dag_.edge(edge).producer == producer;
    });
    if (producer == stage.func || linked) return *this;
    std::vector<RegionInstruction> code;
    std::vector<RegionDimension> dims;
    bool pointwise = index.size() <= stage.loops.size();
    size_t pure = 0;
    for (const Index &i : index) {
        dims.push_back(region(i, stage.loops.size(), code));
        while (pure < stage.loops.size() && stage.loops[pure].dim < 0) ++pure;
        pointwise = pointwise && i.form == Index::Form::affine && i.lo == 0 && i.hi == 0 &&
                    i.terms == std::vector<std::pair<int, int>>{{static_cast<int>(pure), 1}};
        ++pure;
    }
    const RegionProgramId program = dag_.regions.add(stage.loops.size(), code, std::move(dims));
    stage.edges.push_back(EdgeId(dag_.edges.size()));
    dag_.edges.push_back({id, producer, program, pointwise, false});
    return *this;
}

DagBuilder &DagBuilder::ops(StageId stage, OpKind kind, double count, OpType type) {
    dag_.stages[stage.index()].ops.at(kind, type) += count;
    return *this;
}

DagBuilder &DagBuilder::computes_all(FuncId func, size_t dim, Interval range) {
    whole_.push_back({func, dim, range});
    return *this;
}

DagBuilder &DagBuilder::storage(FuncId func, std::vector<int> order) {
    storage_[func.index()] = std::move(order);
    return *this;
}

DagBuilder &DagBuilder::on_host(FuncId func, const std::string &reason) {
    dag_.funcs[func.index()].host_reason = reason;
    dag_.funcs[func.index()].can_inline = false;
    return *this;
}

DagBuilder &DagBuilder::must_inline(FuncId func) {
    dag_.funcs[func.index()].must_inline = true;
    return *this;
}

void DagBuilder::compute_programs() {
    for (size_t f = 0; f < dag_.funcs.size(); ++f) {
        const size_t count = dag_.funcs[f].dims.size();
        const auto covers = [&](const Whole &w) { return w.func == FuncId(f); };
        if (std::none_of(whole_.begin(), whole_.end(), covers)) {
            dag_.funcs[f].computed = add_identity(dag_.regions, count);
            continue;
        }
        std::vector<RegionInstruction> none;
        std::vector<RegionDimension> dims;
        for (size_t d = 0; d < count; ++d) dims.push_back(region(at(int(d)), count, none));
        for (const Whole &w : whole_) {
            if (covers(w)) dims[w.dim] = constant_range(w.range);
        }
        dag_.funcs[f].computed = dag_.regions.add(count, none, std::move(dims));
    }
}

// Consumers first: what is required of each Func by those that read it.
void DagBuilder::compute_estimates() {
    for (size_t f = dag_.funcs.size(); f-- > 0;) {
        Func &func = dag_.funcs[f];
        std::vector<Interval> box, computed(func.dims.size());
        for (const Dimension &dim : func.dims) box.push_back(dim.estimate);
        dag_.regions.evaluate(func.computed, box, computed);
        for (size_t d = 0; d < box.size(); ++d) func.dims[d].estimate = computed[d];
        for (StageId id : func.stages) {
            std::vector<Interval> ranges;
            for (const Loop &loop : dag_.stage(id).loops) {
                ranges.push_back(loop.dim >= 0 ? computed[loop.dim] : loop.range);
            }
            for (EdgeId edge : dag_.stage(id).edges) {
                Func &producer = dag_.funcs[dag_.edge(edge).producer.index()];
                std::vector<Interval> required(producer.dims.size());
                dag_.regions.evaluate(dag_.edge(edge).region, ranges, required);
                for (size_t d = 0; d < required.size(); ++d) {
                    producer.dims[d].estimate.include(required[d]);
                }
            }
        }
    }
}

void DagBuilder::compute_strides() {
    for (size_t f = 0; f < dag_.funcs.size(); ++f) {
        std::vector<int> order = storage_[f];
        for (size_t d = order.size(); d < dag_.funcs[f].dims.size(); ++d) order.push_back(int(d));
        int64_t stride = 1;
        for (int d : order) {
            dag_.funcs[f].dims[d].stride = stride;
            stride *= dag_.funcs[f].dims[d].estimate.extent();
        }
    }
}

Dag DagBuilder::build() {
    compute_programs();
    compute_estimates();
    compute_strides();
    link_consumers(dag_);
    const std::vector<std::string> problems = check(dag_);
    if (!problems.empty()) throw std::logic_error(problems[0]);
    return std::move(dag_);
}

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

// ---- the pipelines

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
    const FuncId out =
        b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}, {"c", 0, 2}});
    b.storage(in, {2, 0, 1}).storage(out, {2, 0, 1});
    return b.reads(out, in, {at(0), at(1), at(2)}).ops(out, OpKind::mul, 1).build();
}

Dag two_stencils(int64_t width, int64_t height) { return stencil_chain(2, width, height); }

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
    b.reads(step, scan, {at(0), at(1)}).reads(step, scan, {at(0, -1, -1), at(1)});
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
    const StageId add = b.update(
        total, {b.reduction("r", -1, 1), b.over(0, "x"), b.over(1, "y")}, {at(1), at(2)});
    b.reads(add, total, {at(1), at(2)}).reads(add, in, {sum(1, 0), at(2)});
    b.ops(add, OpKind::add, 1);
    b.reads(out, total, {at(0, -1, 1), at(1)}, 3).ops(out, OpKind::add, 2);
    return b.build();
}

Dag host_in_the_middle(int64_t width, int64_t height) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId before = b.func("before", {"x", "y"}), mid = b.func("mid", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, width - 1}, {"y", 0, height - 1}});
    b.reads(before, in, {at(0, -1, 1), at(1)}, 3).ops(before, OpKind::add, 2);
    b.reads(mid, before, {at(0), at(1)}).reads(out, mid, {at(0, -1, 1), at(1)}, 3);
    return b.ops(out, OpKind::add, 2).on_host(mid, "it prints").build();
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
            {"host_in_the_middle", host_in_the_middle(512, 256)}};
}

}  // namespace autoschedule_gpu::example
