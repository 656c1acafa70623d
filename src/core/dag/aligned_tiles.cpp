// Which Funcs may be computed in tiles of which each begins at a multiple of its size, the last one
// included: it must be known where the Func begins, and the rest of the last tile, beyond the
// Func's end, must not ask for anything beyond a buffer.
#include <algorithm>
#include <array>
#include <span>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

namespace {

// A range as the sizes of images may make it: `larger` of them, or as small as can be.
enum class Sizes : uint8_t { as_estimated, least, larger };
constexpr std::array kAllSizes = {Sizes::as_estimated, Sizes::least, Sizes::larger};

// In points, beyond any clamp at an estimated end.
constexpr int64_t kLarger = 1 << 24;

Interval at_sizes(Interval range, bool constant, bool constant_min, Sizes sizes) {
    if (constant || sizes == Sizes::as_estimated) return range;
    const int64_t shift = constant_min ? 0 : sizes == Sizes::least ? 1 : -kLarger;
    const int64_t max = sizes == Sizes::least ? range.min : range.max + kLarger;
    return {range.min + shift, max + shift};
}

std::vector<Interval> loop_ranges(const Dag &dag, const Stage &stage, Sizes sizes) {
    std::vector<Interval> ranges;
    for (const Loop &loop : stage.loops) {
        if (loop.dim < 0) {
            ranges.push_back(at_sizes(loop.range, loop.constant, false, sizes));
            continue;
        }
        const Dimension &dim = dag.func(stage.func).dims[static_cast<size_t>(loop.dim)];
        ranges.push_back(at_sizes(dim.estimate, dim.constant, dim.constant_min, sizes));
    }
    return ranges;
}

// Drops the dimensions of `known` whose beginning depends on the sizes of images, by what a region
// program makes of `ranges(sizes)`.
template <typename Ranges>
void keep_constant_mins(const RegionCode &regions, RegionProgramId program, const Ranges &ranges,
                        std::vector<bool> &known) {
    std::vector<Interval> at_estimates(known.size()), box(known.size());
    regions.evaluate(program, ranges(Sizes::as_estimated), at_estimates);
    for (const Sizes sizes : kAllSizes) {
        regions.evaluate(program, ranges(sizes), box);
        for (size_t d = 0; d < box.size(); ++d) {
            const bool same = box[d].min == at_estimates[d].min;
            known[d] = known[d] && same && regions.dimension(program, d).inputs_only;
        }
    }
}

void find_constant_mins(Dag &dag, FuncId id) {
    Func &func = dag.funcs[id.index()];
    const std::vector<EdgeId> &consumers = dag.consumers[id.index()];
    std::vector<bool> known(func.dims.size(), !consumers.empty());
    for (EdgeId edge : consumers) {
        const Stage &consumer = dag.stage(dag.edge(edge).consumer);
        const auto ranges = [&](Sizes sizes) { return loop_ranges(dag, consumer, sizes); };
        keep_constant_mins(dag.regions, dag.edge(edge).region, ranges, known);
    }
    const std::vector<bool> required = known;
    const auto ranges = [&](Sizes sizes) {
        std::vector<Interval> box;
        for (size_t d = 0; d < func.dims.size(); ++d) {
            const Dimension &dim = func.dims[d];
            box.push_back(at_sizes(dim.estimate, dim.constant, required[d], sizes));
        }
        return box;
    };
    keep_constant_mins(dag.regions, func.computed, ranges, known);
    for (size_t d = 0; d < func.dims.size(); ++d) {
        func.dims[d].constant_min = func.dims[d].constant || (known[d] && !func.dims[d].promised);
    }
}

// Where a stage runs on beyond what is needed of it.
enum class End : uint8_t { begin, end };

// The loops of a part of an image that begins so many points further on.
std::vector<Interval> moved(const Dag &dag, const Stage &stage, int64_t by) {
    std::vector<Interval> ranges = loop_ranges(dag, stage, Sizes::as_estimated);
    for (size_t i = 0; i < ranges.size(); ++i) {
        if (!may_begin_elsewhere(dag, stage, stage.loops[i])) continue;
        ranges[i] = {ranges[i].min + by, ranges[i].max + by};
    }
    return ranges;
}

// The same loops, of which those over that dimension of their Func run on beyond that end.
std::vector<Interval> beyond(std::vector<Interval> ranges, const Stage &stage, size_t dim,
                             End end) {
    for (size_t i = 0; i < ranges.size(); ++i) {
        if (stage.loops[i].dim != static_cast<int>(dim)) continue;
        (end == End::end ? ranges[i].max : ranges[i].min) += end == End::end ? kLarger : -kLarger;
    }
    return ranges;
}

// What the Func holds values of, if it is a wrapper for one reader. Such a wrapper has as much as
// that reader needs at the estimates, and is never stored as a whole: it has no end of its own.
const Func &behind_single_readers(const Dag &dag, FuncId id) {
    const Func *func = &dag.func(id);
    while (func->reader.valid()) func = &dag.func(func->wraps);
    return *func;
}

// What is asked for anyway: by all readers, at the estimates, or by the stage alone.
enum class Asked : uint8_t { at_estimates, by_stage };

// Whether a stage with such loops that runs on beyond that end of a dimension of its Func asks for
// no more than without, or but for more of what may grow there.
bool asks_for_no_more(const Dag &dag, const Stage &stage, size_t dim, End end,
                      const std::vector<Interval> &ranges, Asked anyway, const MayGrow &may_grow) {
    const std::vector<Interval> more = beyond(ranges, stage, dim, end);
    return std::ranges::all_of(stage.edges, [&](EdgeId id) {
        const Edge &edge = dag.edge(id);
        if (edge.fallback) return false;
        const Func &producer = behind_single_readers(dag, edge.producer);
        std::vector<Interval> box(producer.dims.size()), grown(producer.dims.size());
        dag.regions.evaluate(edge.region, ranges, box);
        dag.regions.evaluate(edge.region, more, grown);
        for (size_t d = 0; d < box.size(); ++d) {
            const Dimension &of = producer.dims[d];
            const bool is_known = anyway == Asked::at_estimates || of.constant;
            const Interval &known = is_known ? of.estimate : box[d];
            const RegionDimension &asked = dag.regions.dimension(edge.region, d);
            // At the estimates the producer's own reads are known to the end.
            const bool by_stage = anyway == Asked::by_stage;
            const auto may = [&](End other, bool within) {
                return (by_stage && within) || (other == end && may_grow(edge.producer, d));
            };
            if (grown[d].min < known.min && !may(End::begin, asked.lo_within)) return false;
            if (grown[d].max > known.max && !may(End::end, asked.hi_within)) return false;
        }
        return true;
    });
}

// Whether more may be asked of a Func than is needed, if along that dimension it is safe.
bool may_be_more_of(const Func &func, size_t dim, bool is_safe) {
    return is_safe && !func.dims[dim].promised && !func.is_output() && !func.on_host();
}

bool begins_before(const Dag &dag, FuncId id, size_t dim) {
    const Func &func = behind_single_readers(dag, id);
    return may_be_more_of(func, dim, func.dims[dim].begins_before);
}

// Whatever the sizes are, and where the Func begins. A clamp to a number, or to a parameter, is one
// to the end of a buffer only as long as that has the estimated size: in a smaller image, or in a
// part of one that begins further on, it limits nothing.
bool may_run_beyond(const Dag &dag, const Stage &stage, size_t dim, End end,
                    const MayGrow &may_grow) {
    const auto no_more = [&](const std::vector<Interval> &ranges, Asked anyway) {
        return asks_for_no_more(dag, stage, dim, end, ranges, anyway, may_grow);
    };
    if (!no_more(loop_ranges(dag, stage, Sizes::as_estimated), Asked::at_estimates)) return false;
    if (end == End::end) return no_more(loop_ranges(dag, stage, Sizes::least), Asked::by_stage);
    // Between the ends of a clamp, wherever these are.
    for (int64_t by = 1; by <= kLarger; by *= 4) {
        if (!no_more(moved(dag, stage, by), Asked::by_stage)) return false;
    }
    return true;
}

// The tiles of an output end in guards, which Halide keeps where the output ends with its buffer:
// where nobody reads it (src/halide/README.md, 'Guards that get lost').
void find_rounding_dimensions(Dag &dag, FuncId id) {
    Func &func = dag.funcs[id.index()];
    if (func.is_input()) return;
    const bool may_round = !func.is_output() || dag.consumers[id.index()].empty();
    for (size_t d = 0; d < func.dims.size(); ++d) {
        Dimension &dim = func.dims[d];
        const auto all = [&](const auto &is) {
            return std::ranges::all_of(func.stages, [&](StageId id) { return is(dag.stage(id)); });
        };
        dim.begins_before = all([&](const Stage &stage) {
            return may_run_beyond(dag, stage, d, End::begin, [&](FuncId producer, size_t of) {
                return begins_before(dag, producer, of);
            });
        });
        dim.rounds_up = may_round && !dim.constant && all([&](const Stage &stage) {
                            return may_run_on(dag, stage, d, [&](FuncId producer, size_t of) {
                                return rounds_up(dag, producer, of);
                            });
                        });
    }
}

}  // namespace

bool rounds_up(const Dag &dag, FuncId id, size_t dim) {
    const Func &func = behind_single_readers(dag, id);
    return may_be_more_of(func, dim, func.dims[dim].rounds_up);
}

bool may_run_on(const Dag &dag, const Stage &stage, size_t dim, const MayGrow &may_grow) {
    return may_run_beyond(dag, stage, dim, End::end, may_grow);
}

bool may_begin_elsewhere(const Dag &dag, const Stage &stage, const Loop &loop) {
    if (loop.dim < 0) return false;
    const Dimension &dim = dag.func(stage.func).dims[static_cast<size_t>(loop.dim)];
    return !dim.constant && !dim.constant_min;
}

void find_aligned_tiles(Dag &dag) {
    for (size_t f = dag.funcs.size(); f-- > 0;) {  // consumers come before their producers
        const Func &func = dag.funcs[f];
        if (!func.is_input() && !func.is_output()) find_constant_mins(dag, FuncId(f));
    }
    for (size_t f = 0; f < dag.funcs.size(); ++f) find_rounding_dimensions(dag, FuncId(f));
}

}  // namespace autoschedule_gpu
