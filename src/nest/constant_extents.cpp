// Which extents inside a kernel are compile-time constants. The loops of the kernel's root stage
// start at unknown places (one symbol per loop); a bound is known when it is a sum of multiples of
// these symbols and a constant. The extent max - min + 1 is a constant when both ends have the
// same multiples.
#include <algorithm>
#include <array>
#include <span>

#include "nest/regions.h"

namespace autoschedule_gpu {

namespace {

constexpr size_t kMaxSymbols = 12;

struct SymbolicBound {
    std::array<int64_t, kMaxSymbols> multiple{};
    int64_t add = 0;
    bool known = true;

    static SymbolicBound unknown() {
        SymbolicBound bound;
        bound.known = false;
        return bound;
    }
    static SymbolicBound constant(int64_t value) {
        SymbolicBound bound;
        bound.add = value;
        return bound;
    }
    bool is_constant() const {
        return known &&
               std::all_of(multiple.begin(), multiple.end(), [](int64_t m) { return m == 0; });
    }
};

struct SymbolicInterval {
    SymbolicBound lo, hi;
};

struct SymbolicBox {
    std::vector<SymbolicInterval> dims;
    bool touched = false;
    bool is_computed = false;  // or what is required, of which Halide may compute more
};

SymbolicBound evaluate(const AffineBound &form, std::span<const SymbolicInterval> ranges) {
    SymbolicBound result = SymbolicBound::constant(form.add);
    for (const AffineBound::Term &term : form.terms) {
        const SymbolicInterval &range = ranges[term.reg / 2];
        const SymbolicBound &end = term.reg % 2 == 0 ? range.lo : range.hi;
        if (!end.known) return SymbolicBound::unknown();
        for (size_t i = 0; i < kMaxSymbols; ++i) {
            result.multiple[i] += term.coefficient * end.multiple[i];
        }
        result.add += term.coefficient * end.add;
    }
    return result;
}

template <typename Pick>
SymbolicBound merge(const SymbolicBound &a, const SymbolicBound &b, Pick pick) {
    if (!a.known || !b.known || a.multiple != b.multiple) return SymbolicBound::unknown();
    SymbolicBound result = a;
    result.add = pick(a.add, b.add);
    return result;
}

// Whether a reduction loop whose range is no constant says where the stage reads and writes its own
// Func (a scatter, a scan): how much of it is computed is then no constant either. A sum may well
// run over a range that is only known at run time, and so may a histogram, whose bins are bounded
// by the type of their index.
bool writes_along_varying_loop(const Dag &dag, const Stage &stage) {
    const auto moves = [&](const AccessMatrix &access, size_t loop) {
        for (size_t d = 0; d < access.dims(); ++d) {
            const Coefficient &c = access.at(d, loop);
            if (!c.known && !dag.regions.dimension(dag.func(stage.func).computed, d).inputs_only) {
                return true;
            }
            if (c.known && c.value != 0) return true;
        }
        return false;
    };
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        if (stage.loops[i].dim >= 0 || stage.loops[i].constant) continue;
        if (moves(stage.store, i)) return true;
        for (const Load &load : stage.loads) {
            if (load.producer == stage.func && moves(load.access, i)) return true;
        }
    }
    return false;
}

class SymbolicWalk {
public:
    explicit SymbolicWalk(const Dag &dag) : dag_(dag), boxes_(dag.funcs.size()) {}

    void walk(StageId stage, std::span<const SymbolicInterval> ranges,
              std::span<const FuncId> members) {
        read_edges(stage, ranges);
        for (FuncId member : members) {
            SymbolicBox &box = boxes_[member.index()];
            if (!box.touched) continue;
            box.dims = apply(dag_.func(member).computed, box.dims);
            box.is_computed = true;
            for (StageId id : dag_.func(member).stages) read_edges(id, loops_of(id, box));
        }
    }

