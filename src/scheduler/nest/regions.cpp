#include "scheduler/nest/regions.h"

#include <algorithm>

namespace autoschedule_gpu {

RegionSet::RegionSet(const Dag &dag) {
    uint32_t total = 0;
    size_t widest = 0;
    for (const Func &func : dag.funcs) {
        first_.push_back(total);
        total += static_cast<uint32_t>(func.dims.size());
        widest = std::max(widest, func.dims.size());
    }
    first_.push_back(total);
    boxes_.resize(total);
    touched_.assign(dag.funcs.size(), 0);
    size_t most_loops = 0;
    for (const Stage &stage : dag.stages) most_loops = std::max(most_loops, stage.loops.size());
    box_scratch.resize(widest);
    ranges_scratch.reserve(most_loops);
}

void RegionSet::clear() {
    for (FuncId func : funcs_) touched_[func.index()] = 0;
    funcs_.clear();
}

std::span<Interval> RegionSet::box(FuncId id) {
    return {boxes_.data() + first_[id.index()], boxes_.data() + first_[id.index() + 1]};
}

std::span<const Interval> RegionSet::box(FuncId id) const {
    return {boxes_.data() + first_[id.index()], boxes_.data() + first_[id.index() + 1]};
}

void RegionSet::include(FuncId id, std::span<const Interval> box) {
    const std::span<Interval> mine = this->box(id);
    if (!touched_[id.index()]) {
        touched_[id.index()] = 1;
        funcs_.push_back(id);
        std::copy(box.begin(), box.begin() + mine.size(), mine.begin());
        return;
    }
    for (size_t d = 0; d < mine.size(); ++d) mine[d].include(box[d]);
}

double RegionSet::points(FuncId id) const {
    double product = 1;
    for (const Interval &range : box(id)) product *= static_cast<double>(range.extent());
    return product;
}

void stage_ranges(const Dag &dag, StageId id, std::span<const Interval> box,
                  std::vector<Interval> &ranges) {
    const std::vector<Loop> &loops = dag.stage(id).loops;
    ranges.resize(loops.size());
    for (size_t i = 0; i < loops.size(); ++i) {
        ranges[i] = loops[i].dim >= 0 ? box[loops[i].dim] : loops[i].range;
    }
}

static void read_edges(const Dag &dag, StageId id, std::span<const Interval> ranges,
                       RegionSet &regions) {
    for (EdgeId edge_id : dag.stage(id).edges) {
        const Edge &edge = dag.edge(edge_id);
        dag.regions.evaluate(edge.region, ranges, regions.box_scratch);
        regions.include(edge.producer, regions.box_scratch);
    }
}

void propagate(const Dag &dag, StageId stage, std::span<const Interval> ranges,
               std::span<const FuncId> members, RegionSet &regions) {
    read_edges(dag, stage, ranges, regions);
    for (FuncId member : members) {
        if (!regions.touched(member)) continue;
        const Func &func = dag.func(member);
        const std::span<Interval> box = regions.box(member);
        // What is computed may be more than what is required (bound, updates, self-reads).
        if (!dag.regions.is_identity(func.computed)) {
            dag.regions.evaluate(func.computed, box, regions.box_scratch);
            std::copy_n(regions.box_scratch.begin(), box.size(), box.begin());
        }
        for (StageId id : func.stages) {
            stage_ranges(dag, id, box, regions.ranges_scratch);
            read_edges(dag, id, regions.ranges_scratch, regions);
        }
    }
}

Interval typical_iteration(const Loop &loop) {
    return Interval::from_extent(loop.range.min + loop.range.extent() / 4, 1);
}

void iteration_ranges(const Dag &dag, BlockLoop loop, std::span<const Interval> box,
                      std::vector<Interval> &ranges) {
    stage_ranges(dag, loop.update, box, ranges);
    for (size_t i = 0; i < ranges.size(); ++i) {
        if (!is_outside(dag, loop, i)) continue;
        ranges[i] = typical_iteration(dag.stage(loop.update).loops[i]);
    }
}

// Adds the Funcs of the bands below, except for one. Stages of a Func are neighbours.
static void collect_funcs(const Dag &dag, const Band &band, FuncId except,
                          std::vector<FuncId> &funcs) {
    for (const BandPtr &child : band.body) {
        const FuncId func = dag.stage(child->stage).func;
        if (func != except && (funcs.empty() || funcs.back() != func)) funcs.push_back(func);
        collect_funcs(dag, *child, except, funcs);
    }
}

// Those that are inlined, with room for those that are computed.
static std::vector<FuncId> inlined_members(const Kernel &kernel) {
    std::vector<FuncId> members;
    members.reserve(kernel.inlined.size() + kernel.members.size() + 1);
    members.assign(kernel.inlined.rbegin(), kernel.inlined.rend());
    return members;
}

// Descending, each once.
static std::vector<FuncId> in_order(std::vector<FuncId> members) {
    std::sort(members.begin(), members.end(), std::greater<>());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    return members;
}

std::vector<FuncId> members_below(const Dag &dag, const Kernel &kernel, const Band &band) {
    std::vector<FuncId> members = inlined_members(kernel);
    collect_funcs(dag, band, dag.stage(band.stage).func, members);
    return in_order(std::move(members));
}

std::vector<FuncId> members_in_loop(const Dag &dag, const Kernel &kernel, BlockLoop loop) {
    std::vector<FuncId> members = inlined_members(kernel);
    const FuncId except = dag.stage(loop.update).func;
    for (const Band *threads : thread_bands(kernel)) {
        if (threads->loop == loop) collect_funcs(dag, *threads, except, members);
    }
    return in_order(std::move(members));
}

bool has_cut_tiles(const Dag &dag, const Kernel &kernel) {
    if (kernel.on_host || !is_guarded(dag, kernel)) return false;
    const Stage &stage = dag.stage(kernel.stage);
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        if (!stage.loops[i].parallel) continue;
        const int64_t points = estimated_range(dag, stage, stage.loops[i]).extent();
        if (points % kernel.tiling[i].block_points() != 0) return true;
    }
    return false;
}

}  // namespace autoschedule_gpu
