// Which extents inside a kernel are compile-time constants. The loops of the kernel's root stage
// start at unknown places (one symbol per loop), or at multiples of the tile, and an iteration of a
// loop between blocks and threads is one unknown point (one symbol more per reduction loop
// outside); a bound is known when it is a sum of multiples of these symbols and a constant. The
// extent max - min + 1 is a constant when both ends have the same multiples.
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
            if (const auto point = promised_point(dag, program, d, in)) {
                out[d] = *point;
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

    // A single point of which it is known to lie in a range that is no constant, as an rfactor says
    // of the loops that it takes out: Halide knows that there is one point at most.
    static std::optional<Interval> promised_point(const Dag &dag, RegionProgramId program, size_t d,
                                                  std::span<const Interval> in) {
        const RegionDimension &dim = dag.regions.dimension(program, d);
        if (dim.reads.size() != 1) return std::nullopt;
        const size_t min = size_t{2} * dim.reads[0];
        const auto is = [&](const RegionBound &bound, RegionOp op, RegionOp imm, size_t of) {
            if (bound.coefficient != 1 || bound.add != 0 || bound.reg < 2 * in.size()) return false;
            const RegionInstruction &ins =
                dag.regions.instructions_of(program)[bound.reg - 2 * in.size()];
            return (ins.op == op || ins.op == imm) && ins.a == of;
        };
        if (!is(dim.lo, RegionOp::max, RegionOp::max_imm, min) ||
            !is(dim.hi, RegionOp::min, RegionOp::min_imm, min + 1)) {
            return std::nullopt;
        }
        const Interval &range = in[dim.reads[0]];
        const bool is_point = range.lo.known && range.hi.known && range.lo.add == range.hi.add &&
                              range.lo.multiple == range.hi.multiple;
        return is_point ? std::optional(range) : std::nullopt;
    }

    static Bound evaluate(const AffineBound &form, std::span<const Interval> in) {
        Bound result = Bound::constant(form.add);
        for (const AffineBound::Term &term : form.terms) {
            const Interval &range = in[term.reg / 2];
            result = sum(result, term.reg % 2 == 0 ? range.lo : range.hi, term.coefficient);
        }
        return result;
    }

    // Where all multiples are multiples of the divisor, so is what the symbols add.
    static Bound quotient(Bound a, int64_t divisor) {
        for (int64_t &multiple : a.multiple) {
            a.known = a.known && divisor > 0 && multiple % divisor == 0;
            if (a.known) multiple /= divisor;
        }
        if (!a.known) return Bound::unknown();
        const int64_t rest = (a.add % divisor + divisor) % divisor;
        a.add = (a.add - rest) / divisor;
        return a;
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
            case RegionOp::div_imm:
                return quotient(registers[ins.a], ins.imm);
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

// How the tiles of a stage end. `shifted`: the last ends where the loop does, wherever it then
// begins. `guarded`: an `if` may cut it short. `aligned`: the same along dimensions that round up,
// along which as much is computed of what is in the tile as in any other, and the tile begins so
// many times its size from the beginning; along the others it is shifted. `cut`: as `aligned`, but
// nothing is known along dimensions that round up.
enum class Ends : uint8_t { shifted, guarded, aligned, cut };

// A loop that is tiled.
struct TiledLoop {
    const Dimension *dim;  // null: of a reduction
    int64_t points;        // 0: all
    bool constant;
    Interval whole;

    // No tile is cut short or shifted.
    bool is_exact() const { return constant && points > 0 && whole.extent() % points == 0; }
    bool is_whole() const { return points == 0 || (constant && whole.extent() == points); }
    bool rounds_up() const { return dim != nullptr && dim->rounds_up; }
    bool is_known(Ends ends) const {
        if (is_exact() || points == 1) return true;
        return ends == Ends::cut ? !rounds_up() : ends != Ends::guarded;
    }
    bool begins_at_multiples(Ends ends) const {
        if (dim == nullptr || !dim->constant_min) return false;
        return is_exact() || (ends == Ends::aligned && rounds_up());
    }
};

TiledLoop tiled_loop(const Dag &dag, const Stage &stage, size_t loop, int64_t points) {
    const Loop &l = stage.loops[loop];
    if (l.dim < 0) return {nullptr, points, l.constant, l.range};
    const Dimension &dim = dag.func(stage.func).dims[static_cast<size_t>(l.dim)];
    return {&dim, points, dim.constant, dim.estimate};
}

// Loop i runs over `points[i]` iterations from symbol i, or from so many times that; where it is
// 0, over all.
template <size_t symbols>
std::vector<SymbolicInterval<symbols>> tile_ranges(const Dag &dag, const Stage &stage,
                                                   std::span<const int64_t> points, Ends ends) {
    std::vector<SymbolicInterval<symbols>> ranges;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const TiledLoop loop = tiled_loop(dag, stage, i, points[i]);
        auto range = SymbolicInterval<symbols>::unknown();
        if (loop.is_whole()) {
            if (loop.constant) range = SymbolicInterval<symbols>::constant(loop.whole);
        } else if (i < symbols && loop.is_known(ends)) {
            const bool multiples = loop.begins_at_multiples(ends);
            range.lo = SymbolicBound<symbols>::constant(multiples ? loop.whole.min : 0);
            range.lo.multiple[i] = multiples ? points[i] : 1;
            range.hi = range.lo;
            range.hi.add += points[i] - 1;
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

// Where extents are asked for: in a tile of so many iterations of a stage, or, if `loop` is valid,
// in an iteration of a loop that the tile contains; with what is computed on the way to what is
// asked for.
struct Site {
    StageId stage;
    std::vector<int64_t> points;
    std::vector<FuncId> members;
    BlockLoop loop;
    std::vector<FuncId> loop_members;
};

template <size_t symbols>
std::vector<KnownExtents> extents_in_tile(const Dag &dag, const Site &site, Ends ends,
                                          std::span<const FuncId> funcs) {
    MemberWalk<SymbolicDomain<symbols>> walk(dag, site.members, funcs);
    walk.walk(site.stage, tile_ranges<symbols>(dag, dag.stage(site.stage), site.points, ends));
    return extents_of(dag, walk, funcs);
}

template <size_t symbols>
std::vector<KnownExtents> extents_in_iteration(const Dag &dag, const Site &site, Ends ends,
                                               std::span<const FuncId> funcs) {
    const Stage &stage = dag.stage(site.loop.update);
    MemberWalk<SymbolicDomain<symbols>> outer(dag, site.members, {&stage.func, 1});
    outer.walk(site.stage, tile_ranges<symbols>(dag, dag.stage(site.stage), site.points, ends));
    const auto box = outer.computed(stage.func);
    std::vector<SymbolicInterval<symbols>> ranges;
    size_t symbol = dag.stage(site.stage).loops.size();  // the next that is free
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &l = stage.loops[i];
        auto range = SymbolicInterval<symbols>::unknown();
        if (l.dim >= 0) {
            if (box) range = (*box)[l.dim];
        } else if (!is_outside(dag, site.loop, i)) {
            range = SymbolicDomain<symbols>::reduction(l);
        } else if (symbol < symbols) {
            range.lo = SymbolicBound<symbols>::constant(0);
            range.lo.multiple[symbol++] = 1;
            range.hi = range.lo;
        }
        ranges.push_back(range);
    }
    MemberWalk<SymbolicDomain<symbols>> inner(dag, site.loop_members, funcs);
    inner.walk(site.loop.update, ranges);
    return extents_of(dag, inner, funcs);
}

std::vector<KnownExtents> extents_at(const Dag &dag, const Site &site, Ends ends,
                                     std::span<const FuncId> funcs) {
    if (site.loop.valid()) return extents_in_iteration<kMaxSymbols>(dag, site, ends, funcs);
    const bool few = dag.stage(site.stage).loops.size() <= kFewSymbols;
    return few ? extents_in_tile<kFewSymbols>(dag, site, ends, funcs)
               : extents_in_tile<kMaxSymbols>(dag, site, ends, funcs);
}

Site block_site(const Dag &dag, const Kernel &kernel, const Tiling &tiling, BlockLoop loop) {
    const Stage &root = dag.stage(kernel.stage);
    Site site{kernel.stage, {}, members_below(dag, kernel, *kernel.blocks), loop, {}};
    for (size_t i = 0; i < tiling.size(); ++i) {
        site.points.push_back(has_blocks(root.loops[i], tiling[i]) ? tiling[i].points() : 0);
    }
    if (loop.valid()) site.loop_members = members_in_loop(dag, kernel, loop);
    return site;
}

Site thread_site(const Dag &dag, const Kernel &kernel, const Band &threads) {
    Site site{
        threads.stage, threads.body.back()->trips, members_below(dag, kernel, threads), {}, {}};
    for (size_t i = 0; i < site.points.size(); ++i) {
        if (is_outside_threads(dag, threads, i)) continue;  // one unknown point
        if (!dag.stage(threads.stage).loops[i].parallel) site.points[i] = 0;
    }
    return site;
}

// Whether Halide may fail to prove that what a thread needs of a guarded tile is no more than of a
// whole one: of a loop that is split twice it knows the beginning of the thread's points in two
// forms, which it takes for one only where the loop ends as an output does (src/halide/README.md).
bool has_doubtful_end(const Dag &dag, const Kernel &kernel, size_t loop) {
    const Stage &root = dag.stage(kernel.stage);
    const LoopTile &tile = kernel.tiling[loop];
    const int dim = root.loops[loop].dim;
    if (dim < 0 || tile.serial == 1 || tile.threads == 1) return false;
    const Func &func = dag.func(root.func);
    const bool is_read = std::ranges::any_of(dag.consumers[root.func.index()], [&](EdgeId edge) {
        return dag.stage(dag.edge(edge).consumer).func != root.func;
    });
    return !func.dims[static_cast<size_t>(dim)].constant && (is_read || !func.is_output());
}

// The threads of a kernel's own stage, with nothing known along such loops.
Site without_doubtful_ends(const Dag &dag, const Kernel &kernel, Site site) {
    for (size_t i = 0; i < site.points.size(); ++i) {
        if (has_doubtful_end(dag, kernel, i)) site.points[i] = 0;
    }
    return site;
}

// Whether the tiles of a stage at root may be aligned. What is in the tiles of several stages of a
// Func has extents only where no guard cuts them short.
bool may_align(const Dag &dag, StageId stage) {
    const Func &func = dag.func_of(stage);
    return func.stages.size() == 1 && std::ranges::any_of(func.dims, [](const Dimension &dim) {
               return dim.rounds_up && dim.constant_min;
           });
}

// The same site with one point along each dimension that does not round up: as much is computed
// there where an image is smaller than a tile.
Site at_least_points(const Dag &dag, Site site) {
    const Stage &stage = dag.stage(site.stage);
    for (size_t i = 0; i < site.points.size(); ++i) {
        const TiledLoop loop = tiled_loop(dag, stage, i, site.points[i]);
        if (!loop.is_whole() && !loop.is_exact() && !loop.rounds_up()) site.points[i] = 1;
    }
    return site;
}

// What aligned tiles tell beyond `shifted`, the extents in shifted ones. It is promised to Halide,
// for all sizes of images: so it must not depend on dimensions that do not round up.
void add_extents_of_aligned(const Dag &dag, const Site &site, std::span<const FuncId> funcs,
                            std::vector<KnownExtents> &shifted) {
    if (!may_align(dag, site.stage)) return;
    const std::vector<KnownExtents> aligned = extents_at(dag, site, Ends::aligned, funcs);
    if (aligned == shifted) return;
    const std::vector<KnownExtents> least =
        extents_at(dag, at_least_points(dag, site), Ends::aligned, funcs);
    for (size_t f = 0; f < funcs.size(); ++f) {
        for (size_t d = 0; d < shifted[f].size(); ++d) {
            if (!shifted[f][d] && aligned[f][d] == least[f][d]) shifted[f][d] = aligned[f][d];
        }
    }
}

bool all_known(const KnownExtents &extents) {
    return std::ranges::all_of(extents, [](const auto &extent) { return extent.has_value(); });
}

bool has_updates(const Dag &dag, FuncId func) {
    return dag.func(func).stages.size() > 1;
}

// Extents in tiles of a stage at root, which are `aligned` already or become so for a Func with
// updates: of others a block may have as much as is found at run time (SiteExtents), in tiles that
// need no guards.
std::vector<KnownExtents> extents_at_root(const Dag &dag, const Site &site,
                                          std::span<const FuncId> funcs, bool is_aligned) {
    if (dag.func_of(site.stage).stages.size() > 1) {
        return extents_at(dag, site, Ends::guarded, funcs);
    }
    std::vector<KnownExtents> extents = extents_at(dag, site, Ends::shifted, funcs);
    std::vector<size_t> open;  // places in funcs
    std::vector<FuncId> open_funcs;
    std::vector<KnownExtents> open_extents;
    for (size_t f = 0; f < funcs.size(); ++f) {
        if (all_known(extents[f]) || !(is_aligned || has_updates(dag, funcs[f]))) continue;
        open.push_back(f);
        open_funcs.push_back(funcs[f]);
        open_extents.push_back(extents[f]);
    }
    if (open.empty()) return extents;
    add_extents_of_aligned(dag, site, open_funcs, open_extents);
    for (size_t i = 0; i < open.size(); ++i) extents[open[i]] = std::move(open_extents[i]);
    return extents;
}

// Whether aligned tiles tell more of `func` than shifted ones.
bool needs_alignment(const Dag &dag, const Site &site, FuncId func) {
    const std::vector<KnownExtents> shifted = extents_at(dag, site, Ends::shifted, {&func, 1});
    if (all_known(shifted.front())) return false;
    std::vector<KnownExtents> aligned = shifted;
    add_extents_of_aligned(dag, site, {&func, 1}, aligned);
    return aligned != shifted;
}

// Of the extents in aligned tiles, those that their guards hide.
KnownExtents hidden_extents(const Dag &dag, const Site &site, FuncId func) {
    KnownExtents hidden = extents_at(dag, site, Ends::aligned, {&func, 1}).front();
    const KnownExtents cut = extents_at(dag, site, Ends::cut, {&func, 1}).front();
    const KnownExtents least =
        extents_at(dag, at_least_points(dag, site), Ends::aligned, {&func, 1}).front();
    for (size_t d = 0; d < hidden.size(); ++d) {
        if (cut[d] || hidden[d] != least[d]) hidden[d] = std::nullopt;
    }
    return hidden;
}

}  // namespace

ConstantExtents if_all_known(const KnownExtents &extents) {
    std::vector<int64_t> result;
    for (const std::optional<int64_t> &extent : extents) {
        if (!extent || *extent < 1) return std::nullopt;
        result.push_back(*extent);
    }
    return result;
}

std::vector<KnownExtents> extents_in_block(const Dag &dag, const Kernel &kernel,
                                           const Tiling &tiling, std::span<const FuncId> funcs,
                                           BlockLoop loop) {
    return extents_at_root(dag, block_site(dag, kernel, tiling, loop), funcs, kernel.aligned);
}

ConstantExtents extents_in_block(const Dag &dag, const Kernel &kernel, FuncId func,
                                 BlockLoop loop) {
    return if_all_known(extents_in_block(dag, kernel, kernel.tiling, {&func, 1}, loop).front());
}

ConstantExtents extents_in_thread(const Dag &dag, const Kernel &kernel, const Band &threads,
                                  FuncId func) {
    const Site site = thread_site(dag, kernel, threads);
    if (threads.stage == kernel.stage) {
        // A tile that a guard cuts short needs no more than a whole one, as Halide is told.
        if (has_updates(dag, dag.stage(kernel.stage).func)) {
            const Site provable = without_doubtful_ends(dag, kernel, site);
            return if_all_known(extents_at(dag, provable, Ends::shifted, {&func, 1}).front());
        }
        return if_all_known(extents_at_root(dag, site, {&func, 1}, kernel.aligned).front());
    }
    // Where Halide does not know how far the loops of a stage in the block run, it does not know
    // what one thread of them needs either.
    const FuncId of = dag.stage(threads.stage).func;
    if (!extents_in_block(dag, kernel, of, loop_around(dag, kernel, of))) return std::nullopt;
    return if_all_known(extents_at(dag, site, Ends::shifted, {&func, 1}).front());
}

bool may_need_alignment(const Dag &dag, const Kernel &kernel, FuncId func) {
    return !kernel.aligned && has_updates(dag, func) && may_align(dag, kernel.stage);
}

bool needs_alignment_in_block(const Dag &dag, const Kernel &kernel, FuncId func, BlockLoop loop) {
    if (!may_need_alignment(dag, kernel, func)) return false;
    const BlockLoop around = loop_around(dag, func, loop);
    return needs_alignment(dag, block_site(dag, kernel, kernel.tiling, around), func);
}

bool needs_alignment_in_thread(const Dag &dag, const Kernel &kernel, StageId site, FuncId func) {
    return site == kernel.stage && may_need_alignment(dag, kernel, func) &&
           needs_alignment(dag, thread_site(dag, kernel, *root_threads(kernel)), func);
}

KnownExtents hidden_in_block(const Dag &dag, const Kernel &kernel, FuncId func, BlockLoop loop) {
    return hidden_extents(dag, block_site(dag, kernel, kernel.tiling, loop), func);
}

KnownExtents cut_in_thread(const Dag &dag, const Kernel &kernel, FuncId func) {
    const KnownExtents none(dag.func(func).dims.size());
    if (!has_updates(dag, dag.stage(kernel.stage).func)) return none;
    const Site site = thread_site(dag, kernel, *root_threads(kernel));
    KnownExtents cut = extents_at(dag, site, Ends::shifted, {&func, 1}).front();
    const KnownExtents known = extents_at(dag, site, Ends::guarded, {&func, 1}).front();
    for (size_t d = 0; d < cut.size(); ++d) {
        if (known[d]) cut[d] = std::nullopt;
    }
    return cut;
}

bool cuts_in_threads(const Dag &dag, const Kernel &kernel) {
    if (kernel.on_host || !has_updates(dag, dag.stage(kernel.stage).func)) return false;
    return std::ranges::any_of(root_threads(kernel)->body, [&](const BandPtr &inner) {
        if (inner->stage == kernel.stage) return false;
        const KnownExtents cut = cut_in_thread(dag, kernel, dag.stage(inner->stage).func);
        return std::ranges::any_of(cut, [](const auto &extent) { return extent.has_value(); });
    });
}

KnownExtents hidden_in_thread(const Dag &dag, const Kernel &kernel, FuncId func) {
    return hidden_extents(dag, thread_site(dag, kernel, *root_threads(kernel)), func);
}

}  // namespace autoschedule_gpu
