#include "scheduler/nest/sliding.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "core/support/rounding.h"
#include "scheduler/nest/full_tiles.h"
#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {

namespace {

// Ranges of the root stage's loops in a tile of a block in the middle of the grid.
std::vector<Interval> ranges_of_tile(const Dag &dag, const Kernel &kernel, int64_t step) {
    const Stage &stage = dag.stage(kernel.stage);
    std::vector<Interval> ranges;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        const LoopTile &tile = kernel.tiling[i];
        Interval range = estimated_range(dag, stage, loop);
        if (has_blocks(loop, tile)) {
            const int64_t first = range.min + block_in_the_middle(kernel, i) * tile.block_points();
            const int64_t walked = tile.walk > 1 ? step * tile.points() : 0;
            range = Interval::from_extent(first + walked, tile.points());
        }
        ranges.push_back(range);
    }
    return ranges;
}

void walk_tile(const Dag &dag, const Kernel &kernel, int64_t step, RegionSet &regions) {
    regions.clear();
    propagate(dag, kernel.stage, ranges_of_tile(dag, kernel, step),
              members_below(dag, kernel, *kernel.blocks), regions);
}

// What is computed of a Func for a tile.
std::vector<Interval> box_of_tile(const Dag &dag, const Kernel &kernel, FuncId func, int64_t step,
                                  RegionSet &regions) {
    walk_tile(dag, kernel, step, regions);
    if (!regions.touched(func)) return {};
    std::vector<Interval> box(dag.func(func).dims.size());
    dag.regions.evaluate(dag.func(func).computed, regions.box(func), box);
    return box;
}

// What is new in the next tile.
void keep_fresh(std::span<const Interval> here, std::span<Interval> next) {
    for (size_t d = 0; d < next.size(); ++d) {
        const bool slides = next[d].min > here[d].min && next[d].max > here[d].max;
        if (slides) next[d].min = std::max(next[d].min, here[d].max + 1);
    }
}

// Ranges of the root stage's loops over all that is computed, and, along the loop that blocks walk,
// so many points before it; of a part of the picture that begins so many points further on.
std::vector<Interval> ranges_of_grid(const Dag &dag, const Kernel &kernel, int64_t further,
                                     int64_t before) {
    const Stage &stage = dag.stage(kernel.stage);
    std::vector<Interval> ranges;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        Interval range = estimated_range(dag, stage, loop);
        const int64_t shift = may_begin_elsewhere(dag, stage, loop) ? further : 0;
        range = {range.min + shift, range.max + shift};
        if (kernel.tiling[i].walk > 1) range.min -= before;
        ranges.push_back(range);
    }
    return ranges;
}

// Whether more of a Func may be asked for: an input may end there, and so does what was promised.
bool may_grow(const Func &func) {
    return !func.is_input() && std::ranges::none_of(func.dims, &Dimension::promised);
}

// What a tile before the first reads, in parts of the picture.
class TileBefore {
public:
    TileBefore(const Dag &dag, const Kernel &kernel)
        : dag_(dag),
          kernel_(kernel),
          tile_(kernel.tiling[*walked_loop(kernel.tiling)].points()),
          members_(members_below(dag, kernel, *kernel.blocks)),
          without_(dag),
          with_(dag) {}

    // Whether it reads no more of those that may not grow, in the part that begins so many points
    // further on: all clamp what they read.
    bool reads_no_more(int64_t further) {
        walk(further, 0, without_);
        walk(further, tile_, with_);
        return std::ranges::all_of(with_.funcs(), [&](FuncId func) {
            return may_grow(dag_.func(func)) ||
                   std::ranges::binary_search(members_, func, std::greater<>()) ||
                   (without_.touched(func) &&
                    std::ranges::equal(with_.box(func), without_.box(func)));
        });
    }

private:
    void walk(int64_t further, int64_t before, RegionSet &regions) const {
        regions.clear();
        propagate(dag_, kernel_.stage, ranges_of_grid(dag_, kernel_, further, before), members_,
                  regions);
    }

    const Dag &dag_;
    const Kernel &kernel_;
    const int64_t tile_;
    const std::vector<FuncId> members_;
    RegionSet without_, with_;
};

// Wherever the picture begins: a clamp to a number limits nothing in a part that begins further on,
// one to the beginning of the input itself always does.
bool may_begin_before(const Dag &dag, const Kernel &kernel) {
    const int dim = dag.stage(kernel.stage).loops[*walked_loop(kernel.tiling)].dim;
    if (dim >= 0 && dag.func_of(kernel.stage).dims[static_cast<size_t>(dim)].begins_before) {
        return true;
    }
    constexpr int64_t kFurthest = 1 << 24;
    TileBefore before(dag, kernel);
    bool no_more = before.reads_no_more(0);
    for (int64_t further = 1; no_more && further <= kFurthest; further *= 4) {
        no_more = before.reads_no_more(further);
    }
    return no_more;
}