    KnownExtents extents(FuncId func) const {
        const SymbolicBox &box = boxes_[func.index()];
        KnownExtents result(dag_.func(func).dims.size());
        if (!box.touched || writes_along_varying_loop(func)) return result;
        const std::vector<SymbolicInterval> dims =
            box.is_computed ? box.dims : apply(dag_.func(func).computed, box.dims);
        for (size_t d = 0; d < dims.size(); ++d) {
            const SymbolicBound &lo = dims[d].lo, &hi = dims[d].hi;
            if (lo.known && hi.known && lo.multiple == hi.multiple) result[d] = hi.add - lo.add + 1;
        }
        return result;
    }

private:
    bool writes_along_varying_loop(FuncId func) const {
        const std::vector<StageId> &stages = dag_.func(func).stages;
        return std::any_of(stages.begin(), stages.end(), [&](StageId id) {
            return autoschedule_gpu::writes_along_varying_loop(dag_, dag_.stage(id));
        });
    }

    std::vector<SymbolicInterval> loops_of(StageId id, const SymbolicBox &box) const {
        std::vector<SymbolicInterval> ranges;
        for (const Loop &loop : dag_.stage(id).loops) {
            ranges.push_back(loop.dim >= 0 ? box.dims[loop.dim] : reduction(loop));
        }
        return ranges;
    }

    static SymbolicInterval reduction(const Loop &loop) {
        if (!loop.constant) return {SymbolicBound::unknown(), SymbolicBound::unknown()};
        return {SymbolicBound::constant(loop.range.min), SymbolicBound::constant(loop.range.max)};
    }

    std::vector<SymbolicInterval> apply(RegionProgramId program,
                                        std::span<const SymbolicInterval> ranges) const {
        std::vector<SymbolicInterval> result;
        for (size_t d = 0; d < dag_.regions.outputs(program); ++d) {
            const RegionDimension &dim = dag_.regions.dimension(program, d);
            if (const auto range = constant_range(program, d, ranges)) {
                result.push_back(
                    {SymbolicBound::constant(range->min), SymbolicBound::constant(range->max)});
                continue;
            }
            result.push_back(
                {dim.lo_affine ? evaluate(dim.lo_form, ranges) : SymbolicBound::unknown(),
                 dim.hi_affine ? evaluate(dim.hi_form, ranges) : SymbolicBound::unknown()});
        }
        return result;
    }

    // Of a program that is not affine, where all that it depends on is constant.
    std::optional<Interval> constant_range(RegionProgramId program, size_t d,
                                           std::span<const SymbolicInterval> ranges) const {
        const RegionDimension &dim = dag_.regions.dimension(program, d);
        if (!dim.inputs_only || (dim.lo_affine && dim.hi_affine)) return std::nullopt;
        std::vector<Interval> in(ranges.size()), out(dag_.regions.outputs(program));
        for (uint16_t k : dim.reads) {
            if (!ranges[k].lo.is_constant() || !ranges[k].hi.is_constant()) return std::nullopt;
            in[k] = {ranges[k].lo.add, ranges[k].hi.add};
        }
        dag_.regions.evaluate(program, in, out);
        return out[d];
    }

    void read_edges(StageId id, std::span<const SymbolicInterval> ranges) {
        for (EdgeId edge_id : dag_.stage(id).edges) {
            const Edge &edge = dag_.edge(edge_id);
            include(boxes_[edge.producer.index()], apply(edge.region, ranges));
        }
    }

    static void include(SymbolicBox &box, std::vector<SymbolicInterval> dims) {
        if (!box.touched) {
            box.dims = std::move(dims);
            box.touched = true;
            return;
        }
        for (size_t d = 0; d < box.dims.size(); ++d) {
            box.dims[d].lo = merge(box.dims[d].lo, dims[d].lo,
                                   [](int64_t a, int64_t b) { return std::min(a, b); });
            box.dims[d].hi = merge(box.dims[d].hi, dims[d].hi,
                                   [](int64_t a, int64_t b) { return std::max(a, b); });
        }
    }

