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
    ranges.clear();
    for (const Loop &loop : dag.stage(id).loops) {
        ranges.push_back(loop.dim >= 0 ? box[loop.dim] : loop.range);
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
        dag.regions.evaluate(func.computed, box, regions.box_scratch);
        std::copy_n(regions.box_scratch.begin(), box.size(), box.begin());
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

static void collect_stages(const Band &band, std::vector<StageId> &stages) {
    for (const BandPtr &child : band.body) {
        stages.push_back(child->stage);
        collect_stages(*child, stages);
    }
}

// Funcs of the stages, except for one, with the kernel's inlined Funcs; descending.
static std::vector<FuncId> members_of(const Dag &dag, const Kernel &kernel,
                                      const std::vector<StageId> &stages, FuncId except) {
    std::vector<FuncId> members;
    members.reserve(kernel.inlined.size() + stages.size());
    members = kernel.inlined;
    for (StageId id : stages) {
        const FuncId func = dag.stage(id).func;
        if (func != except) members.push_back(func);
    }
    std::sort(members.begin(), members.end(), std::greater<>());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    return members;
}

std::vector<FuncId> members_below(const Dag &dag, const Kernel &kernel, const Band &band) {
    std::vector<StageId> stages;
    collect_stages(band, stages);
    return members_of(dag, kernel, stages, dag.stage(band.stage).func);
}

std::vector<FuncId> members_in_loop(const Dag &dag, const Kernel &kernel, BlockLoop loop) {
    std::vector<StageId> stages;
    for (const Band *threads : thread_bands(kernel)) {
        if (threads->loop == loop) collect_stages(*threads, stages);
    }
    return members_of(dag, kernel, stages, dag.stage(loop.update).func);
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
