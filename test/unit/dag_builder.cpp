#include "unit/dag_builder.h"

#include <algorithm>
#include <stdexcept>

namespace autoschedule_gpu::example {

namespace {

uint16_t lo_of(int loop) {
    return static_cast<uint16_t>(2 * loop);
}
uint16_t hi_of(int loop) {
    return static_cast<uint16_t>(2 * loop + 1);
}

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
    dim.inputs_only = true;
    return dim;
}

}  // namespace

Index at(int loop, int64_t lo, int64_t hi) {
    return times(loop, 1, lo, hi);
}
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

Index limited(int loop, int64_t lo, int64_t hi, int64_t least, int64_t most) {
    return {Index::Form::limited, {{loop, 1}}, lo, hi, least, most};
}

Index promised(int loop, int64_t least, int64_t most) {
    return {Index::Form::promised, {{loop, 1}}, 0, 0, least, most};
}
Index prefix(int64_t first, int loop) {
    return {Index::Form::prefix, {{loop, 1}}, first, 0, 0, 0};
}
Index anywhere(int64_t least, int64_t most) {
    return {Index::Form::anywhere, {}, least, most, 0, 0};
}
Index fixed(int64_t value) {
    return {Index::Form::affine, {}, value, value, 0, 0};
}

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
    dim.inputs_only = true;
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
    if (index.form == Index::Form::promised) {
        dim.inputs_only = false;
        dim.lo = {emit(with_imm(RegionOp::max_imm, lo_of(loop), index.least)), 1, 0};
        dim.hi = {emit(with_imm(RegionOp::min_imm, hi_of(loop), index.most)), 1, 0};
        return dim;
    }
    if (index.form == Index::Form::clamped || index.form == Index::Form::limited) {
        const auto clamp = [&](uint16_t reg, int64_t add) {
            const uint16_t moved = emit(with_imm(RegionOp::add_imm, reg, add));
            const uint16_t above = emit(with_imm(RegionOp::max_imm, moved, index.least));
            return RegionBound{emit(with_imm(RegionOp::min_imm, above, index.most)), 1, 0};
        };
        dim.lo = clamp(lo_of(loop), index.lo);
        dim.hi = clamp(hi_of(loop), index.hi);
        dim.lo_within = dim.hi_within = index.form == Index::Form::clamped;
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

DagBuilder &DagBuilder::in_place(StageId id) {
    dag_.stages[id.index()].loads.back().in_place = 1;
    return *this;
}

DagBuilder &DagBuilder::reads(StageId id, FuncId producer, std::vector<Index> index, int count) {
    Stage &stage = dag_.stages[id.index()];
    const Func &read = dag_.func(producer);
    stage.loads.push_back(
        {producer, count, read.values[0].bytes(), matrix(index, stage.loops.size())});
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

DagBuilder &DagBuilder::nodes(FuncId func, int count) {
    dag_.stages[pure(func).index()].nodes = count;
    return *this;
}

DagBuilder &DagBuilder::computes_all(FuncId func, size_t dim, Interval range) {
    whole_.push_back({func, dim, range});
    return *this;
}

DagBuilder &DagBuilder::computes_by_parameters(FuncId func, size_t dim, Interval range,
                                               std::optional<Interval> widest) {
    whole_.push_back({func, dim, range, true, widest});
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

DagBuilder &DagBuilder::atomics(StageId stage, Atomics atomics) {
    dag_.stages[stage.index()].atomics = atomics;
    return *this;
}

DagBuilder &DagBuilder::partials(StageId stage, Partials partials) {
    dag_.stages[stage.index()].partials = partials;
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
        std::vector<RegionDimension> widest = dims;
        for (const Whole &w : whole_) {
            if (!covers(w)) continue;
            dims[w.dim] = constant_range(w.range);
            widest[w.dim] = constant_range(w.by_parameters ? w.widest.value_or(w.range) : w.range);
            widest[w.dim].inputs_only = !w.by_parameters || w.widest;
            if (!w.by_parameters) continue;
            dims[w.dim].lo_affine = dims[w.dim].hi_affine = dims[w.dim].inputs_only = false;
        }
        dag_.funcs[f].computed = dag_.regions.add(count, none, std::move(dims));
        dag_.regions.set_widest(dag_.funcs[f].computed,
                                dag_.regions.add(count, none, std::move(widest)));
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
    find_constant_dimensions(dag_);
    find_widest_ranges(dag_);
    find_aligned_tiles(dag_);
    find_rows_of_outputs(dag_);
    const std::vector<std::string> problems = check(dag_);
    if (!problems.empty()) throw std::logic_error(problems[0]);
    return std::move(dag_);
}

}  // namespace autoschedule_gpu::example
