// Which extents inside a kernel are compile-time constants. The loops of the kernel's root stage
// start at unknown places (one symbol per loop), and an iteration of a loop between blocks and
// threads is one unknown point (one symbol more per reduction loop outside); a bound is known when
// it is a sum of multiples of these symbols and a constant. The extent max - min + 1 is a constant
// when both ends have the same multiples.
#include <algorithm>
#include <array>
#include <span>

#include "scheduler/nest/member_walk.h"
#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {

namespace {

// Loops beyond have no symbol of their own. Most stages need the few only, which are much cheaper.
constexpr size_t kMaxSymbols = 12, kFewSymbols = 4;

template <size_t symbols>
struct SymbolicBound {
    std::array<int64_t, symbols> multiple{};
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

// The interval type of core/dag/interval.h, where another one has its name.
using NumericInterval = Interval;

template <size_t symbols>
struct SymbolicInterval {
    SymbolicBound<symbols> lo, hi;

    static SymbolicInterval unknown() {
        return {SymbolicBound<symbols>::unknown(), SymbolicBound<symbols>::unknown()};
    }
    static SymbolicInterval constant(const NumericInterval &range) {
        return {SymbolicBound<symbols>::constant(range.min),
                SymbolicBound<symbols>::constant(range.max)};
    }
};

// For MemberWalk.
template <size_t symbols>
struct SymbolicDomain {
    using Bound = SymbolicBound<symbols>;
    using Interval = SymbolicInterval<symbols>;

    static void evaluate(const Dag &dag, RegionProgramId program, std::span<const Interval> in,
                         std::span<Interval> out) {
        std::vector<Bound> registers;  // of a program that is not affine
        for (size_t d = 0; d < dag.regions.outputs(program); ++d) {
            const RegionDimension &dim = dag.regions.dimension(program, d);
            if (const auto range = constant_range(dag, program, d, in)) {
                out[d] = Interval::constant(*range);
                continue;
            }
            const bool affine = dim.lo_affine && dim.hi_affine;
            if (!affine && dim.inputs_only && registers.empty()) {
                registers = execute(dag.regions.instructions_of(program), in);
            }
            const auto piecewise = [&](const RegionBound &bound) {
                if (!dim.inputs_only) return Bound::unknown();
                return sum(Bound::constant(bound.add), registers[bound.reg], bound.coefficient);
            };
            out[d].lo = dim.lo_affine ? evaluate(dim.lo_form, in) : piecewise(dim.lo);
            out[d].hi = dim.hi_affine ? evaluate(dim.hi_form, in) : piecewise(dim.hi);
        }
    }

    static void include(Interval &box, const Interval &other) {
        merge(box.lo, other.lo, [](int64_t a, int64_t b) { return std::min(a, b); });
        merge(box.hi, other.hi, [](int64_t a, int64_t b) { return std::max(a, b); });
    }

    static Interval reduction(const Loop &loop) {
        return loop.constant ? Interval::constant(loop.range) : Interval::unknown();
    }

private:
    // Of a program that is not affine, where all that it depends on is constant.
    static std::optional<NumericInterval> constant_range(const Dag &dag, RegionProgramId program,
                                                         size_t d, std::span<const Interval> in) {
        const RegionDimension &dim = dag.regions.dimension(program, d);
        if (!dim.inputs_only || (dim.lo_affine && dim.hi_affine)) return std::nullopt;
        std::vector<NumericInterval> ends(in.size()), range(dag.regions.outputs(program));
        for (uint16_t k : dim.reads) {
            if (!in[k].lo.is_constant() || !in[k].hi.is_constant()) return std::nullopt;
            ends[k] = {in[k].lo.add, in[k].hi.add};
        }
        dag.regions.evaluate(program, ends, range);
        return range[d];
    }

    static Bound evaluate(const AffineBound &form, std::span<const Interval> in) {
        Bound result = Bound::constant(form.add);
        for (const AffineBound::Term &term : form.terms) {
            const Interval &range = in[term.reg / 2];
            result = sum(result, term.reg % 2 == 0 ? range.lo : range.hi, term.coefficient);
        }
        return result;
    }

    // a + coefficient * b
    static Bound sum(Bound a, const Bound &b, int64_t coefficient) {
        a.known = a.known && (b.known || coefficient == 0);
        for (size_t i = 0; i < symbols; ++i) a.multiple[i] += coefficient * b.multiple[i];
        a.add += coefficient * b.add;
        return a;
    }