const char *why_no_slide(const Dag &dag, const Kernel &kernel, const Member &member) {
    if (!is_in_block(member.place)) return nullptr;
    if (member.place != Place::block) return "has a loop of a reduction in its block";
    if (dag.func(member.func).stages.size() > 1) return "computes updates in its block";
    const ConstantExtents extents = extents_in_block(dag, kernel, member.func);
    if (!extents) return "needs regions in its block whose size is not constant";
    const std::optional<Slide> slide = slide_of(dag, kernel, member.func, *extents);
    if (!slide) return "computes in its block what does not slide along";
    const int64_t kept = (*extents)[slide->dim] - slide->fresh;
    if (kept % slide->fresh != 0 && !may_begin_before(dag, kernel)) {
        return "would read before the beginning of an input";
    }
    const StageId stage = dag.func(member.func).stages[0];
    const std::vector<Loop> &loops = dag.stage(stage).loops;
    const Band &inner = *find_innermost(kernel, stage);
    for (size_t i = 0; i < loops.size(); ++i) {
        const bool along = loops[i].dim == static_cast<int>(slide->dim);
        if (along && inner.level == Level::serial && slide->fresh % inner.trips[i] != 0) {
            return "adds rows that its threads can't share evenly";
        }
    }
    return nullptr;
}

}  // namespace

std::optional<size_t> walked_loop(std::span<const LoopTile> tiling) {
    for (size_t i = 0; i < tiling.size(); ++i) {
        if (tiling[i].walk > 1) return i;
    }
    return std::nullopt;
}

int64_t walk_of(std::span<const LoopTile> tiling) {
    const std::optional<size_t> loop = walked_loop(tiling);
    return loop ? tiling[*loop].walk : 1;
}

std::optional<Slide> slide_of(const Dag &dag, const Kernel &kernel, FuncId func,
                              std::span<const int64_t> extents) {
    RegionSet regions(dag);
    const std::vector<Interval> here = box_of_tile(dag, kernel, func, 0, regions);
    const std::vector<Interval> next = box_of_tile(dag, kernel, func, 1, regions);
    std::optional<Slide> slide;
    for (size_t d = 0; d < here.size(); ++d) {
        const int64_t fresh = next[d].min - here[d].min;
        if (fresh == 0 && next[d].max == here[d].max) continue;
        // Of two dimensions Halide slides along one. Rows are what threads x share.
        const bool slides = fresh > 0 && fresh <= extents[d] && d > 0 && !slide;
        if (!slides || here[d].extent() != next[d].extent()) return std::nullopt;
        slide = Slide{.dim = d, .fresh = fresh, .before = ceil_div(extents[d] - fresh, fresh)};
    }
    return slide;
}

int64_t ring_points(const Dag &dag, const Kernel &kernel, FuncId func, const Slide &slide) {
    RegionSet here(dag), next(dag), touched(dag);
    walk_tile(dag, kernel, 0, here);
    walk_tile(dag, kernel, 1, next);
    std::vector<Interval> ranges;
    for (const Band *threads : thread_bands(kernel)) {
        const FuncId reader = dag.stage(threads->stage).func;
        if (threads->stage == kernel.stage) {
            ranges = ranges_of_tile(dag, kernel, 1);
        } else if (reader > func && next.touched(reader)) {
            keep_fresh(here.box(reader), next.box(reader));
            stage_ranges(dag, threads->stage, next.box(reader), ranges);
        } else {
            continue;
        }
        propagate(dag, threads->stage, ranges, members_below(dag, kernel, *threads), touched);
    }
    const int64_t read = touched.touched(func) ? touched.box(func)[slide.dim].extent() : 1;
    return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max(read, slide.fresh))));
}

std::vector<int64_t> fresh_extents(const Dag &dag, const Kernel &kernel, FuncId func,
                                   std::span<const int64_t> extents) {
    std::vector<int64_t> fresh(extents.begin(), extents.end());
    if (!walked_loop(kernel.tiling)) return fresh;
    const std::optional<Slide> slide = slide_of(dag, kernel, func, extents);
    if (slide) fresh[slide->dim] = slide->fresh;
    return fresh;
}

bool keeps_something(const Dag &dag, const Kernel &kernel) {
    return std::ranges::any_of(kernel.members, [&](const Member &member) {
        if (!is_in_block(member.place)) return false;
        const ConstantExtents extents = extents_in_block(dag, kernel, member.func);
        const std::optional<Slide> slide =
            extents ? slide_of(dag, kernel, member.func, *extents) : std::nullopt;
        return slide && slide->before > 0;
    });
}

const char *why_no_walk(const Dag &dag, const Kernel &kernel) {
    const std::optional<size_t> loop = walked_loop(kernel.tiling);
    if (!loop) return nullptr;
    const Stage &root = dag.stage(kernel.stage);
    const LoopTile &tile = kernel.tiling[*loop];
    const auto walks = [](const LoopTile &t) { return t.walk > 1; };
    if (std::ranges::count_if(kernel.tiling, walks) > 1) return "walks along two loops";
    if (dag.func(root.func).stages.size() > 1) return "walks over a stage of several";
    if (root.loops[*loop].dim < 0 || !has_blocks(root.loops[*loop], tile) ||
        tile.rest != Rest::blocks) {
        return "walks along a loop that blocks do not share";
    }
    const std::vector<size_t> grid = grid_loops(dag, kernel);
    if (grid.size() > 3) return "walks, and has more loops than a grid";
    if (grid.front() == *loop) return "walks along its rows";
    if (has_whole_rows(kernel.tiling) || has_spread_points(kernel.tiling) ||
        uses_atomics(dag, kernel, *root_threads(kernel))) {
        return "walks with threads that go on, or share a reduction";
    }
    if (kernel.aligned) return "walks over tiles that begin at multiples of their size";
    for (const Member &member : kernel.members) {
        if (const char *why = why_no_slide(dag, kernel, member)) return why;
    }
    return nullptr;
}

}  // namespace autoschedule_gpu
