// Features of the group "footprint": what a stage reads and writes in all, without what it reads
// twice, for one pass of a thread, a thread, a block and a realization of its Func.
#include <algorithm>
#include <cmath>

#include "features/thread_view.h"

namespace autoschedule_gpu {

namespace {

// The dimension along which a Func's elements are neighbours in memory.
size_t innermost_dimension(const Func &func) {
    size_t innermost = 0;
    for (size_t d = 1; d < func.dims.size(); ++d) {
        const auto stride = [&](size_t dim) { return std::abs(func.dims[dim].stride); };
        if (stride(d) != 0 && stride(d) < stride(innermost)) innermost = d;
    }
    return innermost;
}

// Points of the stage's Func that loops over these ranges store, by dimension.
std::vector<double> stored_extents(const Dag &dag, const Stage &stage,
                                   std::span<const Interval> ranges) {
    std::vector<double> extents;
    const Func &func = dag.func(stage.func);
    for (size_t d = 0; d < func.dims.size(); ++d) {
        const double whole = static_cast<double>(func.dims[d].estimate.extent());
        double extent = 1;
        for (size_t i = 0; d < stage.store.dims() && i < ranges.size(); ++i) {
            const Coefficient &c = stage.store.at(d, i);
            if (!c.known) extent = whole;
            extent += std::abs(c.value) * static_cast<double>(ranges[i].extent() - 1);
        }
        extents.push_back(std::min(extent, whole));
    }
    return extents;
}

}  // namespace

// Of all that `reads` holds of what the stage reads, by the kind of memory that it is in.
FeatureExtractor::Footprint FeatureExtractor::footprint(const FlatStage &flat,
                                                        const RegionSet &reads) const {
    Footprint result;
    for (FuncId id : flat.producers) {
        if (!reads.touched(id)) continue;
        const Func &func = dag_.func(id);
        const double points = reads.points(id);
        const size_t memory = memory_of(id);
        const double row =
            func.dims.empty()
                ? 1
                : static_cast<double>(reads.box(id)[innermost_dimension(func)].extent());
        result.bytes[memory] += points * static_cast<double>(func.bytes_per_point());
        result.lines[memory] += points / std::max(1.0, row);
    }
    return result;
}

// The loops of the stage over a box of its Func, with what that reads.
FeatureExtractor::Footprint FeatureExtractor::footprint_over(const FlatStage &flat,
                                                             std::span<const Interval> ranges) {
    reads_.clear();
    propagate(dag_, flat.stage, ranges, flat.inlined, reads_);
    return footprint(flat, reads_);
}

void FeatureExtractor::add_footprints(const ThreadView &view, const Band &inner,
                                      const FlatStage &flat, StageFeatures &row) {
    const FuncId own = dag_.stage(inner.stage).func;
    const bool in_thread = inner.stage != view.threads->stage;
    const bool at_root = inner.stage == view.kernel->stage;

    const Footprint pass = footprint(flat, tile_);  // as count_tile left it
    row.unique_bytes_read_per_point = pass.all_bytes() / std::max(1.0, row.unrolled_points);
    row.unique_lines_read_per_point = pass.all_lines() / std::max(1.0, row.unrolled_points);

    std::vector<Interval> &ranges = footprint_ranges_;
    if (in_thread) stage_ranges(dag_, inner.stage, thread_.box(own), ranges);
    const Footprint thread =
        row.serial_iterations == 1 ? pass : footprint_over(flat, in_thread ? ranges : view.first);
    const Footprint in_a_thread = in_thread ? thread : Footprint();
    if (in_thread) add_written(view, inner, ranges, row);

    if (at_root) {
        ranges = block_ranges_;
    } else {
        stage_ranges(dag_, inner.stage, block_.box(own), ranges);
    }
    const Footprint task = footprint_over(flat, ranges);
    if (!in_thread) add_written(view, inner, ranges, row);
    const Footprint realization = in_thread ? in_a_thread
                                  : at_root ? footprint_over(flat, grid_ranges_)
                                            : task;
    set_read(realization, thread, task, row);
    add_allocations(flat, row);
}

void FeatureExtractor::set_read(const Footprint &realization, const Footprint &thread,
                                const Footprint &task, StageFeatures &row) {
    row.unique_global_bytes_read_per_realization = realization.bytes[0];
    row.unique_shared_bytes_read_per_realization = realization.bytes[1];
    row.unique_register_bytes_read_per_realization = realization.bytes[2];
    row.unique_global_lines_read_per_realization = realization.lines[0];
    row.unique_shared_lines_read_per_realization = realization.lines[1];
    row.unique_register_lines_read_per_realization = realization.lines[2];
    row.unique_global_bytes_read_per_thread = thread.bytes[0];
    row.unique_shared_bytes_read_per_thread = thread.bytes[1];
    row.unique_register_bytes_read_per_thread = thread.bytes[2];
    row.unique_global_lines_read_per_thread = thread.lines[0];
    row.unique_shared_lines_read_per_thread = thread.lines[1];
    row.unique_register_lines_read_per_thread = thread.lines[2];
    row.unique_bytes_read_per_task = task.all_bytes();
    row.unique_lines_read_per_task = task.all_lines();
}

// Whole arrays of which the stage reads something.
void FeatureExtractor::add_allocations(const FlatStage &flat, StageFeatures &row) const {
    for (FuncId id : flat.producers) {
        const Func &func = dag_.func(id);
        switch (memory_of(id)) {
            case 0:
                row.global_allocation_bytes_read_per_realization += whole_bytes(func);
                break;
            case 1:
                row.shared_allocation_bytes_read_per_realization += shared_bytes(id);
                break;
            default:
                row.register_allocation_bytes_read_per_realization +=
                    thread_.points(id) * static_cast<double>(func.bytes_per_point());
        }
    }
}

// What loops over `ranges` write: those of a thread for a Func computed in threads, else those of
// a block.
void FeatureExtractor::add_written(const ThreadView &view, const Band &inner,
                                   std::span<const Interval> ranges, StageFeatures &row) const {
    const Stage &stage = dag_.stage(inner.stage);
    const Func &func = dag_.func(stage.func);
    const double point = static_cast<double>(func.bytes_per_point());
    const std::vector<double> extents = stored_extents(dag_, stage, ranges);
    double points = 1;
    for (double extent : extents) points *= extent;
    const double bytes = point * points;
    const double line = point * (extents.empty() ? 1 : extents[innermost_dimension(func)]);
    switch (memory_of(stage.func)) {
        case 0:
            row.global_bytes_at_task = bytes;
            row.global_innermost_bytes_at_task = line;
            break;
        case 1:
            row.shared_bytes_at_task = bytes;
            row.shared_innermost_bytes_at_task = line;
            break;
        default:
            row.register_bytes_at_task = bytes * view.active_threads();
            row.register_innermost_bytes_at_task = line;
    }
}

}  // namespace autoschedule_gpu