    // The registers of a program. The lesser of two bounds is known where they move together, as
    // the ends of two reads of one Func do whose distance is constant.
    static std::vector<Bound> execute(std::span<const RegionInstruction> code,
                                      std::span<const Interval> in) {
        std::vector<Bound> registers;
        for (const Interval &range : in) registers.insert(registers.end(), {range.lo, range.hi});
        for (const RegionInstruction &ins : code) registers.push_back(result_of(ins, registers));
        return registers;
    }

    static Bound result_of(const RegionInstruction &ins, const std::vector<Bound> &registers) {
        const auto lesser = [](int64_t a, int64_t b) { return std::min(a, b); };
        const auto greater = [](int64_t a, int64_t b) { return std::max(a, b); };
        const auto merged = [&](const Bound &other, auto pick) {
            Bound result = registers[ins.a];
            merge(result, other, pick);
            return result;
        };
        switch (ins.op) {
            case RegionOp::constant:
                return Bound::constant(ins.imm);
            case RegionOp::add:
                return sum(registers[ins.a], registers[ins.reg.b], 1);
            case RegionOp::sub:
                return sum(registers[ins.a], registers[ins.reg.b], -1);
            case RegionOp::add_imm:
                return sum(registers[ins.a], Bound::constant(ins.imm), 1);
            case RegionOp::mul_imm:
                return sum(Bound::constant(0), registers[ins.a], ins.imm);
            case RegionOp::min:
                return merged(registers[ins.reg.b], lesser);
            case RegionOp::max:
                return merged(registers[ins.reg.b], greater);
            case RegionOp::min_imm:
                return merged(Bound::constant(ins.imm), lesser);
            case RegionOp::max_imm:
                return merged(Bound::constant(ins.imm), greater);
            default:
                return Bound::unknown();
        }
    }

    template <typename Pick>
    static void merge(Bound &bound, const Bound &other, Pick pick) {
        bound.known = bound.known && other.known && bound.multiple == other.multiple;
        bound.add = pick(bound.add, other.add);
    }
};

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

bool writes_along_varying_loop(const Dag &dag, FuncId func) {
    const std::vector<StageId> &stages = dag.func(func).stages;
    return std::any_of(stages.begin(), stages.end(),
                       [&](StageId id) { return writes_along_varying_loop(dag, dag.stage(id)); });
}

// Loop i runs from symbol i over `points[i]` iterations, or, where that is 0, over all. `guarded`:
// an `if` may cut it short, which it does not where a constant extent is a multiple of the points.
template <size_t symbols>
std::vector<SymbolicInterval<symbols>> tile_ranges(const Dag &dag, const Stage &stage,
                                                   std::span<const int64_t> points, bool guarded) {
    using Domain = SymbolicDomain<symbols>;
    std::vector<SymbolicInterval<symbols>> ranges;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        auto range = SymbolicInterval<symbols>::unknown();
        const Dimension *dim = loop.dim >= 0 ? &dag.func(stage.func).dims[loop.dim] : nullptr;
        const bool constant = dim != nullptr ? dim->constant : loop.constant;
        const NumericInterval whole = dim != nullptr ? dim->estimate : loop.range;
        const bool exact = constant && points[i] > 0 && whole.extent() % points[i] == 0;
        if (points[i] == 0 || (exact && whole.extent() == points[i])) {
            if (constant) range = SymbolicInterval<symbols>::constant(whole);
        } else if (i < symbols && (!guarded || exact || points[i] == 1)) {
            range.lo = Domain::Bound::constant(0);
            range.lo.multiple[i] = 1;
            range.hi = range.lo;
            range.hi.add = points[i] - 1;
        }
        ranges.push_back(range);
    }
    return ranges;
}

// What a walk has found out about `funcs`.
template <size_t symbols>
std::vector<KnownExtents> extents_of(const Dag &dag, MemberWalk<SymbolicDomain<symbols>> &walk,
                                     std::span<const FuncId> funcs) {
    std::vector<KnownExtents> result;
    for (FuncId func : funcs) {
        KnownExtents &extents = result.emplace_back(dag.func(func).dims.size());
        const auto box = walk.computed(func);
        if (!box || writes_along_varying_loop(dag, func)) continue;
        for (size_t d = 0; d < box->size(); ++d) {
            const SymbolicBound<symbols> &lo = (*box)[d].lo, &hi = (*box)[d].hi;
            if (lo.known && hi.known && lo.multiple == hi.multiple)
                extents[d] = hi.add - lo.add + 1;
        }
    }
    return result;
}

// A tile of so many iterations of a stage, with what is computed on the way to what is asked for.
struct Tile {
    StageId stage;
    std::vector<int64_t> points;
    bool guarded;
    std::vector<FuncId> members;
};

// Extents of `funcs` where a tile is computed.
template <size_t symbols>
std::vector<KnownExtents> extents_in_tile(const Dag &dag, const Tile &tile,
                                          std::span<const FuncId> funcs) {
    MemberWalk<SymbolicDomain<symbols>> walk(dag, tile.members, funcs);
    walk.walk(tile.stage,
              tile_ranges<symbols>(dag, dag.stage(tile.stage), tile.points, tile.guarded));
    return extents_of(dag, walk, funcs);
}

// Of what is computed in the loop that the tile's block contains.
template <size_t symbols>
std::vector<KnownExtents> extents_in_iteration(const Dag &dag, const Tile &block, BlockLoop loop,
                                               std::span<const FuncId> members,
                                               std::span<const FuncId> funcs) {
    const Stage &stage = dag.stage(loop.update);
    MemberWalk<SymbolicDomain<symbols>> outer(dag, block.members, {&stage.func, 1});
    outer.walk(block.stage,
               tile_ranges<symbols>(dag, dag.stage(block.stage), block.points, block.guarded));
    const auto box = outer.computed(stage.func);
    std::vector<SymbolicInterval<symbols>> ranges;
    size_t symbol = dag.stage(block.stage).loops.size();  // the next that is free
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &l = stage.loops[i];
        auto range = SymbolicInterval<symbols>::unknown();
        if (l.dim >= 0) {
            if (box) range = (*box)[l.dim];
        } else if (!is_outside(dag, loop, i)) {
            range = SymbolicDomain<symbols>::reduction(l);
        } else if (symbol < symbols) {
            range.lo = SymbolicBound<symbols>::constant(0);
            range.lo.multiple[symbol++] = 1;
            range.hi = range.lo;
        }
        ranges.push_back(range);
    }
    MemberWalk<SymbolicDomain<symbols>> inner(dag, members, funcs);
    inner.walk(loop.update, ranges);
    return extents_of(dag, inner, funcs);
}

