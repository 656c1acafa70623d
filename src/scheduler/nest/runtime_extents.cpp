// Extents that are not constant: by evaluating region programs for blocks in several places.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "scheduler/nest/member_walk.h"
#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {

namespace {

// A block that starts at an odd pixel needs a point more of a level that is read at x / 2. Where
// extents differ by more, they depend on the position, and Halide, which takes the most for any
// block without knowing how its ends belong together, would make far larger ones.
constexpr int64_t kMostDifference = 2;

// The same is true behind a clamp, where a block beyond the image's edge needs one point, however
// large it is. So a block of so many times the size must need at least kLeastGrowth times as much.
constexpr int64_t kLargeBlock = 64, kLeastGrowth = 4;

// Where the block starts along a loop of `extent` iterations, for one of kBlockPositions places:
// the first, two in the middle, then anywhere, as the last block may be shifted inwards by any
// number; at last far beyond the estimated end, since the image may be larger and a clamp's limits
// are.
constexpr int kBlockPositions = 9, kMiddle = 2, kBeyond = 8;
int64_t start_of(int place, int64_t extent, int64_t points) {
    const int64_t last = std::max<int64_t>(0, extent - points);
    const int64_t middle = std::min(last, extent / points / 2 * points);
    const std::array<int64_t, kBlockPositions> starts = {
        0,        std::min(last, points), middle, middle + 1, middle + 2, middle + 3, last,
        last / 3, 1000 * extent + 5};
    return starts[static_cast<size_t>(place)];
}

// Each loop goes through the places in an order of its own: on the diagonal of a square image alone
// the tiles that f(x, y) and f(y, x) read would be one and the same.
int place_along(size_t loop, int step) {
    constexpr std::array<int, 6> kCoprime = {1, 2, 4, 5, 7, 8};
    return (step * kCoprime[loop % kCoprime.size()] + static_cast<int>(loop)) % kBlockPositions;
}

// `place_of(i)` is the place along loop i.
template <typename PlaceOf>
std::vector<Interval> block_ranges(const Dag &dag, StageId id, const Tiling &tiling,
                                   const PlaceOf &place_of, int64_t times = 1) {
    const Stage &stage = dag.stage(id);
    std::vector<Interval> ranges;
    ranges.reserve(stage.loops.size());
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        const Interval &whole = estimated_range(dag, stage, loop);
        if (!has_blocks(loop, tiling[i])) {
            ranges.push_back(whole);
            continue;
        }
        const int64_t points = tiling[i].points();
        ranges.push_back(Interval::from_extent(
            whole.min + start_of(place_of(i), whole.extent(), points), times * points));
    }
    return ranges;
}

// For MemberWalk.
struct ConcreteDomain {
    using Interval = autoschedule_gpu::Interval;

    static void evaluate(const Dag &dag, RegionProgramId program, std::span<const Interval> in,
                         std::span<Interval> out) {
        dag.regions.evaluate(program, in, out);
    }
    static void include(Interval &box, const Interval &other) { box.include(other); }
    static Interval reduction(const Loop &loop) { return loop.range; }
};

// The same with other values of parameters and sizes of buffers than the estimated ones.
struct LargerValues : ConcreteDomain {
    static void evaluate(const Dag &dag, RegionProgramId program, std::span<const Interval> in,
                         std::span<Interval> out) {
        dag.regions.evaluate(program, in, out);
        for (size_t d = 0; d < dag.regions.outputs(program); ++d) {
            if (dag.regions.dimension(program, d).grows) out[d].max += kMore;
        }
    }
    static Interval reduction(const Loop &loop) {
        return Interval(loop.range.min, loop.range.max + (loop.constant ? 0 : kMore));
    }

private:
    static constexpr int64_t kMore = 1000;
};

// Adds what one block needs to the most of those before it. False if the two are too different.
bool take_most(const KnownExtents &known, std::span<const Interval> box,
               std::vector<int64_t> &most) {
    const bool first = most.empty() && !box.empty();
    most.resize(box.size());
    for (size_t d = 0; d < box.size(); ++d) {
        const int64_t extent = known[d].value_or(box[d].extent());
        if (!first && std::abs(extent - most[d]) > kMostDifference) return false;
        most[d] = first ? extent : std::max(most[d], extent);
    }
    return true;
}

// Whether a much larger block needs much more, wherever extents are not known.
bool grows(const KnownExtents &known, std::span<const Interval> large,
           const std::vector<int64_t> &most) {
    for (size_t d = 0; d < large.size(); ++d) {
        if (!known[d] && large[d].extent() < kLeastGrowth * most[d]) return false;
    }
    return true;
}