    const Dag &dag_;
    std::vector<SymbolicBox> boxes_;
};

// Loop i runs from symbol i over `points[i]` iterations, or, where that is 0, over all. `guarded`:
// an `if` may cut it short, which it does not where a constant extent is a multiple of the points.
std::vector<SymbolicInterval> tile_ranges(const Dag &dag, const Stage &stage,
                                          std::span<const int64_t> points, bool guarded) {
    std::vector<SymbolicInterval> ranges;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        SymbolicInterval range{SymbolicBound::unknown(), SymbolicBound::unknown()};
        const Dimension *dim = loop.dim >= 0 ? &dag.func(stage.func).dims[loop.dim] : nullptr;
        const bool constant = dim != nullptr ? dim->constant : loop.constant;
        const Interval whole = dim != nullptr ? dim->estimate : loop.range;
        const bool exact = constant && points[i] > 0 && whole.extent() % points[i] == 0;
        if (points[i] == 0 || (exact && whole.extent() == points[i])) {
            if (constant) {
                range = {SymbolicBound::constant(whole.min), SymbolicBound::constant(whole.max)};
            }
        } else if (i < kMaxSymbols && (!guarded || exact || points[i] == 1)) {
            range.lo = SymbolicBound::constant(0);
            range.lo.multiple[i] = 1;
            range.hi = range.lo;
            range.hi.add = points[i] - 1;
        }
        ranges.push_back(std::move(range));
    }
    return ranges;
}

}  // namespace

ConstantExtents if_all_known(const KnownExtents &extents) {
    std::vector<int64_t> result;
    for (const std::optional<int64_t> &extent : extents) {
        if (!extent) return std::nullopt;
        result.push_back(*extent);
    }
    return result;
}

std::vector<KnownExtents> extents_in_block(const Dag &dag, const Kernel &kernel,
                                           const Tiling &tiling, std::span<const FuncId> funcs) {
    const Stage &root = dag.stage(kernel.stage);
    std::vector<int64_t> points;
    for (size_t i = 0; i < tiling.size(); ++i) {
        points.push_back(is_split(root.loops[i], tiling[i]) ? tiling[i].points() : 0);
    }
    // A kernel with something in its block ends in shifted tiles, unless it is one of several.
    const bool guarded = dag.func_of(kernel.stage).stages.size() > 1;
    SymbolicWalk walk(dag);
    walk.walk(kernel.stage, tile_ranges(dag, root, points, guarded),
              members_below(dag, kernel, *kernel.blocks));
    std::vector<KnownExtents> extents;
    for (FuncId func : funcs) extents.push_back(walk.extents(func));
    return extents;
}

ConstantExtents extents_in_block(const Dag &dag, const Kernel &kernel, FuncId func) {
    return if_all_known(extents_in_block(dag, kernel, kernel.tiling, {&func, 1}).front());
}

ConstantExtents extents_in_thread(const Dag &dag, const Kernel &kernel, const Band &threads,
                                  FuncId func) {
    // Where Halide does not know how far the loops of a stage in the block run, it does not know what
    // one thread of them needs either.
    const FuncId site = dag.stage(threads.stage).func;
    if (threads.stage != kernel.stage && !extents_in_block(dag, kernel, site)) return std::nullopt;
    const Band &inner = *threads.body.back();
    const bool guarded =
        threads.stage == kernel.stage && dag.func_of(kernel.stage).stages.size() > 1;
    SymbolicWalk walk(dag);
    std::vector<int64_t> points = inner.trips;
    for (size_t i = 0; i < points.size(); ++i) {
        if (!dag.stage(threads.stage).loops[i].parallel) points[i] = 0;
    }
    walk.walk(threads.stage, tile_ranges(dag, dag.stage(threads.stage), points, guarded),
              members_below(dag, kernel, threads));
    return if_all_known(walk.extents(func));
}

}  // namespace autoschedule_gpu
