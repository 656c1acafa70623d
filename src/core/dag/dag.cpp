#include "core/dag/dag.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/support/hash.h"

namespace autoschedule_gpu {
namespace {

// A Func with one load and at most this many operations counts as a copy.
constexpr double kCopyOps = 4;

uint64_t bits_of(double value) {
    return std::bit_cast<uint64_t>(value);
}

void add_interval(Hasher &hasher, const Interval &interval) {
    hasher.add(static_cast<uint64_t>(interval.min)).add(static_cast<uint64_t>(interval.max));
}

void add_matrix(Hasher &hasher, const AccessMatrix &matrix) {
    hasher.add(matrix.dims()).add(matrix.loops());
    for (size_t d = 0; d < matrix.dims(); d++) {
        for (size_t k = 0; k < matrix.loops(); k++) {
            const Coefficient &c = matrix.at(d, k);
            hasher.add(c.known ? bits_of(c.value) : ~uint64_t{0});
        }
    }
}

void add_program(Hasher &hasher, const Dag &dag, RegionProgramId id) {
    hasher.add(id.valid() ? dag.regions.hash(id) : 0);
}

void add_func(Hasher &hasher, const Dag &dag, const Func &func) {
    hasher.add(static_cast<uint64_t>(func.kind)).add(func.dims.size()).add(func.values.size());
    for (const Dimension &dim : func.dims) {
        add_interval(hasher, dim.estimate);
        hasher.add(static_cast<uint64_t>(dim.stride)).add(dim.fixed ? 1 : 0);
    }
    for (const ScalarType &type : func.values) {
        hasher.add(static_cast<uint64_t>(type.code)).add(type.bits);
    }
    hasher.add(func.stages.size()).add(func.on_host() ? 1 : 0);
    hasher.add(func.can_inline ? 1 : 0).add(func.must_inline ? 1 : 0);
    if (func.ours != Func::Ours::all) hasher.add(static_cast<uint64_t>(func.ours));
    if (func.users_alignment) hasher.add("users_alignment");
    add_program(hasher, dag, func.computed);
}

// What a stage computes in its loops, but for what it reads.
void add_code(Hasher &hasher, const Stage &stage) {
    hasher.add(stage.loops.size()).add(stage.loads.size()).add(stage.has_predicate ? 1 : 0);
    hasher.add(stage.predicate_reads ? 1 : 0).add(static_cast<uint64_t>(stage.atomics));
    for (const Loop &loop : stage.loops) {
        hasher.add(static_cast<uint64_t>(loop.kind)).add(static_cast<uint64_t>(int64_t{loop.dim}));
        hasher.add(loop.parallel ? 1 : 0)
            .add((loop.constant ? 1 : 0) + (loop.may_be_empty ? 2 : 0));
        if (loop.kind == Loop::Kind::reduction) add_interval(hasher, loop.range);
    }
    for (size_t kind = 0; kind < kOpKindCount; kind++) {
        for (size_t type = 0; type < kOpTypeCount; type++) {
            const auto k = static_cast<OpKind>(kind);
            const auto t = static_cast<OpType>(type);
            hasher.add(bits_of(stage.ops.at(k, t) + stage.spared_ops.at(k, t)));
        }
    }
}

void add_load(Hasher &hasher, const Load &load) {
    hasher.add(static_cast<uint64_t>(load.count)).add(static_cast<uint64_t>(load.bytes_per_site));
    add_matrix(hasher, load.access);
}

void add_stage(Hasher &hasher, const Stage &stage) {
    hasher.add(stage.func.index()).add(static_cast<uint64_t>(stage.index));
    add_code(hasher, stage);
    for (const Load &load : stage.loads) {
        hasher.add(load.producer.index());
        add_load(hasher, load);
    }
    add_matrix(hasher, stage.store);
}

}  // namespace

const Interval &estimated_range(const Dag &dag, const Stage &stage, const Loop &loop) {
    if (loop.dim < 0) return loop.range;
    return dag.func(stage.func).dims[static_cast<size_t>(loop.dim)].estimate;
}

bool AccessMatrix::is_known() const {
    return std::ranges::all_of(coefficients_, &Coefficient::known);
}

bool AccessMatrix::divides() const {
    return std::ranges::any_of(coefficients_, [](const Coefficient &c) {
        return c.known && c.value != std::floor(c.value);
    });
}

int64_t common_period(const Coefficient &a, const Coefficient &b) {
    const auto adds_nothing = [](const Coefficient &c) { return c.known && c.value == 0; };
    if (adds_nothing(a)) return b.period;
    if (adds_nothing(b)) return a.period;
    return a.period > 0 && b.period > 0 ? std::lcm(a.period, b.period) : 0;
}

int64_t Func::bytes_per_point(int64_t least_bytes_per_value) const {
    int64_t bytes = 0;
    for (const ScalarType &type : values) {
        bytes += std::max<int64_t>(least_bytes_per_value, type.bytes());
    }
    return bytes;
}

uint64_t signature(const Stage &stage) {
    Hasher hasher;
    add_code(hasher, stage);
    for (const Load &load : stage.loads) {
        hasher.add(load.producer == stage.func ? 1 : 0);
        add_load(hasher, load);
    }
    add_matrix(hasher, stage.store);
    return hasher.value();
}

uint64_t Dag::hash() const {
    Hasher hasher;
    hasher.add(funcs.size()).add(stages.size()).add(edges.size());
    for (const Func &func : funcs) add_func(hasher, *this, func);
    for (const Stage &stage : stages) add_stage(hasher, stage);
    for (const Edge &edge : edges) {
        hasher.add(edge.consumer.index()).add(edge.producer.index());
        hasher.add(edge.pointwise ? 1 : 0).add(edge.fallback ? 1 : 0);
        add_program(hasher, *this, edge.region);
    }
    return hasher.value();
}

void link_consumers(Dag &dag) {
    dag.consumers.assign(dag.funcs.size(), {});
    for (size_t e = 0; e < dag.edges.size(); e++) {
        dag.consumers[dag.edges[e].producer.index()].push_back(EdgeId(e));
    }
}

void find_aligned_rows(Dag &dag) {
    for (Func &func : dag.funcs) {
        const bool is_buffer = func.is_input() || func.is_output();
        if (!is_buffer || func.dims.empty() || func.values.size() != 1) continue;
        const Dimension &row = func.dims[0];
        func.aligned_rows = func.values[0].bytes() == kVectorElementBytes && row.stride == 1 &&
                            row.estimate.min == 0 && row.estimate.extent() % kVectorElements == 0;
        for (size_t d = 1; d < func.dims.size(); ++d) {
            func.aligned_rows &= func.dims[d].stride % kVectorElements == 0;
        }
    }
}

void forget_aligned_rows(Dag &dag) {
    for (Func &func : dag.funcs) func.aligned_rows = false;
}

void find_fours(Dag &dag) {
    for (Stage &stage : dag.stages) {
        for (Loop &loop : stage.loops) {
            loop.fours = loop.kind == Loop::Kind::reduction && !loop.may_be_empty &&
                         loop.range.min % kVectorElements == 0 &&
                         loop.range.extent() % kVectorElements == 0;
        }
    }
}

void forget_fours(Dag &dag) {
    for (Stage &stage : dag.stages) {
        for (Loop &loop : stage.loops) loop.fours = false;
    }
}

void forget_channel_vectors(Dag &dag) {
    for (Func &func : dag.funcs) func.channel_vectors = false;
}

void forget_alignments(Dag &dag) {
    for (Func &func : dag.funcs) func.alignment_bytes = 1;
}

void forget_periods(Dag &dag) {
    for (Stage &stage : dag.stages) stage.period = 1;
}

void find_constant_dimensions(Dag &dag) {
    const auto constant_from = [&](RegionProgramId program, size_t dim, const auto &input) {
        const RegionDimension &bounds = dag.regions.dimension(program, dim);
        return bounds.inputs_only && std::all_of(bounds.reads.begin(), bounds.reads.end(), input);
    };
    for (size_t f = dag.funcs.size(); f-- > 0;) {  // consumers come before their producers
        Func &func = dag.funcs[f];
        if (func.is_input()) continue;
        std::vector<bool> required(func.dims.size(), !dag.consumers[f].empty());
        for (size_t d = 0; d < func.dims.size(); ++d) {
            if (func.is_output()) required[d] = func.dims[d].fixed;
        }
        for (EdgeId id : dag.consumers[f]) {
            const Edge &edge = dag.edge(id);
            const Stage &stage = dag.stage(edge.consumer);
            const auto loop_is_constant = [&](uint16_t k) {
                const Loop &loop = stage.loops[k];
                return loop.dim >= 0 ? dag.func(stage.func).dims[loop.dim].constant : loop.constant;
            };
            for (size_t d = 0; d < required.size(); ++d) {
                required[d] = required[d] && constant_from(edge.region, d, loop_is_constant);
            }
        }
        for (size_t d = 0; d < func.dims.size(); ++d) {
            func.dims[d].constant =
                !func.dims[d].promised &&
                constant_from(func.computed, d, [&](uint16_t k) { return required[k]; });
        }
    }
}

bool is_copy(const Dag &dag, FuncId id) {
    const Func &func = dag.func(id);
    if (!func.can_inline || func.is_output() || func.stages.empty()) return false;
    if (func.stored_first >= 0) return false;
    const Stage &stage = dag.stage(func.stages[0]);
    int loads = 0;
    for (const Load &load : stage.loads) {
        if (dag.func(load.producer).stages.size() > 1) return false;
        loads += load.count;
    }
    return loads <= 1 && stage.ops.total() <= kCopyOps;
}

bool reduces(const Stage &stage) {
    return std::ranges::any_of(stage.loops, [](const Loop &loop) { return !loop.parallel; });
}

bool is_predicate_uniform(const Stage &stage) {
    if (!stage.has_predicate) return true;
    if (stage.predicate_reads) return false;
    for (size_t i = 0; i < stage.predicate_loops.size(); ++i) {
        if (stage.loops[i].parallel && stage.predicate_loops[i]) return false;
    }
    return true;
}

std::string stage_name(const Dag &dag, StageId id) {
    const Stage &stage = dag.stage(id);
    const std::string &func = dag.func(stage.func).name;
    if (stage.index == 0) return func;
    return func + ".update(" + std::to_string(stage.index - 1) + ")";
}

}  // namespace autoschedule_gpu