// Drops what is no more known with other values of parameters and sizes of buffers.
void keep_what_stays(const Dag &dag, const Kernel &kernel, std::span<const FuncId> funcs,
                     std::span<const KnownExtents> known, std::span<const Interval> block,
                     std::vector<ConstantExtents> &most) {
    MemberWalk<LargerValues> walk(dag, members_below(dag, kernel, *kernel.blocks), funcs);
    walk.walk(kernel.stage, block);
    for (size_t f = 0; f < funcs.size(); ++f) {
        if (!most[f]) continue;
        std::vector<int64_t> with_larger = *most[f];
        if (!take_most(known[f], *walk.computed(funcs[f]), with_larger)) most[f] = std::nullopt;
    }
}

}  // namespace

std::vector<ConstantExtents> most_extents_in_block(const Dag &dag, const Kernel &kernel,
                                                   const Tiling &tiling,
                                                   std::span<const FuncId> funcs,
                                                   std::span<const KnownExtents> known) {
    std::vector<ConstantExtents> most(funcs.size(), std::vector<int64_t>());
    MemberWalk<ConcreteDomain> walk(dag, members_below(dag, kernel, *kernel.blocks), funcs);
    const auto some_left = [&] {
        return std::any_of(most.begin(), most.end(), [](const auto &m) { return m.has_value(); });
    };
    for (int step = 0; step < kBlockPositions && some_left(); ++step) {
        const auto place_of = [&](size_t loop) { return place_along(loop, step); };
        walk.walk(kernel.stage, block_ranges(dag, kernel.stage, tiling, place_of));
        for (size_t f = 0; f < funcs.size(); ++f) {
            if (!most[f]) continue;
            const auto box = walk.computed(funcs[f]);
            if (!box || !take_most(known[f], *box, *most[f])) most[f] = std::nullopt;
        }
    }
    if (!some_left()) return most;
    const auto beyond = [](size_t) { return kBeyond; };
    walk.walk(kernel.stage, block_ranges(dag, kernel.stage, tiling, beyond, kLargeBlock));
    for (size_t f = 0; f < funcs.size(); ++f) {
        if (most[f] && !grows(known[f], *walk.box(funcs[f]), *most[f])) most[f] = std::nullopt;
    }
    const auto middle = [](size_t) { return kMiddle; };
    const std::vector<Interval> block = block_ranges(dag, kernel.stage, tiling, middle);
    keep_what_stays(dag, kernel, funcs, known, block, most);
    const auto is_empty = [](int64_t extent) { return extent < 1; };
    for (ConstantExtents &extents : most) {
        if (extents && std::ranges::any_of(*extents, is_empty)) extents.reset();
    }
    return most;
}

std::vector<KnownExtents> with_set_by_parameters(const Dag &dag, const Kernel &kernel,
                                                 const Tiling &tiling,
                                                 std::span<const FuncId> funcs,
                                                 std::vector<KnownExtents> known) {
    std::vector<std::vector<bool>> all(funcs.size());  // by Func and dimension
    bool any = false;
    for (size_t f = 0; f < funcs.size(); ++f) {
        for (size_t d = 0; d < known[f].size(); ++d) {
            const Dimension &dim = dag.func(funcs[f]).dims[d];
            all[f].push_back(!known[f][d] && dim.is_set_by_parameters(dim.estimate.extent()));
            any = any || all[f][d];
        }
    }
    if (!any) return known;
    MemberWalk<ConcreteDomain> walk(dag, members_below(dag, kernel, *kernel.blocks), funcs);
    for (int step = 0; step < kBlockPositions; ++step) {
        const auto place_of = [&](size_t loop) { return place_along(loop, step); };
        walk.walk(kernel.stage, block_ranges(dag, kernel.stage, tiling, place_of));
        for (size_t f = 0; f < funcs.size(); ++f) {
            const auto box = walk.computed(funcs[f]);
            for (size_t d = 0; d < all[f].size(); ++d) {
                all[f][d] = all[f][d] && box && (*box)[d] == dag.func(funcs[f]).dims[d].estimate;
            }
        }
    }
    for (size_t f = 0; f < funcs.size(); ++f) {
        for (size_t d = 0; d < all[f].size(); ++d) {
            if (all[f][d]) known[f][d] = dag.func(funcs[f]).dims[d].estimate.extent();
        }
    }
    return known;
}

RuntimeExtents runtime_extents(const Dag &dag, const Kernel &kernel) {
    std::vector<FuncId> funcs;
    for (const Band *threads : thread_bands(kernel)) {
        const Stage &stage = dag.stage(threads->stage);
        if (threads->loop.valid() || stage.index > 0) continue;
        if (threads->stage != kernel.stage) funcs.push_back(stage.func);
    }
    const auto all_known = [](const std::vector<KnownExtents> &extents) {
        return std::ranges::all_of(
            extents, [](const KnownExtents &e) { return if_all_known(e).has_value(); });
    };
    std::vector<KnownExtents> extents = extents_in_block(dag, kernel, kernel.tiling, funcs);
    if (all_known(extents)) return RuntimeExtents::none;
    extents = with_set_by_parameters(dag, kernel, kernel.tiling, funcs, std::move(extents));
    return all_known(extents) ? RuntimeExtents::set_by_parameters : RuntimeExtents::any;
}

}  // namespace autoschedule_gpu