std::vector<KnownExtents> extents_in_tile(const Dag &dag, const Tile &tile,
                                          std::span<const FuncId> funcs) {
    const bool few = dag.stage(tile.stage).loops.size() <= kFewSymbols;
    return few ? extents_in_tile<kFewSymbols>(dag, tile, funcs)
               : extents_in_tile<kMaxSymbols>(dag, tile, funcs);
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
                                           const Tiling &tiling, std::span<const FuncId> funcs,
                                           BlockLoop loop) {
    const Stage &root = dag.stage(kernel.stage);
    std::vector<int64_t> points;
    for (size_t i = 0; i < tiling.size(); ++i) {
        points.push_back(has_blocks(root.loops[i], tiling[i]) ? tiling[i].points() : 0);
    }
    // A kernel with something in its block ends in shifted tiles, unless it is one of several.
    const bool guarded = dag.func_of(kernel.stage).stages.size() > 1;
    const Tile block{kernel.stage, std::move(points), guarded,
                     members_below(dag, kernel, *kernel.blocks)};
    if (!loop.valid()) return extents_in_tile(dag, block, funcs);
    return extents_in_iteration<kMaxSymbols>(dag, block, loop, members_in_loop(dag, kernel, loop),
                                             funcs);
}

ConstantExtents extents_in_block(const Dag &dag, const Kernel &kernel, FuncId func,
                                 BlockLoop loop) {
    return if_all_known(extents_in_block(dag, kernel, kernel.tiling, {&func, 1}, loop).front());
}

ConstantExtents extents_in_thread(const Dag &dag, const Kernel &kernel, const Band &threads,
                                  FuncId func) {
    // Where Halide does not know how far the loops of a stage in the block run, it does not know
    // what one thread of them needs either.
    const FuncId site = dag.stage(threads.stage).func;
    if (threads.stage != kernel.stage &&
        !extents_in_block(dag, kernel, site, loop_around(dag, kernel, site))) {
        return std::nullopt;
    }
    const Band &inner = *threads.body.back();
    const bool guarded =
        threads.stage == kernel.stage && dag.func_of(kernel.stage).stages.size() > 1;
    std::vector<int64_t> points = inner.trips;
    for (size_t i = 0; i < points.size(); ++i) {
        if (is_outside_threads(dag, threads, i)) continue;  // one unknown point
        if (!dag.stage(threads.stage).loops[i].parallel) points[i] = 0;
    }
    const Tile thread{threads.stage, std::move(points), guarded,
                      members_below(dag, kernel, threads)};
    return if_all_known(extents_in_tile(dag, thread, {&func, 1}).front());
}

}  // namespace autoschedule_gpu
